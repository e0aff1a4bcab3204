"""State that all places on Discord share: the client, its options, and what the bot lacks where."""

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import discord

from adapters.discord.calls import ask
from adapters.discord.listening import DiscordMessage, Talk, parent_of
from adapters.discord.options import DiscordOptions
from adapters.platform.commands import OrganiserNotices
from adapters.platform.retry import RetryPolicy
from adapters.platform.sealing import ButtonSeal
from adapters.platform.services import CosmeticRateLimit
from adapters.platform.surface import (
    GoneError,
    NoRightError,
    OutOfReachError,
    RefusedError,
)
from adapters.platform.used import UsedCommands

_log = logging.getLogger(__name__)

_MOST_GUILDS: Final = 20
_LOOKED_BACK: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """State that all places share: the client, its options, and notices for the organisers.

    `gone` holds the servers, channels and threads that were deleted, `told` the problems that were logged, `spoken_in`
    the threads in which the bot has answered.
    """

    client: discord.Client
    options: DiscordOptions
    retry: RetryPolicy
    used: UsedCommands
    seal: ButtonSeal
    ornament_rate: CosmeticRateLimit = field(default_factory=CosmeticRateLimit)
    notices: OrganiserNotices = field(default_factory=OrganiserNotices)
    gone: set[int] = field(default_factory=set)
    told: set[tuple[str, int]] = field(default_factory=set)
    spoken_in: set[int] = field(default_factory=set)

    @property
    def own_id(self) -> int:
        """The bot's user id; 0 before it has logged in."""
        return self.client.user.id if self.client.user else 0

    def key_of(self, said: DiscordMessage) -> int:
        """Return the key of a message: its channel, or the thread that its mention will open."""
        opens = said.mentions_bot and isinstance(self.client.get_channel(said.channel_id), discord.TextChannel)
        return said.message_id if opens else said.channel_id

    def lane_of(self, said: DiscordMessage) -> int:
        """Return the lane of a message: its channel, or the parent channel of its thread."""
        channel = self.client.get_channel(said.channel_id)
        return said.channel_id if channel is None else parent_of(channel)

    async def channel(self, channel_id: int) -> Talk:
        """Return a channel, requested from Discord if it is not cached, as archived threads aren't.

        Raises:
            GoneError: it was deleted, can't be seen, or is no text channel.
        """
        known: object = self.client.get_channel(channel_id)
        if known is None:
            try:
                known = await ask(lambda: self.client.fetch_channel(channel_id), self.retry)
            except RefusedError as error:
                raise GoneError(str(error)) from error
        if not isinstance(known, Talk):
            raise GoneError(f"channel {channel_id} is no text channel")
        return known

    async def member(self, channel: Talk, user_id: int) -> discord.Member | None:
        """Return a member of a channel's server, with current data; None in a DM or for a non-member."""
        guild = channel.guild
        if guild is None:
            return None
        try:
            return await ask(lambda: guild.fetch_member(user_id), self.retry)
        except RefusedError:
            return None

    async def guilds_of(self, user_id: int) -> list[discord.Guild]:
        """Return the servers that the bot shares with a user and may speak in."""
        allowed = self.options.allowed_guilds
        looked_at = [guild for guild in self.client.guilds if not allowed or guild.id in allowed][:_MOST_GUILDS]

        async def is_member(guild: discord.Guild) -> bool:
            try:
                await ask(lambda: guild.fetch_member(user_id), self.retry)
            except (OutOfReachError, RefusedError):
                return False
            return True

        found = await asyncio.gather(*(is_member(guild) for guild in looked_at))
        return [guild for guild, is_in in zip(looked_at, found, strict=True) if is_in]

    async def own_posts(
        self, channel: Talk, *, after: discord.abc.Snowflake | datetime, most: int = _LOOKED_BACK
    ) -> list[discord.Message]:
        """Return the bot's own posts in a channel since then, oldest first; none without the permission to read."""

        async def look() -> list[discord.Message]:
            history = channel.history(limit=most, after=after, oldest_first=True)
            return [message async for message in history if message.author.id == self.own_id]

        try:
            return await ask(look, self.retry)
        except NoRightError:
            return []

    def lacks(self, what: str, channel: Talk, notice: str, log: str) -> None:
        """Report a missing permission to the organisers and the log, once per channel."""
        if (what, channel.id) in self.told:
            return
        self.told.add((what, channel.id))
        if channel.guild is not None:
            self.notices.add(notice, of=channel.guild.id)
        _log.warning("%s", log)
