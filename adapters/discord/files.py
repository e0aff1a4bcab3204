"""Files attached to Discord messages: pictures with a description, and files for one member."""

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
"""A discord.py method that sends a message, with files and buttons."""


def may_attach(channel: Talk) -> bool:
    """Whether the bot may attach files in a channel, as far as is known without a call."""
    rights = own_rights_in(channel)
    return rights is None or rights.attach_files


async def sent(send: Send[Sent], picture: Picture | None, policy: RetryPolicy) -> Sent:
    """Send a message by a repeatable call, with the picture if Discord accepts it.

    Raises:
        OutOfReachError: Discord did not answer.
        RefusedError: Discord refused the message without the picture too.
    """
    if picture is not None:
        try:
            return await ask(lambda: send(file=_attached(picture)), policy)
        except GoneError:
            raise
        except RefusedError as error:
            _log.info("A picture was refused, so only the text is shown: %s", error)
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
    """Send files with a text; files and buttons go with its last part.

    Raises:
        OutOfReachError: Discord can't be reached.
        RefusedError: Discord refuses the files.
    """
    *before, last = rendered(text)
    for part in before:
        await ask(partial(send, part), retry)
    view = view_of(choices, about=about)

    async def once() -> discord.Message:
        # Each attempt needs new File objects: a file that was read is empty.
        attached = [discord.File(BytesIO(file.data), filename=file.name) for file in files]
        return await send(last, files=attached, **({} if view is None else {"view": view}))

    await ask(once, retry)


def _attached(picture: Picture) -> discord.File:
    """Return a new File for one attempt."""
    return discord.File(BytesIO(picture.png), filename=picture.name, description=picture.description)
