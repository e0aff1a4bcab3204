"""A call to a platform is made only while what it is made for is still this process's."""

import asyncio

import pytest

from adapters.platform.retry import has_lease, retried
from adapters.platform.surface import OutOfReachError
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
