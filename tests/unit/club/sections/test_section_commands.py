"""Threads that stay at a section's end, pages that are moved only on demand, and what a reminder says."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.club.commands.values import CommandResponse
from core.club.schedule.schedules import REMINDER
from core.club.timers.due import DueMessage
from core.club.timers.timer_kinds import SectionReminders
from core.domain.conversation import Author
from core.domain.errors import NotPermittedError, PositionError
from core.domain.later import LATER_KIND
from core.domain.moments import marked
from core.domain.thread import Thread
from tests.builders import ADA
from tests.unit.club.schedule.test_schedule_commands import Club
from tests.unit.club_house import CHANNEL

_BEN = Author(member_id="discord:9", display_name="Ben")
_SECTION = replace(CHANNEL, thread="77")


@pytest.fixture
async def club() -> Club:
    club = Club()
    await club.begin()
    (button,) = (
        await club.use(
            "schedule make", "3 weeks from 2 March 2026, Sundays 19:00 Europe/Berlin", organiser=True, thread=CHANNEL
        )
    ).choices
    await club.press(button, organiser=True, thread=CHANNEL)
    return club


async def _open(club: Club, number: str = "", *, thread: Thread = _SECTION) -> tuple[CommandResponse, CommandResponse]:
    """Open a section's thread, as the platform does: the second answer is what begins it."""
    opened = await club.use("section open", number, organiser=True, thread=CHANNEL)
    assert opened.begins is not None
    return opened, await club.press(opened.begins, organiser=True, thread=thread)


async def _page(club: Club, thread: Thread = CHANNEL) -> int | None:
    return (await club.threads.club(thread)).page_of_all


async def test_a_thread_stays_at_its_sections_end_wherever_the_club_goes(club: Club) -> None:
    opened, begun = await _open(club, "2")
    assert opened.opens == "The Marrow Light: section 2, chapter 2"
    assert opened.announcement == "**Section 2**, p. 3 to p. 4: for anyone who has read to p. 4."
    assert begun.announcement.startswith("Please talk here only about pages up to 4.")
    assert (await _page(club, _SECTION), await _page(club)) == (4, None)
    await club.use("setpage", "2", thread=CHANNEL)
    assert (await _page(club, _SECTION), await _page(club)) == (4, 2)
    again = await club.use("section open", "2", organiser=True, thread=CHANNEL)
    assert (again.opens, again.names) == ("", ("77",))


async def test_the_next_section_is_meant_without_a_number(club: Club) -> None:
    assert (await club.use("section open", organiser=True, thread=CHANNEL)).opens.endswith("section 1, chapter 1")
    club.clock.advance(timedelta(days=10))
    assert (await club.use("section open", organiser=True, thread=CHANNEL)).opens.endswith("section 2, chapter 2")
    club.clock.advance(timedelta(days=60))
    assert (await club.use("section open", organiser=True, thread=CHANNEL)).opens.endswith("section 3, chapter 3")


async def test_setpage_there_asks_which_page_is_meant(club: Club) -> None:
    await _open(club, "1")
    asked = await club.use("setpage", "3", thread=_SECTION)
    assert asked.text == "This thread stays at p. 2, the end of section 1. Which page do you mean?"
    assert (await _page(club, _SECTION), await _page(club)) == (2, None)
    of_club, of_thread = asked.choices
    moved = await club.press(of_club, thread=_SECTION)
    assert moved.announcement == "Ada set the club's page to p. 3 (50 %). 1 thread keeps its own page."
    assert (await _page(club, _SECTION), await _page(club)) == (2, 3)
    leap = (await club.press(of_thread, thread=_SECTION)).choices[0]
    here = await club.press(leap, thread=_SECTION)
    assert here.announcement == "Ada moved the thread from p. 2 to p. 3 (50 %)."
    with pytest.raises(PositionError, match="/setpage 120"):
        await club.use("setpage", "x" * 41, thread=_SECTION)


async def _due(club: Club, *, missed: bool = False, role: str = "") -> list[DueMessage]:
    """Have the first section's reminder fall due."""
    await club.use("schedule remind", "on", organiser=True, thread=CHANNEL)
    timer = (await club.timers.waiting(thread=CHANNEL, kind=REMINDER))[0]
    kind = SectionReminders(schedules=club.kept_schedules, readings=club.readings, books=club.books)
    return list(await (kind.missed(timer) if missed else kind.due(timer)))


async def test_a_reminder_asks_and_moves_nothing(club: Club) -> None:
    (message,) = await _due(club)
    assert message.text == (
        "It's time for **section 1**: p. 1 to p. 2. Has everyone read to p. 2? I never move the page myself."
    )
    assert (message.thread, message.member_id, message.role) == (CHANNEL, "", "")
    assert [choice.label for choice in message.choices] == ["All read to p. 2", "I have read to p. 2"]
    assert await _page(club) is None
    all_read, i_read = message.choices
    with pytest.raises(NotPermittedError):
        await club.press(all_read, by=_BEN, thread=CHANNEL)
    own = await club.press(i_read, by=_BEN, thread=CHANNEL)
    assert own.text == "Your own page is set: up to p. 2. Only you see this."
    assert own.announcement == ""
    moved = await club.press(all_read, organiser=True, thread=CHANNEL)
    assert moved.announcement == "Ada set the club's page to p. 2 (33 %)."
    with pytest.raises(PositionError, match=r"already at p\. 2"):
        await club.press(all_read, organiser=True, thread=CHANNEL)


async def test_what_a_member_kept_comes_back_once_they_say_by_the_button_that_they_have_read(club: Club) -> None:
    await club.use("later", "Who mends the lamp?", by=_BEN, thread=CHANNEL)
    _, i_read = (await _due(club))[0].choices
    assert await club.timers.waiting(thread=CHANNEL, kind=LATER_KIND) == []
    for _ in range(2):
        await club.press(i_read, by=_BEN, thread=CHANNEL)
    (waiting,) = await club.timers.waiting(thread=CHANNEL, kind=LATER_KIND)
    assert waiting.member_id == _BEN.member_id


async def test_what_was_missed_is_told_to_whoever_wanted_it(club: Club) -> None:
    (message,) = await _due(club, missed=True)
    due = marked(datetime(2026, 3, 8, 18, tzinfo=UTC))
    assert message.text.startswith(f"I was away when section 1 was due ({due}), and it's too late now")
    assert (message.member_id, message.choices) == (ADA.member_id, ())
    await club.clubs.forget_member(scope=CHANNEL.scope, member_id=ADA.member_id)
    timer = (await club.timers.waiting(thread=CHANNEL, kind=REMINDER))[0]
    kind = SectionReminders(schedules=club.kept_schedules, readings=club.readings, books=club.books)
    assert await kind.missed(timer) == ()
