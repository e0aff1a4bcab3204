"""Shows on Discord that an answer is being written."""

from contextlib import AbstractAsyncContextManager
from typing import Final

import discord

from adapters.platform.typing_indicator import shown_while

_AGAIN_S: Final = 8.0


def typing(channel: discord.abc.Messageable) -> AbstractAsyncContextManager[None]:
    """Show it while the block runs."""

    async def show() -> None:
        await channel.typing()

    return shown_while(show, every=_AGAIN_S)
