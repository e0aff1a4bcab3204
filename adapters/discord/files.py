"""Files beside Discord's messages: pictures with their description, where Discord takes them; files for one member."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from io import BytesIO
from typing import TypeVar

import discord

from adapters.discord.calls import ask
from adapters.discord.listening import Talk, own_rights_in
from adapters.discord.render import rendered, view_of
from adapters.platform.retry import RetryPolicy
from adapters.platform.surface import GoneError, Picture, RefusedError
from core.club.commands.values import Choice, HandedFile

_log = logging.getLogger(__name__)

Sent = TypeVar("Sent")


Send = Callable[..., Awaitable[Sent]]
"""Sends a message, as those of discord.py do: with files and, under it, buttons."""


def may_attach(channel: Talk) -> bool:
    """Whether the bot may attach files in a channel, as far as is known without asking."""
    rights = own_rights_in(channel)
    return rights is None or rights.attach_files


async def sent(send: Send[Sent], picture: Picture | None, policy: RetryPolicy) -> Sent:
    """Send a message by a call that may be made twice, with a picture where Discord takes that.

    Raises:
        OutOfReachError: Discord did not answer.
        RefusedError: it does not take the message without a picture either.
    """
    if picture is not None:
        try:
            return await ask(lambda: send(file=_attached(picture)), policy)
        except GoneError:
            raise
        except RefusedError as error:
            _log.info("A picture was not taken, so the text stands alone: %s", error)
    return await ask(send, policy)


async def send_files(
    send: Send[discord.Message],
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

    async def once() -> discord.Message:
        # What was read once is empty the next time.
        attached = [discord.File(BytesIO(file.data), filename=file.name) for file in files]
        return await send(last, files=attached, **({} if view is None else {"view": view}))

    await ask(once, retry)


def _attached(picture: Picture) -> discord.File:
    """Return a file that is sent once: each attempt needs its own."""
    return discord.File(BytesIO(picture.png), filename=picture.name, description=picture.description)
