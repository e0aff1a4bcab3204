"""Files for one member's eyes on Discord: beside what they used, or in a direct message."""

import io
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import discord

from adapters.discord.calls import ask
from adapters.discord.render import rendered, view_of
from adapters.platform.retry import RetryPolicy
from core.app.commands.values import Choice, HandedFile

Send = Callable[..., Awaitable[discord.Message]]
"""Sends a text with what else a message has."""


async def send_files(
    send: Send,
    text: str,
    files: Sequence[HandedFile],
    choices: Sequence[Choice],
    *,
    about: int | None,
    retry: RetryPolicy,
) -> None:
    """Send files with a text; its last part has them, and the buttons.

    Raises:
        OutOfReachError: Discord cannot be reached.
        RefusedError: it takes none.
    """
    *before, last = rendered(text)
    for part in before:
        await ask(partial(send, part), retry)
    view = view_of(choices, about=about)
    more: dict[str, Any] = {} if view is None else {"view": view}

    async def once() -> discord.Message:
        # What was read once is empty the next time.
        attached = [discord.File(io.BytesIO(file.data), filename=file.name) for file in files]
        return await send(last, files=attached, **more)

    await ask(once, retry)
