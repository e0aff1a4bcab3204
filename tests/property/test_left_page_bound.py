"""Whatever members leave, open, vote on and have told, in whatever order: none of it hangs on an unread page.

Two clubs do the same, over books that are alike up to a page and strangers behind it; neither moves beyond it. Each
must be told the same, to the byte, also by what falls due and in the files that are handed over.
"""

import asyncio
import re
from collections.abc import Sequence
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.club.commands.values import Choice, CommandResponse
from core.club.timers.due import Due
from core.club.timers.timer_kinds import WeeklyQuoteKind
from core.domain.conversation import Author
from core.domain.errors import ThusfarError
from tests.builders import ADA, BO
from tests.memory import give_back_databases, rows_dated_by
from tests.property.clubs import PAGES, Step, line_of, steps, the_book, words_of
from tests.unit.club.timers.test_due import Board
from tests.unit.club_house import House

_MEMBERS = (ADA, BO, Author(member_id="m_cy", display_name="Cy"))
_RANDOM_ID = re.compile(r"\b([rt]_)[0-9a-f]{12}\b")
_bounded = settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Club:
    """A club over a book, and all that it is told."""

    def __init__(self) -> None:
        """Nobody has said anything yet."""
        give_back_databases()
        self.house = House()
        self.told: list[str] = []
        self._choices: tuple[Choice, ...] = ()

    async def live(self, known_up_to: int, done: Sequence[Step]) -> list[str]:
        """Do one thing after another at page 1, with a quote each week; return what was told."""
        with rows_dated_by(self.house.clock):
            book = await self.house.add_book(the_book(known_up_to=known_up_to))
            await self.house.reading(position=1, book=book)
            await self.house.use("quotes", "weekly on", organiser=True)
            for step in done:
                await self._take(step)
                await self._a_week_passes()
        return self.told

    async def _take(self, step: Step) -> None:
        words, text = step.words, step.text
        if not words and self._choices:
            choice = self._choices[len(self.told) % len(self._choices)]
            words, text = choice.command, choice.text
        try:
            response = await self.house.use(words or "where", text, by=_MEMBERS[step.member], organiser=step.organiser)
        except ThusfarError as error:
            self.told.append(str(error))
            return
        self._choices = (*response.choices, *response.offers) or self._choices
        self.told.append(_all_of(response))

    async def _a_week_passes(self) -> None:
        house, board = self.house, Board()
        house.clock.advance(timedelta(weeks=1))
        kind = WeeklyQuoteKind(
            house.weekly,
            threads=house.threads,
            sealed_items=house.sealed_items,
        )
        await Due(table=house.timers, kinds=[kind], clock=house.clock).run_due(board)
        self.told += [text for _, text in board.said]


def _all_of(response: CommandResponse) -> str:
    choices = (f"{one.label}:{one.command}:{one.text}" for one in (*response.choices, *response.offers))
    files = (f"{file.name}:{file.data.decode()}" for file in response.files)
    told = "\n".join((response.text, response.announcement, response.opens, response.asks, *choices, *files))
    return _RANDOM_ID.sub(r"\1", told)


@given(data=st.data(), known=st.integers(1, PAGES - 1))
@_bounded
def test_nothing_that_is_told_hangs_on_what_nobody_has_read(data: st.DataObject, known: int) -> None:
    done = data.draw(steps(up_to=known, ahead=False))
    real, strange = (asyncio.run(Club().live(up_to, done)) for up_to in (PAGES, known))
    assert real == strange


@given(data=st.data(), known=st.integers(1, PAGES - 1))
@_bounded
def test_no_word_of_an_unread_page_is_told_whatever_is_typed(data: st.DataObject, known: int) -> None:
    done = data.draw(steps(up_to=known, ahead=True))
    told = "\n".join(asyncio.run(Club().live(PAGES, done)))
    # What somebody keeps for later is theirs, and said back to them alone.
    typed = "\n".join(step.text for step in done if step.words == "later")
    unread = {word for page in range(known + 1, PAGES + 1) for word in words_of(page)}
    assert not [word for word in unread if word in told and word not in typed]


def test_a_line_that_is_read_would_be_seen() -> None:
    done = [Step(0, ".quote-this", f"“{line_of(1)}”"), Step(1, "quotes"), Step(2, "export", organiser=True)]
    told = asyncio.run(Club().live(PAGES, done))
    assert [line_of(1) in one for one in told] == [True, True, True, True]
