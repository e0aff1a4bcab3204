"""Shows on Discord that an answer is being written."""

from contextlib import AbstractAsyncContextManager
from typing import Final

import discord

from adapters.platform.showing import shown_meanwhile

_AGAIN_S: Final = 8.0


def typing(channel: discord.abc.Messageable) -> AbstractAsyncContextManager[None]:
    """Show it while the block runs."""

    async def show() -> None:
        await channel.typing()

    return shown_meanwhile(show, every=_AGAIN_S)
