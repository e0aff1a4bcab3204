"""How far the club has come: never who, never the slowest, and of few members nothing."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.conversation import Author
from core.domain.progress import PageMark, PageSaid, pace_line, pages_a_day
from tests.builders import a_book_text
from tests.fakes.clock import FrozenClock
from tests.unit.club_house import House

_MEMBERS = [Author(member_id=f"m_{number}", display_name=f"Member{number}") for number in range(5)]


async def test_the_clubs_page_and_ones_own_are_shown_to_the_asker_alone() -> None:
    house = House()
    await house.reading(position=3)
    assert (await house.use("progress")).text == "▓▓▓▓▓░░░░░ p. 3 of 6 (50 %)"
    await house.use("mypage", "4")
    shown = await house.use("progress")
    assert shown.text == "▓▓▓▓▓░░░░░ p. 3 of 6 (50 %)\nYou: ▓▓▓▓▓▓░░░░ p. 4 of 6 (66 %)"
    assert shown.announcement == ""


async def test_the_picture_shows_what_the_words_tell_and_of_the_asker_to_themselves_alone() -> None:
    house = House()
    await house.reading(position=3, book=await house.add_book(replace(a_book_text(["a"] * 8), last_story_page=6)))
    assert (await house.use("progress")).text == "▓▓▓▓▓░░░░░ p. 3 of 6 (50 %)"
    (keep,) = (await house.use("schedule make", "3 weeks Sundays 19:00", organiser=True)).choices
    await house.press(keep, organiser=True)
    for member, page in zip(_MEMBERS[:4], ("1", "3", "5", "6"), strict=True):
        await house.use("mypage", page, by=member)
    here, own = await house.use("progress", "here", by=_MEMBERS[2]), await house.use("progress", by=_MEMBERS[2])
    assert here.chart is not None
    assert own.chart == replace(here.chart, own=PageMark(page=5, name="5"))
    assert own.chart.description == (
        "A bar for the 6 pages of the book. Read: up to p. 3 (50 %). You: up to p. 5 (83 %). "
        "Section 1 of 3, whose goal is p. 2. 3 of 4 have reached p. 3."
    )


async def test_here_shows_nothing_of_the_asker_to_the_others() -> None:
    house = House()
    await house.reading(position=3)
    await house.use("mypage", "5")
    here = await house.use("progress", "here")
    assert (here.text, here.announcement) == ("", "▓▓▓▓▓░░░░░ p. 3 of 6 (50 %)")


async def test_from_four_own_pages_on_it_tells_how_many_have_come_so_far() -> None:
    house = House()
    await house.reading(position=3)
    for member, page in zip(_MEMBERS[:3], ("1", "3", "5"), strict=True):
        await house.use("mypage", page, by=member)
    assert "have reached" not in (await house.use("progress", "here")).announcement
    await house.use("mypage", "6", by=_MEMBERS[3])
    announced = (await house.use("progress", "here")).announcement
    assert announced.endswith("\n3 of 4 have reached p. 3.")
    assert not any(member.display_name in announced for member in _MEMBERS)


async def test_ones_own_pace_is_told_to_oneself_once_there_is_a_day_of_it(row_clock: FrozenClock) -> None:
    house = House(clock=row_clock)
    await house.reading(position=1, book=await house.add_book(a_book_text(["a"] * 200)))
    await house.use("mypage", "10")
    house.clock.advance(timedelta(hours=23))
    await house.use("mypage", "30")
    assert "a day" not in (await house.use("progress")).text
    house.clock.advance(timedelta(hours=25))
    assert (await house.use("progress")).text.endswith("\nYou read about 10 pages a day this week.")
    assert "a day" not in (await house.use("progress", "here")).announcement
    assert "a day" not in (await house.use("progress", by=_MEMBERS[0])).text


_START = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ([], ""),
        ([(0, 10)], ""),
        ([(0, 10), (1, 5)], ""),
        ([(0, 10), (6, 17)], "You read about a page a day this week."),
        ([(0, 10), (6, 12)], "You read a little this week."),
        ([(-40, 10), (5, 80)], "You read about 10 pages a day this week."),
        ([(-40, 10), (-30, 80)], ""),
        ([(0, 100), (3, 50), (6, 107)], "You read about a page a day this week."),
    ],
)
def test_a_pace_is_that_of_the_last_week_and_nobody_is_scolded(said: list[tuple[int, int]], line: str) -> None:
    pages = [PageSaid(page=page, at=_START + timedelta(days=day)) for day, page in said]
    assert pace_line(pages_a_day(pages, now=_START + timedelta(days=7))) == line
