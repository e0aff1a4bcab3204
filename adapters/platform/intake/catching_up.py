"""Looks for what was missed until nothing of it is out of reach; both platforms' clients let it run."""

import asyncio
from collections.abc import Callable
from typing import Final

from adapters.platform.intake.intake import Intake
from adapters.platform.intake.items import Fetch, MessageT
from core.domain.pauses import doubling

_LONGEST_PAUSE_S: Final = 900.0


async def keep_catching_up(
    intake: Intake[MessageT], fetch: Fetch[MessageT], *, later: float, looked: Callable[[], object]
) -> None:
    """Fetch what was missed, again after `later` seconds, and later and later, where some of it is out of reach.

    `looked` is called after each look, whatever came of it.
    """
    for pause in doubling(later, longest=_LONGEST_PAUSE_S):
        has_all = await intake.catch_up(fetch)
        looked()
        if has_all:
            return
        await asyncio.sleep(pause)
