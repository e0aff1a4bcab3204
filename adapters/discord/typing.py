"""Shows that an answer is being written: until it is there, and never after."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
import discord

_log = logging.getLogger(__name__)

_AGAIN_S: Final = 8.0
_LAST_CALL_S: Final = 0.5


@asynccontextmanager
async def typing(channel: discord.abc.Messageable) -> AsyncIterator[None]:
    """Show it while the block runs; neither its speed nor its failure touches the block."""
    stop = asyncio.Event()
    task = asyncio.create_task(_keep_typing(channel, stop))
    try:
        yield
    finally:
        stop.set()
        # A call that is under way is waited for: cut off, it could still reach Discord after the answer.
        await asyncio.wait([task], timeout=_LAST_CALL_S)
        task.cancel()


async def _keep_typing(channel: discord.abc.Messageable, stop: asyncio.Event) -> None:
    try:
        while not stop.is_set():
            await channel.typing()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _AGAIN_S)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        _log.debug("Typing cannot be shown: %s", error)
