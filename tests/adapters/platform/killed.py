"""A process that ends during a command, a button press or a menu action, and the state after it."""

import asyncio
from collections.abc import Callable
from typing import Any

from adapters.platform.services import PlatformServices
from core.domain.inbound import InboundEvent
from tests.adapters.platform.stages import Stage
from tests.adapters.watching import WatchedCommands, watched
from tests.patience import PATIENCE_S


async def left_behind(stage: Stage, services: PlatformServices) -> list[InboundEvent]:
    """Return the command events that are not done yet."""
    return await services.inbox.unfinished(f"{stage.name}/used")


async def began(commands: WatchedCommands) -> None:
    """Wait until a command is at work."""
    async with asyncio.timeout(PATIENCE_S):
        await commands.began.wait()


async def killed_over(stage: Stage, services: PlatformServices, words: str, use: Callable[[], Any]) -> Any:
    """Use a command that is stored as `words`, and end the process before it does anything; return the interaction."""
    slow, commands = watched(services)
    commands.open.clear()
    async with stage.running(slow) as bot:
        used = use()
        await began(commands)
        (event,) = await left_behind(stage, services)
        assert event.payload["words"] == words
        await bot.kill()
    return used
