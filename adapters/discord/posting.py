"""Posts texts: cut to Discord's length, pinging nobody, with nonces, so that a part that is sent again stays one."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import aiohttp
import discord

from core.text.split import split_message

_log = logging.getLogger(__name__)

MESSAGE_LIMIT: Final = 2_000
_LONGEST_NONCE: Final = 25
_CANNOT_REPLY: Final = 160_002

_ONLY_THE_ASKER: Final = discord.AllowedMentions(everyone=False, users=False, roles=False, replied_user=True)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a call to Discord is tried again: pauses that double, in seconds; then the whole message, `later`."""

    first: float = 0.5
    longest: float = 8.0
    one_call: float = 30.0
    total: float = 120.0
    later: float = 60.0


async def patiently(call: Callable[[], Awaitable[Result]], patience: Patience) -> Result:
    """Try a call again where the connection broke or Discord itself failed; discord.py does so only in part.

    The call must be one that may be made twice: a post with its nonce, a thread at a message.
    """
    loop = asyncio.get_running_loop()
    until, pause = loop.time() + patience.total, patience.first
    while True:
        try:
            async with asyncio.timeout(patience.one_call):
                return await call()
        except (aiohttp.ClientError, OSError, discord.DiscordServerError) as error:
            if loop.time() + pause > until:
                raise
            _log.info("Discord cannot be reached (%s); once more in %.1f s.", type(error).__name__, pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, patience.longest)


async def send_parts(  # noqa: PLR0913 (by name, all but two)
    channel: discord.abc.Messageable,
    text: str,
    *,
    ref: str,
    footer: str = "",
    reply_to: discord.PartialMessage | discord.Message | None = None,
    view: discord.ui.View | None = None,
    already: Collection[str] = (),
    patience: Patience = Patience(),
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
        posted.append(await _post(channel, part, arguments, patience))
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
    channel: discord.abc.Messageable, part: str, arguments: Mapping[str, Any], patience: Patience
) -> discord.Message:
    try:
        return await patiently(lambda: channel.send(part, **arguments), patience)
    except discord.HTTPException as error:
        if error.code != _CANNOT_REPLY:
            raise
        bare = {name: value for name, value in arguments.items() if name not in ("reference", "allowed_mentions")}
        return await patiently(lambda: channel.send(part, **bare), patience)
