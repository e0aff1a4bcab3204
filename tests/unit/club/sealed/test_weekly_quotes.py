"""A quote a week: one that was read and not shown yet, once through faults and restarts, or none."""

from datetime import timedelta

import pytest

from core.club.sealed.weekly_quotes import WeeklyQuotes
from core.club.timers.due import LEASE, Due, NotSentError
from core.club.timers.timer_kinds import WeeklyQuoteKind
from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.moments import marked
from tests.builders import BO, a_book_text
from tests.unit.club.timers.test_due import Board
from tests.unit.club_house import House

_WEEK = timedelta(weeks=1)
_PAGES = (
    "The ferry would not sail on that day of the storm, said the pilot.",
    "The ledger lay on the table all day, and nobody touched the ledger at all.",
    "At last Quill said that he had drowned the pilot for the sake of the ledger.",
)
_FIRST = "**A line from the pages you've read:**\n> The ferry would not sail (p. 1)\nchosen by Ada"
_SECOND = "**A line from the pages you've read:**\n> nobody touched the ledger at all (p. 2)\nchosen by Bo"


class Weeks:
    """A house whose weeks pass, each with what was said in it."""

    def __init__(self, house: House) -> None:
        """Nothing has been said yet."""
        self.house = house
        self.board = Board()

    def process(self) -> Due:
        """A process of its own over the one table."""
        house = self.house
        weekly = WeeklyQuotes(timers=house.timers, clock=house.clock)
        kind = WeeklyQuoteKind(weekly, threads=house.threads, sealed_items=house.sealed_items)
        return Due(table=house.timers, kinds=[kind], clock=house.clock)

    async def said(self, weeks: float = 1) -> list[str]:
        """Let so much time pass, and return what was said then."""
        before = len(self.board.said)
        self.house.clock.advance(weeks * _WEEK)
        await self.process().run_due(self.board)
        return [text for _, text in self.board.said[before:]]


async def _weeks(*, on: bool = True) -> Weeks:
    house = House()
    await house.reading(position=2, book=await house.add_book(a_book_text(_PAGES)))
    await house.use("quote", "he had drowned the pilot for the sake", by=BO)
    await house.use("quote", "The ferry would not sail")
    await house.use("quote", "nobody touched the ledger at all", by=BO)
    if on:
        await house.use("quotes", "weekly on", organiser=True)
    return Weeks(house)


async def test_nothing_comes_unless_an_organiser_says_so() -> None:
    weeks = await _weeks(on=False)
    assert await weeks.said(5) == []
    with pytest.raises(NotPermittedError, match="organisers"):
        await weeks.house.use("quotes", "weekly on")
    assert "I don't post a weekly quote." in (await weeks.house.use("quotes", "off", organiser=True)).text
    with pytest.raises(ThusfarError, match="weekly on"):
        await weeks.house.use("quotes", "daily", organiser=True)


async def test_the_first_comes_a_week_later() -> None:
    weeks = await _weeks(on=False)
    told = await weeks.house.use("quotes", "weekly on", organiser=True)
    assert marked(weeks.house.clock.now() + _WEEK) in told.text
    assert told.announcement == ""
    assert await weeks.said(0.9) == []
    assert await weeks.said(0.1) == [_FIRST]


async def test_each_that_was_read_comes_once_and_then_none() -> None:
    weeks = await _weeks()
    assert [await weeks.said() for _ in range(4)] == [[_FIRST], [_SECOND], [], []]
    await weeks.house.moved("3")
    assert "drowned" in (await weeks.said())[0]
    assert await weeks.said() == []


async def test_a_page_that_went_back_takes_them_back() -> None:
    weeks = await _weeks()
    assert await weeks.said() == [_FIRST]
    await weeks.house.use("setpage", "1")
    assert await weeks.said() == []
    await weeks.house.moved("2")
    assert await weeks.said() == [_SECOND]


async def test_it_comes_once_through_a_fault_and_a_process_that_ends() -> None:
    weeks = await _weeks()
    weeks.board.fails = [NotSentError("away", for_good=False)]
    assert await weeks.said() == []
    weeks.house.clock.advance(timedelta(minutes=1))
    weeks.board.loses_answers = True
    await weeks.process().run_due(weeks.board)
    weeks.board.loses_answers = False
    weeks.house.clock.advance(LEASE + timedelta(minutes=20))
    for _ in range(2):
        await weeks.process().run_due(weeks.board)
    assert [text for _, text in weeks.board.said] == [_FIRST]
    assert await weeks.said() == [_SECOND]
