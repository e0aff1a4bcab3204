"""A message of Discord, as far as it can be reacted on."""

import logging

import discord

from adapters.platform.organiser_notices import OrganiserNotices
from adapters.platform.reactions import MessageGoneError, NoRightError

_log = logging.getLogger(__name__)


class DiscordMarkedMessage:
    """Puts reactions on one message and takes the bot's own away again."""

    def __init__(self, message: discord.PartialMessage, *, own_id: int, notices: OrganiserNotices) -> None:
        self._message = message
        self._own_id = own_id
        self._notices = notices

    @property
    def place(self) -> int:
        """The channel or thread."""
        return self._message.channel.id

    def may_react(self) -> bool:
        """Whether the rights are there, as far as the channel's are known."""
        channel, guild = self._message.channel, self._message.guild
        if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return True
        try:
            rights = channel.permissions_for(guild.me)
        except discord.ClientException:
            return True
        return rights.add_reactions and rights.read_message_history

    def say_missing(self) -> None:
        """Tell the log and the organisers."""
        channel_id, guild = self._message.channel.id, self._message.guild
        if guild is not None:
            sentence = f"I can't react in <#{channel_id}>; I need Add Reactions and Read Message History."
            self._notices.add(sentence, of=guild.id)
        _log.warning(
            "No reactions in channel %s: the right Add Reactions or Read Message History is missing.", channel_id
        )

    async def add(self, emoji: str) -> None:
        """React."""
        try:
            await self._message.add_reaction(emoji)
        except discord.HTTPException as error:
            raise _translated(error) from error

    async def remove(self, emoji: str) -> None:
        """Take the bot's reaction back."""
        try:
            await self._message.remove_reaction(emoji, discord.Object(self._own_id))
        except discord.HTTPException as error:
            raise _translated(error) from error


def _translated(error: discord.HTTPException) -> Exception:
    if isinstance(error, discord.Forbidden):
        return NoRightError()
    return MessageGoneError() if isinstance(error, discord.NotFound) else error
