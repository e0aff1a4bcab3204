"""Posts texts: cut to Discord's length, pinging nobody, with nonces, so that a part that is sent again stays one."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Final, TypeVar

import aiohttp
import discord

from adapters.platform import retry as platform_retry
from adapters.platform.retry import RetryPolicy
from core.text.split import split_message

MESSAGE_LIMIT: Final = 2_000
_LONGEST_NONCE: Final = 25
_CANNOT_REPLY: Final = 160_002

_ONLY_THE_ASKER: Final = discord.AllowedMentions(everyone=False, users=False, roles=False, replied_user=True)

Result = TypeVar("Result")

_TOO_MANY: Final = 429
_UNAUTHORIZED: Final = 401
_TOKEN_OF_INTERACTION: Final = 50_027
_LONGEST_LINE: Final = 200


class TooOftenError(Exception):
    """Discord, or what stands in front of it, did not do it and wants some time to pass.

    discord.py waits out some of these by itself, but not those of Cloudflare, which come without `Via`.
    """


class TokenRefusedError(Exception):
    """The bot's token is not taken any more: nothing can be done until there is another one."""


LOST: Final = (aiohttp.ClientError, OSError, discord.DiscordServerError, TooOftenError)
OUT_OF_REACH: Final = (*LOST, TokenRefusedError)


async def retried(call: Callable[[], Awaitable[Result]], retry: RetryPolicy) -> Result:
    """Try a call again where the connection broke, Discord itself failed or had too much; discord.py does so in part.

    The call must be one that may be made twice: a post with its nonce, a thread at a message.
    """

    async def once() -> Result:
        try:
            return await call()
        except discord.HTTPException as error:
            if error.status == _TOO_MANY:
                # What asks again sooner is kept out for longer; one call's own bound holds for this too.
                await asyncio.sleep(_asked_to_wait(error))
                raise TooOftenError(in_short(error)) from error
            if error.status == _UNAUTHORIZED and error.code != _TOKEN_OF_INTERACTION:
                raise TokenRefusedError(in_short(error)) from error
            raise

    return await platform_retry.retried(once, retry, platform="Discord", where=LOST)


def in_short(error: Exception) -> str:
    """Return an error in one line: what stands in front of Discord answers with whole pages."""
    return " ".join(str(error).split())[:_LONGEST_LINE] or type(error).__name__


def _asked_to_wait(error: discord.HTTPException) -> float:
    try:
        return float(error.response.headers.get("Retry-After", 0))
    except ValueError:
        return 0.0


async def send_parts(  # noqa: PLR0913 (by name, all but two)
    channel: discord.abc.Messageable,
    text: str,
    *,
    ref: str,
    footer: str = "",
    reply_to: discord.PartialMessage | discord.Message | None = None,
    view: discord.ui.View | None = None,
    already: Collection[str] = (),
    retry: RetryPolicy = RetryPolicy(),  # noqa: B008 (frozen)
) -> list[discord.Message]:
    """Post a text in as many messages as it needs; the footer and the view are the last one's.

    `ref` names what is posted for good: the same again, within the few minutes that Discord remembers a nonce, stays
    one message. `already` is what stands there from before that, and is not posted again.
    """
    parts = rendered(text, footer)
    posted = []
    for number, part in enumerate(parts):
        if part in already:
            continue
        arguments: dict[str, Any] = {"nonce": nonce(ref, number), "suppress_embeds": True}
        if number == 0 and reply_to is not None:
            arguments["reference"] = reply_to.to_reference(fail_if_not_exists=False)
            arguments["allowed_mentions"] = _ONLY_THE_ASKER
        if number == len(parts) - 1 and view is not None:
            arguments["view"] = view
        posted.append(await _post(channel, part, arguments, retry))
    return posted


def rendered(text: str, footer: str = "") -> list[str]:
    """Return a text as Discord's messages; a mention in it is shown as it is written, and names nobody."""
    ending = f"\n-# ({footer})" if footer else ""
    parts = split_message(discord.utils.escape_mentions(text), limit=MESSAGE_LIMIT - len(ending))
    if parts:
        parts[-1] += ending
    return parts


def nonce(ref: str, number: int) -> str:
    """Return what Discord tells a repeated part by."""
    return hashlib.sha256(f"{ref}/{number}".encode()).hexdigest()[:_LONGEST_NONCE]


async def _post(
    channel: discord.abc.Messageable, part: str, arguments: Mapping[str, Any], retry: RetryPolicy
) -> discord.Message:
    try:
        return await retried(lambda: channel.send(part, **arguments), retry)
    except discord.HTTPException as error:
        if error.code != _CANNOT_REPLY:
            raise
        bare = {name: value for name, value in arguments.items() if name not in ("reference", "allowed_mentions")}
        return await retried(lambda: channel.send(part, **bare), retry)
