"""How many units of work a mention and a command take."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.persistence.database import Counts
from bot.settings import Settings
from bot.wiring import Application, build
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage
from tests.adapters.platforms import QUICK

_NEVER_LOOKING = replace(QUICK, look=3600.0)
_WHOLE = ("What did Marrable mend?", "What did Marrable mend with a sail?", "What did the keeper Marrable mend?")
"""A question whose quotation is found whole."""
_READ_ON = ("Who mended the window?", "Who lit the lamp?", "Who lit the lamp of the lighthouse?")
"""A question whose quotation continues after the passage."""


@pytest_asyncio.fixture(params=["sqlite", "postgres"])
async def house(request: pytest.FixtureRequest, own_home: Path) -> AsyncIterator[Application]:
    """A wired application over each kind of database."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    application = build(Settings(thusfar_home=own_home, DATABASE_URL=url))
    try:
        yield application
    finally:
        await application.close()


def _in_a_thread(stage: Stage) -> Callable[[str], Message]:
    thread = stage.thread()
    return lambda text: stage.say(thread, text, mention=True)


def _in_the_channel(stage: Stage) -> Callable[[str], Message]:
    return stage.ask


@pytest.mark.parametrize(
    ("where", "questions", "most"),
    [(_in_a_thread, _WHOLE, 5), (_in_the_channel, _WHOLE, 7), (_in_a_thread, _READ_ON, 6)],
    ids=["in a thread", "opening one, whose title looks at the place and its pages", "in a thread, read on"],
)
async def test_a_mention_takes_few_units_of_work(
    stage: Stage,
    read_book: ReadBook,
    house: Application,
    where: Callable[[Stage], Callable[[str], Message]],
    questions: Sequence[str],
    most: int,
) -> None:
    await read_book()
    ask = where(stage)
    async with stage.running(retry=_NEVER_LOOKING) as bot:

        async def answered(*texts: str) -> Counts:
            for text in texts:
                answer = await stage.answer_to(ask(text))
                assert "Marrable" in answer.content
            await bot.settled()
            return replace(house.database.counts)

        before = await answered("Who lit the lamp?")  # also fills the caches of the book
        counts = await answered(*questions)
    # One more records that the last one is done, since no later message does.
    units = counts.reads + counts.writes - before.reads - before.writes
    assert 0 < units <= most * len(questions) + 1


async def test_a_command_takes_four_units_of_work(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book()
    async with stage.running(retry=_NEVER_LOOKING) as bot:

        async def used(words: str, text: str) -> Counts:
            await stage.over(stage.use(words, text), bot)
            return replace(house.database.counts)

        for words, text in (("setpage", "2"), ("who", "Marrable"), ("mypage", "1"), ("where", "")):
            before = await used(words, text)  # also makes the secret of the buttons, and fills the caches of the book
            counts = await used(words, text)
            assert 0 < counts.reads + counts.writes - before.reads - before.writes <= 4, words
