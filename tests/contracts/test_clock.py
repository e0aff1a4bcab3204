"""What every Clock does."""

import asyncio
from datetime import UTC, timedelta

import pytest

from bot.system_clock import SystemClock
from core.ports.clock import Clock
from tests.fakes.clock import FrozenClock


@pytest.mark.parametrize("clock", [FrozenClock(), SystemClock()], ids=["frozen", "system"])
def test_the_time_has_its_zone_and_never_goes_back(clock: Clock) -> None:
    times = [clock.now() for _ in range(3)]
    assert [time.utcoffset() for time in times] == [timedelta(0)] * 3
    assert times == sorted(times)
    assert times[0].tzinfo is UTC


@pytest.mark.parametrize("clock", [FrozenClock(), SystemClock()], ids=["frozen", "system"])
async def test_it_can_be_waited_for(clock: Clock) -> None:
    before = clock.elapsed()
    waiting = asyncio.create_task(clock.passed(0.01))
    if isinstance(clock, FrozenClock):
        await clock.is_waited_for()
        clock.advance(timedelta(seconds=0.005))
        assert not waiting.done()
        clock.advance(timedelta(seconds=0.01))
    await waiting
    assert clock.elapsed() - before >= 0.009
