"""Schedules on Discord and Slack: proposed in private, saved for everyone, section threads, one reminder per date."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.settings import Settings
from bot.wiring import Application, build
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage
from tests.fakes.clock import FrozenClock

_LINE = "2 weeks Sundays 19:00 Europe/Berlin"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime.now(UTC))


@pytest_asyncio.fixture
async def house(own_home: Path, clock: FrozenClock) -> AsyncIterator[Application]:
    application = build(Settings(thusfar_home=own_home), clock=clock)
    try:
        yield application
    finally:
        await application.close()


async def _used(stage: Stage, words: str, text: str = "", *, by: Any = None) -> str:
    """Use a command as an organiser; return the private reply."""
    used = stage.use(words, text, by=by or stage.club.organiser)
    return str((await _shown(stage, used)).content)


async def _shown(stage: Stage, used: Any) -> Message:
    return (await stage.wait_for(lambda: [one for one in used.messages if one.content]))[-1]


async def _keep(stage: Stage) -> None:
    organiser = stage.club.organiser
    proposed = await _shown(stage, stage.use("schedule make", _LINE, by=organiser))
    assert stage.labels(proposed) == ["Keep"]
    assert stage.public() == []
    stage.press(".schedule", proposed, by=organiser)
    await stage.wait_for(stage.public)


async def test_it_is_proposed_to_the_organiser_and_saved_for_everyone(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running() as bot:
        await _keep(stage)
        await bot.settled()
        (kept,) = stage.public()
        assert "What we read by when" in kept.content
        assert kept.content.count("<t:" if stage.name == "discord" else "<!date^") == 2
        seen = await _used(stage, "schedule show", by=stage.club.ada)
        assert ("(**next**)" if stage.name == "discord" else "(*next*)") in seen
        assert "for organisers" in await _used(stage, "schedule off", by=stage.club.ada)


async def test_a_sections_thread_keeps_its_page_and_asks_which_is_meant(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book(page="1")
    async with stage.running() as bot:
        await _keep(stage)
        stage.use("section open", "1", by=stage.club.organiser)
        await stage.wait_for(lambda: len(stage.public()) == 3)
        await bot.settled()
        starter, first = stage.public()[-2:]
        assert "for anyone who has read to p. 2" in starter.content
        assert first.content.startswith("Please talk here only about pages up to 2.")
        thread = starter.thread if stage.name == "discord" else starter
        assert await stage.page_of(house, thread) == 2
        assert await stage.page_of(house) == 1
        stage.say(thread, "setpage 3", by=stage.club.ada, mention=True)
        asked = (await stage.wait_for(lambda: stage.told(stage.club.ada)))[-1]
        assert asked.content == "This thread stays at p. 2, the end of section 1. Which page do you mean?"
        assert stage.labels(asked) == ["The club's page", "This thread's page"]
        await bot.settled()
        assert await stage.page_of(house, thread) == 2


async def _remind(stage: Stage, house: Application, clock: FrozenClock, how: str = "on") -> None:
    """Advance the clock to the first section's date."""
    await _keep(stage)
    assert (await _used(stage, "schedule remind", how)).startswith("Reminders are on")
    due = (await house.clubs().times.timers.waiting(thread=stage.place(), kind="section"))[0].due
    clock.advance(due - clock.now())


async def test_a_reminder_comes_once_and_moves_a_page_only_by_its_buttons(
    stage: Stage, read_book: ReadBook, house: Application, clock: FrozenClock
) -> None:
    await read_book(page="1")
    async with stage.running() as bot:
        await _remind(stage, house, clock)
        before = len(stage.public())
        for _ in range(2):
            await house.clubs().times.due.run_due(bot.served)
        (reminder,) = stage.public()[before:]
        assert reminder.pings == set()
        assert stage.labels(reminder) == ["All read to p. 2", "I have read to p. 2"]
        assert await stage.page_of(house) == 1
        used = stage.press(".i-read", reminder, by=stage.club.ada)
        own = await stage.wait_for(lambda: [*used.messages, *stage.told(stage.club.ada)])
        assert own[-1].content == "Your own page is set: up to p. 2. Only you see this."
        stage.press(".all-read", reminder, by=stage.club.organiser)
        moved = await stage.wait_for(lambda: stage.public()[before + 1 :])
        await bot.settled()
        assert "moved the club's page from p. 1 to p. 2" in moved[0].content
        assert await stage.page_of(house) == 2


async def test_a_reminder_missed_for_too_long_is_reported_to_the_organiser_in_private(
    stage: Stage, read_book: ReadBook, house: Application, clock: FrozenClock
) -> None:
    await read_book(page="1")
    async with stage.running() as bot:
        await _remind(stage, house, clock)
        before, told_before = len(stage.public()), len(stage.told(stage.club.organiser))
        clock.advance(timedelta(hours=12, minutes=1))
        for _ in range(2):
            await house.clubs().times.due.run_due(bot.served)
        (missed,) = stage.told(stage.club.organiser)[told_before:]
        assert missed.content.startswith("I was away when section 1 was due")
        assert len(stage.public()) == before
