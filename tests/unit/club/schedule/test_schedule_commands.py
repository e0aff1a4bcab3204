"""Sections with dates are shown to the organiser first, kept by the button, and changed in words."""

from datetime import UTC, datetime, timedelta

import pytest

from core.club.schedule.schedules import REMINDER
from core.domain.book import Chapter
from core.domain.errors import NotPermittedError, PositionError, ThusfarError
from core.domain.moments import shown
from tests.builders import a_book_text
from tests.unit.club_house import CHANNEL, House
from tests.unit.world import THREAD

_LINE = "3 weeks from 2 March 2026, Sundays 19:00 Europe/Berlin"
_TOLD = (
    "1. p. 1 to p. 2: by Sun 08 Mar 18:00\n2. p. 3 to p. 4: by Sun 15 Mar 18:00\n3. p. 5 to p. 6: by Sun 22 "
    "Mar 18:00\nThe dates are at 19:00 in Europe/Berlin, summer and winter."
)
_FIRST = datetime(2026, 3, 8, 18, tzinfo=UTC)


def _read(text: str) -> str:
    return shown(text, lambda moment: f"{moment:%a %d %b %H:%M}")


class Club(House):
    """A house in which a book of three chapters is read, at the end of February."""

    async def begin(self) -> None:
        self.clock.advance(datetime(2026, 2, 27, tzinfo=UTC) - self.clock.now())
        chapters = [
            Chapter(number=n, title=f"The Secret {n}", first_page=2 * n - 1, last_page=2 * n) for n in (1, 2, 3)
        ]
        await self.reading(position=1, book=await self.add_book(a_book_text(chapters=chapters)))

    async def organise(self, words: str, text: str = "") -> str:
        """Have an organiser use a command; return what is said, to them and to all."""
        response = await self.use(words, text, organiser=True)
        return _read("\n".join(filter(None, (response.announcement, response.text))))

    async def keep(self, line: str = _LINE) -> None:
        (button,) = (await self.use("schedule make", line, organiser=True)).choices
        await self.press(button, organiser=True)

    async def reminders(self) -> list[datetime]:
        return [timer.due for timer in await self.timers.waiting(thread=THREAD, kind=REMINDER)]


@pytest.fixture
async def club() -> Club:
    club = Club()
    await club.begin()
    return club


async def test_an_organiser_sees_it_first_and_keeps_it_by_the_button(club: Club) -> None:
    proposed = await club.use("schedule make", _LINE, organiser=True)
    assert _read(proposed.text) == f"**This is how I would divide the book:**\n{_TOLD}\nNothing is saved yet."
    assert proposed.announcement == ""
    (button,) = proposed.choices
    with pytest.raises(ThusfarError, match="no schedule yet"):
        await club.use("schedule show")
    with pytest.raises(NotPermittedError):
        await club.press(button)
    kept = await club.press(button, organiser=True)
    assert _read(kept.announcement) == f"**What we read by when:**\n{_TOLD}"
    assert "I remind no one" in kept.text
    seen = _read((await club.use("schedule show")).text)
    assert seen.splitlines()[1] == "1. p. 1 to p. 2: by Sun 08 Mar 18:00 (**next**)"
    assert seen.endswith("\nReminders are off.")
    assert "(**next**)" in (await club.use("schedule show", "here")).announcement
    again = await club.use("schedule make", _LINE, organiser=True)
    assert again.text.endswith("It replaces your current schedule.")


@pytest.mark.parametrize(
    "words", ["schedule make", "schedule shift", "schedule skip", "schedule off", "schedule remind"]
)
async def test_only_organisers_change_it(club: Club, words: str) -> None:
    await club.keep()
    with pytest.raises(NotPermittedError):
        await club.use(words, "on")


async def test_a_proposal_is_kept_for_the_book_that_it_was_made_for(club: Club) -> None:
    (button,) = (await club.use("schedule make", _LINE, organiser=True)).choices
    other = await club.add_book(a_book_text(title="Another"))
    await club.threads.use(CHANNEL, book_id=other.book_id)
    with pytest.raises(PositionError, match="another book"):
        await club.press(button, thread=CHANNEL, organiser=True)


async def test_what_is_to_come_is_shifted_and_what_is_past_stays(club: Club) -> None:
    await club.keep()
    await club.organise("schedule remind", "on")
    club.clock.advance(_FIRST - club.clock.now() + timedelta(hours=1))
    told = await club.organise("schedule shift", "+2 weeks")
    assert told == ("Ada moved the dates on by 2 weeks. Next is section 2, p. 3 to p. 4, by Sun 29 Mar 17:00.")
    assert [line[-12:] for line in (await club.organise("schedule show")).splitlines()[1:3]] == [
        "08 Mar 18:00",
        "0 (**next**)",
    ]
    assert [f"{due:%d %b %H}" for due in await club.reminders()][-2:] == ["29 Mar 17", "05 Apr 17"]
    assert "moved the dates back by 3 days. Next is section 2" in await club.organise("schedule shift", "-3 days")
    with pytest.raises(PositionError, match="section 2 would already have been due"):
        await club.organise("schedule shift", "-5 weeks")
    for unclear in ("", "later", "week", "+1 month", "+0 weeks", "0 days", "💥"):
        with pytest.raises(PositionError, match="by how much"):
            await club.organise("schedule shift", unclear)


async def test_reminders_are_off_until_an_organiser_wants_them(club: Club) -> None:
    await club.keep()
    assert await club.reminders() == []
    told = await club.organise("schedule remind", "on")
    assert told.startswith("Reminders are on. I post once when a section is due, without calling anyone.")
    assert await club.reminders() == [_FIRST, _FIRST + timedelta(days=7), _FIRST + timedelta(days=14)]
    await club.keep("2 weeks from 2 March 2026, Sundays 20:00 Europe/Berlin")
    assert await club.reminders() == [_FIRST + timedelta(hours=1), _FIRST + timedelta(days=7, hours=1)]
    assert await club.organise("schedule remind", "off") == "Reminders are off."
    assert await club.reminders() == []
    for unclear in ("", "please", "off now"):
        with pytest.raises(PositionError, match="schedule remind on"):
            await club.organise("schedule remind", unclear)


async def test_progress_tells_the_section_and_its_goal(club: Club) -> None:
    before = (await club.use("progress")).text
    await club.keep()
    assert _read((await club.use("progress")).text) == before + ("\nSection 1 of 3; goal p. 2 by Sun 08 Mar 18:00")
    await club.use("mypage", "1")
    assert (await club.use("progress")).text.endswith("\nTo get there in time: about a page a day.")
    assert "by then" not in (await club.use("progress", "here")).announcement
    club.clock.advance(timedelta(days=60))
    assert "ection" not in (await club.use("progress")).text


async def test_no_chapter_title_is_in_anything_that_is_said(club: Club) -> None:
    await club.keep()
    said = [
        await club.organise(*use)
        for use in (
            ("schedule show",), ("schedule remind", "on"), ("schedule shift", "+1 week"), ("schedule skip",),
            ("section open", "3"), ("progress",), ("schedule off",),
        )
    ]  # fmt: skip
    assert "Secret" not in "\n".join(said)
