"""Calls to a platform are made only while this process holds the lease."""

import asyncio

import aiohttp
import pytest

from adapters.platform.retry import has_lease, retried
from adapters.platform.surface import OutOfReachError
from adapters.slack.calls import SlackCalls
from core.domain.errors import StorageError
from tests.adapters.platforms import QUICK


async def test_no_call_is_made_or_tried_again_when_the_lease_has_run_out() -> None:
    made: list[str] = []

    async def post() -> str:
        made.append("posted")
        raise OutOfReachError("It is out of reach.")

    async def work() -> None:
        has_lease.set(lambda: len(made) < 2)
        for _ in range(2):
            with pytest.raises(StorageError, match="lease"):
                await retried(post, QUICK)

    await asyncio.create_task(work())
    assert made == ["posted", "posted"]
    assert has_lease.get()()


async def test_slack_is_not_called_when_the_lease_ran_out_while_a_post_waited_for_its_turn() -> None:
    made: list[str] = []

    async def post() -> None:
        made.append("posted")

    async with aiohttp.ClientSession() as session:
        calls = SlackCalls("xoxb-1", session=session, api_base=None, retry=QUICK)

        async def work() -> None:
            has_lease.set(lambda: False)
            with pytest.raises(StorageError, match="lease"):
                await calls.at_once(post)  # type: ignore[arg-type]

        await asyncio.create_task(work())
    assert made == []
