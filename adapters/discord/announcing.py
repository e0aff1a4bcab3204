"""Unrequested posts: scheduled messages in a channel, a thread or a DM, and the welcome to a new server."""

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
    """Posts scheduled messages, each once even when retried; `is_open` says whether a post may be started."""

    def __init__(self, bot: Bot, is_open: Callable[[], bool]) -> None:
        self._bot = bot
        self._is_open = is_open

    @override
    def timer_scopes(self) -> Sequence[str]:
        return _SCOPES if self._is_open() else ()

    @override
    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        """Post a message; with `since`, look first for an earlier post, as Discord forgets nonces after some minutes.

        Raises:
            NotSentError: it could not be posted.
        """
        bot = self._bot
        async with sending():
            channel = await self._target(message)
            standing = await self._already_posted(channel, since) if since is not None else set()
            about = int(message.thread.thread or message.thread.place) if message.member_id else None
            view = view_of(await bot.seal.of(message.choices, message.thread, message.member_id), about=about)
            called = _role_mention(message)
            for part, arguments, _ in sendable(rendered(message.text), ref=ref, view=view):
                text, mentions = f"{called}{part}", NOBODY
                if called:
                    roles = [discord.Object(int(message.role))]
                    mentions = discord.AllowedMentions(everyone=False, users=False, replied_user=False, roles=roles)
                called = ""
                if text not in standing:
                    await ask(partial(channel.send, text, allowed_mentions=mentions, **arguments), bot.retry)

    @override
    async def is_posted(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        async with sending():
            standing = await self._already_posted(await self._target(message), since)
            return f"{_role_mention(message)}{rendered(message.text)[0]}" in standing

    async def _target(self, message: DueMessage) -> Talk:
        """Return the channel that a message belongs to. Raises RefusedError."""
        bot, scope, member_id = self._bot, message.thread.scope, message.member_id
        if member_id or is_direct(scope):
            user = discord.Object(int((member_id or scope).rpartition(":")[2]))
            return await ask(lambda: bot.client.create_dm(user), bot.retry)
        channel = await bot.channel(int(message.thread.thread or message.thread.place))
        if not is_allowed(channel, bot.options):
            raise RefusedError("the bot is not set up to speak there")
        return channel

    async def _already_posted(self, channel: Talk, since: datetime) -> set[str]:
        """Return the texts that the bot has posted in a channel since then."""
        own = await self._bot.own_posts(channel, after=since - _CLOCKS_DIFFER, most=_LOOKED_BACK)
        return {message.content for message in own}


def _role_mention(message: DueMessage) -> str:
    """Return the mention of a role that precedes the message, if any."""
    return f"<@&{message.role}> " if message.role else ""


async def welcome_late(bot: Bot) -> None:
    """Post the welcome in servers that invited the bot while it was away, as before its first start."""
    recently = discord.utils.utcnow() - timedelta(hours=bot.options.missed_hours)
    for guild in bot.client.guilds:
        member = guild.get_member(bot.own_id)
        if member is not None and member.joined_at is not None and member.joined_at > recently:
            await welcome(bot, guild, since=member.joined_at)


async def welcome(bot: Bot, guild: discord.Guild, *, since: datetime | None = None) -> None:
    """Post a welcome, unless the bot has posted there `since` a time; never raises.

    A process welcomes each server once, however often Discord announces it.
    """
    channel = next((one for one in _places(guild) if is_allowed(one, bot.options) and _may_write(one)), None)
    if channel is None or ("welcome", guild.id) in bot.told:
        return
    bot.told.add(("welcome", guild.id))
    (text,) = rendered(say(WELCOME))
    arguments = {"nonce": nonce(f"welcome:{guild.id}", 0), "allowed_mentions": NOBODY, "suppress_embeds": True}
    try:
        if since is not None and await bot.own_posts(channel, after=since - _CLOCKS_DIFFER, most=_LOOKED_BACK):
            return
        await ask(partial(channel.send, text, **arguments), bot.retry)
    except (OutOfReachError, RefusedError) as error:
        _log.info("The welcome in server %s could not be posted: %s", guild.id, error)


def _places(guild: discord.Guild) -> list[discord.TextChannel]:
    """Return the channels to try for the welcome: Discord's system channel first, then the others in order."""
    first = [guild.system_channel] if guild.system_channel is not None else []
    return [*first, *sorted(guild.text_channels, key=lambda channel: channel.position)]


def _may_write(channel: discord.TextChannel) -> bool:
    rights = own_rights_in(channel)
    return rights is not None and rights.view_channel and rights.send_messages
