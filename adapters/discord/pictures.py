"""Pictures beside Discord's messages: attached with their description, and left out where Discord takes none."""

import logging
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import TypeVar

import discord

from adapters.discord.calls import ask
from adapters.discord.translate import Talk
from adapters.platform.retry import RetryPolicy
from adapters.platform.surface import GoneError, Picture, RefusedError

_log = logging.getLogger(__name__)

Sent = TypeVar("Sent")


def may_attach(channel: Talk) -> bool:
    """Whether the bot may attach files in a channel, as far as is known without asking."""
    guild = channel.guild
    if guild is None or isinstance(channel, discord.PartialMessageable):
        return True
    try:
        return channel.permissions_for(guild.me).attach_files
    except discord.ClientException:
        return True


async def sent(send: Callable[..., Awaitable[Sent]], picture: Picture | None, policy: RetryPolicy) -> Sent:
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


def _attached(picture: Picture) -> discord.File:
    """Return a file that is sent once: each attempt needs its own."""
    return discord.File(BytesIO(picture.png), filename=picture.name, description=picture.description)
