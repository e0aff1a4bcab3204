"""Ornaments go out at a pace, so that answers have the platform's calls for themselves."""

import time

from adapters.platform.services import CosmeticRateLimit


async def test_so_many_go_out_at_once_and_then_one_after_the_other() -> None:
    rate = CosmeticRateLimit(a_second=50, at_once=2)
    began = time.monotonic()
    await rate.turn()
    await rate.turn()
    for _ in range(5):
        await rate.turn()
    assert time.monotonic() - began >= 5 / 50


def test_who_does_not_want_to_wait_takes_one_or_none() -> None:
    rate = CosmeticRateLimit(a_second=1e-6, at_once=2)
    assert [rate.take() for _ in range(4)] == [True, True, False, False]
