"""What a mention costs the store: units of work, and how often one of them goes to another thread."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from adapters.persistence.database import Counts
from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

_HOPS = 5
"""Writes alone: one takes the message in, two are the turn, one says that it is posted, and one that all is done."""


def _in_a_thread(stage: Stage) -> Callable[[str], Message]:
    thread = stage.thread()
    return lambda text: stage.say(thread, text, mention=True)


def _in_the_channel(stage: Stage) -> Callable[[str], Message]:
    return stage.ask


@pytest.mark.parametrize(
    ("where", "most"),
    [(_in_a_thread, 7), (_in_the_channel, 8)],
    ids=["in a thread, whose passage is read on from what was found", "opening one, whose title looks at the place"],
)
async def test_a_mention_takes_few_units_of_work_and_no_more_hops_than_it_writes(
    stage: Stage, read_book: ReadBook, house: Application, where: Callable[[Stage], Callable[[str], Message]], most: int
) -> None:
    await read_book()
    ask = where(stage)
    async with stage.running() as bot:

        async def answered(text: str) -> Counts:
            answer = await stage.answer_to(ask(text))
            await bot.settled()
            assert "Marrable" in answer.content
            return replace(house.database.counts)

        before = await answered("Who lit the lamp?")  # also builds what is kept of a book
        counts = await answered("Who mended the window?")
    assert 0 < counts.reads + counts.writes - before.reads - before.writes <= most
    assert 0 < counts.hops - before.hops <= _HOPS
