"""A club's three weeks on each platform: dates, threads, reminders, a restart, and the change to summer time."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.settings import Settings
from bot.wiring import Application, build
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Bot, Message, Stage
from tests.fakes.clock import FrozenClock

_PLAN = "3 weeks from 8 March, Sundays 19:00 Europe/Berlin"
_DATES = [datetime(2027, 3, day, hour, tzinfo=UTC) for day, hour in ((14, 18), (21, 18), (28, 17))]
"""The clocks go forward in the night before the last one."""


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2027, 3, 6, 10, tzinfo=UTC))


@pytest_asyncio.fixture
async def house(own_home: Path, clock: FrozenClock) -> AsyncIterator[Application]:
    application = build(Settings(thusfar_home=own_home), clock=clock)
    try:
        yield application
    finally:
        await application.close()


class Club:
    """The members' actions, each until its reply is there."""

    def __init__(self, stage: Stage, house: Application, clock: FrozenClock) -> None:
        self.stage = stage
        self.house = house
        self.clock = clock

    async def use(self, words: str, text: str = "", *, by: Any = None) -> Message:
        used = self.stage.use(words, text, by=by or self.stage.club.organiser)
        return (await self.stage.wait_for(lambda: [one for one in used.messages if one.content]))[-1]

    async def posted(self, beginning: str) -> Message:
        def found() -> list[Message]:
            return [one for one in self.stage.public() if beginning in one.content]

        return (await self.stage.wait_for(found))[-1]

    async def reminded(self, when: datetime, bot: Bot) -> int:
        """Advance the clock to just after a time; return the number of reminders posted by then."""
        self.clock.advance(max(when - self.clock.now(), timedelta()))
        for _ in range(2):
            await self.house.clubs().times.due.run_due(bot.served)
            self.clock.advance(timedelta(seconds=30))
        return sum("It's time for" in one.content for one in self.stage.public())

    async def begun(self) -> Message:
        """Keep the schedule, with reminders, and return the thread of its first section."""
        organiser = self.stage.club.organiser
        self.stage.press(".schedule", await self.use("schedule make", _PLAN), by=organiser)
        await self.posted("What we read by when")
        await self.use("schedule remind", "on")
        self.stage.use("section open", "1", by=organiser)
        first = await self.posted("Please talk here only about pages up to 1")
        if self.stage.name == "discord":
            return first.channel
        return next(one for one in self.stage.public() if one.ts == first.thread_ts)

    async def dates(self) -> list[datetime]:
        """When reminders are due."""
        waiting = await self.house.clubs().times.timers.waiting(thread=self.stage.place(), kind="section")
        return [timer.due for timer in waiting]


async def test_a_club_reads_by_sections_through_a_restart(
    stage: Stage, read_book: ReadBook, house: Application, clock: FrozenClock
) -> None:
    await read_book(page="0")
    club, ada, ben, organiser = Club(stage, house, clock), stage.club.ada, stage.club.ben, stage.club.organiser
    async with stage.running() as bot:
        assert await club.dates() == []
        thread = await club.begun()
        assert await club.dates() == _DATES
        await club.use("later", "Who breaks the window?", by=ada)
        assert await club.reminded(_DATES[0], bot) == 1
        reminder = await club.posted("It's time for")
        own = stage.press(".i-read", reminder, by=ben)
        await stage.wait_for(
            lambda: [one for one in [*own.messages, *stage.told(ben)] if "Only you see" in one.content]
        )
        stage.press(".all-read", reminder, by=organiser)
        await club.posted("club's page")
        await bot.settled()
        await house.clubs().times.due.run_due(bot.served)
        assert _came_back(stage, ada) == 1
    # The process ends. The second date passes while the bot is down, by less than twelve hours: one reminder.
    clock.advance(_DATES[1] + timedelta(hours=11) - clock.now())
    async with stage.settling() as bot:
        assert await club.reminded(clock.now(), bot) == 2
        stage.press(".all-read", await club.posted("time for **section 2**"), by=organiser)
        await club.posted("from p. 1 to p. 2")
        await bot.settled()
        await house.clubs().times.due.run_due(bot.served)
        assert _came_back(stage, ada) == 2
        assert await stage.page_of(house, thread) == 1
        assert await club.reminded(_DATES[2], bot) == 3
        assert "(next)" not in (await club.use("schedule show", by=stage.newcomer("Dora"))).content
    assert await club.dates() == []


def _came_back(stage: Stage, person: Any) -> int:
    """Return how often a saved question came back to its member."""
    return sum(one.content.startswith("You asked before the first page") for one in stage.told(person))
