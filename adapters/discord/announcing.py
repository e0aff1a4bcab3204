"""What the bot says unasked: what falls due, in a channel or thread or to one member; and hello to a server."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord
from typing_extensions import override

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.listening import PLATFORM, Talk, is_allowed, own_rights_in
from adapters.discord.render import NOBODY, nonce, rendered, sendable, view_of
from adapters.platform.due import sending
from adapters.platform.surface import OutOfReachError, RefusedError
from core.catalogue.sentences import say
from core.club.timers.due import DueMessage, ServedPlatform
from core.domain.messages import WELCOME
from core.domain.scopes import is_direct

_log = logging.getLogger(__name__)

_SCOPES: Final = (f"{PLATFORM}:",)
_LOOKED_BACK: Final = 100
_CLOCKS_DIFFER: Final = timedelta(minutes=5)


class DueOnDiscord(ServedPlatform):
    """Posts what falls due, once, also where it is tried again; `is_open` says whether anything may be begun."""

    def __init__(self, bot: Bot, is_open: Callable[[], bool]) -> None:
        self._bot = bot
        self._is_open = is_open

    @override
    def timer_scopes(self) -> Sequence[str]:
        return _SCOPES if self._is_open() else ()

    @override
    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        """Post a message; with `since` it is looked for first: a nonce is forgotten after a few minutes, this is not.

        Raises:
            NotSentError: it could not be posted.
        """
        bot = self._bot
        async with sending():
            channel = await self._where(message)
            standing = await self._standing(channel, since) if since is not None else set()
            about = int(message.thread.thread or message.thread.place) if message.member_id else None
            view = view_of(await bot.seal.of(message.choices, message.thread, message.member_id), about=about)
            called = _called(message)
            for part, arguments, _ in sendable(rendered(message.text), ref=ref, view=view):
                text, mentions = f"{called}{part}", NOBODY
                if called:
                    roles = [discord.Object(int(message.role))]
                    mentions = discord.AllowedMentions(everyone=False, users=False, replied_user=False, roles=roles)
                called = ""
                if text not in standing:
                    await ask(partial(channel.send, text, allowed_mentions=mentions, **arguments), bot.retry)

    @override
    async def stands(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        async with sending():
            standing = await self._standing(await self._where(message), since)
            return f"{_called(message)}{rendered(message.text)[0]}" in standing

    async def _where(self, message: DueMessage) -> Talk:
        """Return where a message belongs. Raises RefusedError."""
        bot, scope, member_id = self._bot, message.thread.scope, message.member_id
        if member_id or is_direct(scope):
            user = discord.Object(int((member_id or scope).rpartition(":")[2]))
            return await ask(lambda: bot.client.create_dm(user), bot.retry)
        channel = await bot.channel(int(message.thread.thread or message.thread.place))
        if not is_allowed(channel, bot.options):
            raise RefusedError("the bot is not set up to speak there")
        return channel

    async def _standing(self, channel: Talk, since: datetime) -> set[str]:
        """Return what the bot has posted in a channel since then."""
        own = await self._bot.own_posts(channel, after=since - _CLOCKS_DIFFER, most=_LOOKED_BACK)
        return {message.content for message in own}


def _called(message: DueMessage) -> str:
    """Return what stands before the first part of a message: the role that it calls, if any."""
    return f"<@&{message.role}> " if message.role else ""


async def welcome(bot: Bot, guild: discord.Guild) -> None:
    """Say hello; nothing raises. A process says it once to a server, however often Discord tells that it came."""
    channel = next((one for one in _places(guild) if is_allowed(one, bot.options) and _may_write(one)), None)
    if channel is None or ("welcome", guild.id) in bot.told:
        return
    bot.told.add(("welcome", guild.id))
    (text,) = rendered(say(WELCOME))
    arguments = {"nonce": nonce(f"welcome:{guild.id}", 0), "allowed_mentions": NOBODY, "suppress_embeds": True}
    try:
        await ask(partial(channel.send, text, **arguments), bot.retry)
    except (OutOfReachError, RefusedError) as error:
        _log.info("No welcome in server %s: %s", guild.id, error)


def _places(guild: discord.Guild) -> list[discord.TextChannel]:
    """Return where it may be said: where Discord itself says that somebody came, else in the channels as they stand."""
    first = [guild.system_channel] if guild.system_channel is not None else []
    return [*first, *sorted(guild.text_channels, key=lambda channel: channel.position)]


def _may_write(channel: discord.TextChannel) -> bool:
    rights = own_rights_in(channel)
    return rights is not None and rights.view_channel and rights.send_messages
