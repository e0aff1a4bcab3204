"""What the one who used a command or a button is told: that we heard it, then its answer, for their eyes alone."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord

from adapters.discord.posting import OUT_OF_REACH, rendered, retried
from adapters.discord.translate import is_allowed, is_organiser, member_of, thread_of
from adapters.platform import replies
from core.app.commands.values import CommandRequest
from core.domain.errors import NotPermittedError

if TYPE_CHECKING:
    from adapters.discord.client import ThusfarClient

    Interaction = discord.Interaction[ThusfarClient]

_log = logging.getLogger(__name__)

_OF_THE_WHOLE_SERVER: Final = frozenset({"book remove", ".remove"})
"""What these do, they do to every channel."""
ALREADY_HEARD: Final = 40_060
_ONE_ATTEMPT_S: Final = 1.5
NOT_REACHED: Final = (discord.HTTPException, *OUT_OF_REACH)


async def acknowledge(used: "Interaction", *, beside: bool = False) -> bool:
    """Say that we heard, within Discord's three seconds; False where it was too late, and nothing may be done.

    What is answered afterwards takes the place of a private `thinking`, or stands `beside` the pressed button.
    """
    for attempt in range(2):
        try:
            async with asyncio.timeout(_ONE_ATTEMPT_S):
                await (used.response.defer() if beside else used.response.defer(ephemeral=True, thinking=True))
        except discord.HTTPException as error:
            # A connection that broke may have carried the first attempt all the same.
            if attempt and error.code == ALREADY_HEARD:
                return True
            _log.warning("Interaction %s could not be acknowledged: %s", used.id, error)
            return False
        except (aiohttp.ClientError, OSError) as error:
            _log.info("Interaction %s: the connection broke (%s).", used.id, type(error).__name__)
        else:
            return True
    return False


async def undertake(used: "Interaction", act: Callable[[], Awaitable[object]], *, beside: bool = False) -> None:
    """Acknowledge what was used and do it, so that a stop waits for it; what comes after that is told to come again."""
    running_tasks = used.client.running_tasks
    async with running_tasks.noted():
        if await acknowledge(used, beside=beside):
            await running_tasks.run(act, refuse=lambda sentence: tell(used, sentence))


def request_of(used: "Interaction", text: str = "", *, words: str = "") -> CommandRequest:
    """Return what was used as core's request.

    Raises:
        NotPermittedError: the operator does not let the bot speak there.
    """
    options = used.client.options
    channel = used.channel
    if channel is None or not is_allowed(channel, options):
        raise NotPermittedError("I am not set up to speak in this channel.")
    return CommandRequest(
        thread=thread_of(channel, used.user),
        member=member_of(used.user),
        is_organiser=is_organiser(used.user, options, everywhere=words in _OF_THE_WHOLE_SERVER),
        text=text,
    )


async def tell(used: "Interaction", text: str, *, view: discord.ui.View | None = None) -> bool:
    """Show a text to the asker alone, the view under its last part; False where Discord did not take it."""
    parts = rendered(text)
    for number, part in enumerate(parts):
        more: dict[str, Any] = {"view": view} if view is not None and number == len(parts) - 1 else {}
        send = partial(
            used.followup.send,
            part,
            ephemeral=True,
            suppress_embeds=True,
            allowed_mentions=discord.AllowedMentions.none(),
            wait=True,
            **more,
        )
        try:
            await retried(send, used.client.retry)
        except NOT_REACHED as error:
            _log.warning("Interaction %s could not be answered: %s", used.id, error)
            return False
    return True


async def tell_nothing(used: "Interaction") -> None:
    """Take the private `thinking` away: all there is to say stands in the channel."""
    try:
        await retried(used.delete_original_response, used.client.retry)
    except NOT_REACHED as error:
        _log.info("Interaction %s goes on thinking: %s", used.id, error)


def public_line(used: "Interaction", line: str) -> str:
    """Return a line that all can read, with the member's name in it as plain text."""
    return replies.public_line(line, used.user.display_name, discord.utils.escape_markdown)


def sentence_for(used: "Interaction", error: Exception) -> str:
    """Return the one sentence that a member sees; the causes that are not theirs go to the log."""
    return replies.sentence_for(f"interaction {used.id}", error)
