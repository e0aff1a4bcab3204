"""Cosmetic calls are rate-limited, so that answers come first."""

import time

from adapters.platform.services import CosmeticRateLimit


async def test_a_burst_goes_out_at_once_and_the_rest_one_by_one() -> None:
    rate = CosmeticRateLimit(a_second=50, at_once=2)
    began = time.monotonic()
    await rate.turn()
    await rate.turn()
    for _ in range(5):
        await rate.turn()
    assert time.monotonic() - began >= 5 / 50


def test_without_waiting_there_is_one_or_none() -> None:
    rate = CosmeticRateLimit(a_second=1e-6, at_once=2)
    assert [rate.take() for _ in range(4)] == [True, True, False, False]
