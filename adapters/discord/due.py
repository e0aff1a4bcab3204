"""What falls due, posted on Discord: in a channel or thread, or to one member; once, also where it is tried again."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import discord

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.listening import PLATFORM, Talk, is_allowed
from adapters.discord.render import NOBODY, nonce, rendered, view_of
from adapters.platform.due import sending
from adapters.platform.surface import NoRightError, RefusedError
from core.club.timers.due import DueMessage
from core.domain.scopes import is_direct

SCOPES: Final = (f"{PLATFORM}:",)
_LOOKED_BACK: Final = 100
_CLOCKS_DIFFER: Final = timedelta(minutes=5)


async def send_due(bot: Bot, message: DueMessage, *, ref: str, since: datetime | None) -> None:
    """Post a message; with `since` it is looked for first: a nonce is forgotten after a few minutes, this is not.

    Raises:
        NotSentError: it could not be posted.
    """
    async with sending():
        channel = await _where(bot, message)
        standing = await _standing(bot, channel, since) if since is not None else set()
        about = int(message.thread.thread or message.thread.place) if message.member_id else None
        view = view_of(await bot.seal.of(message.choices, message.thread, message.member_id), about=about)
        parts = rendered(message.text)
        for number, part in enumerate(parts):
            arguments: dict[str, Any] = {"nonce": nonce(ref, number), "suppress_embeds": True}
            text, arguments["allowed_mentions"] = part, NOBODY
            if message.role and number == 0:
                called, text = discord.Object(int(message.role)), _called(message, part)
                arguments["allowed_mentions"] = discord.AllowedMentions(
                    everyone=False, users=False, replied_user=False, roles=[called]
                )
            if view is not None and number == len(parts) - 1:
                arguments["view"] = view
            if text not in standing:
                await ask(partial(channel.send, text, **arguments), bot.retry)


async def stands(bot: Bot, message: DueMessage, *, since: datetime) -> bool:
    """Return whether a message was posted since then. Raises NotSentError."""
    async with sending():
        standing = await _standing(bot, await _where(bot, message), since)
        return _called(message, rendered(message.text)[0]) in standing


def _called(message: DueMessage, part: str) -> str:
    """Return the first part of a message with the role that it calls, if any."""
    return f"<@&{message.role}> {part}" if message.role else part


async def _where(bot: Bot, message: DueMessage) -> Talk:
    """Return where a message belongs. Raises RefusedError."""
    scope, member_id = message.thread.scope, message.member_id
    if member_id or is_direct(scope):
        user = discord.Object(int((member_id or scope).rpartition(":")[2]))
        return await ask(lambda: bot.client.create_dm(user), bot.retry)
    channel = await bot.channel(int(message.thread.thread or message.thread.place))
    if not is_allowed(channel, bot.options):
        raise RefusedError("the bot is not set up to speak there")
    return channel


async def _standing(bot: Bot, channel: Talk, since: datetime) -> set[str]:
    """Return what the bot has posted in a channel since then."""

    async def look() -> set[str]:
        history = channel.history(limit=_LOOKED_BACK, after=since - _CLOCKS_DIFFER, oldest_first=True)
        return {message.content async for message in history if message.author.id == bot.own_id}

    try:
        return await ask(look, bot.retry)
    except NoRightError:
        return set()
