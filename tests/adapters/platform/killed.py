"""The end of a process while a command, a button or a menu's entry is under way: what is good after it."""

import asyncio
from collections.abc import Callable
from typing import Any

from adapters.platform.services import PlatformServices
from core.domain.inbound import InboundEvent
from tests.adapters.platform.stages import Stage
from tests.adapters.watching import WatchedCommands, watched
from tests.patience import PATIENCE_S


async def left_behind(stage: Stage, services: PlatformServices) -> list[InboundEvent]:
    """What was used and is not done yet."""
    return await services.inbox.unfinished(f"{stage.name}/used")


async def began(commands: WatchedCommands) -> None:
    """Wait until a command is at work."""
    async with asyncio.timeout(PATIENCE_S):
        await commands.began.wait()


async def killed_over(stage: Stage, services: PlatformServices, words: str, use: Callable[[], Any]) -> Any:
    """Use what is stored as these words, and end the process before anything came of it; returns what was used."""
    slow, commands = watched(services)
    commands.open.clear()
    async with stage.running(slow) as bot:
        used = use()
        await began(commands)
        (event,) = await left_behind(stage, services)
        assert event.payload["words"] == words
        await bot.kill()
    return used
