"""Finds the channel that something was said in, and opens the thread that a mention asks for."""

import logging
from typing import Final

import discord

from adapters.discord.posting import retried
from adapters.discord.translate import Talk, thread_name
from adapters.platform.organiser_notices import OrganiserNotices
from adapters.platform.retry import RetryPolicy

_log = logging.getLogger(__name__)

_HAS_A_THREAD: Final = 160_004
_RIGHTS: Final = "Create Public Threads, Send Messages in Threads or Read Message History"


class ThreadOpener:
    """Opens threads where the rights are there; where not, the answer stands in the channel, which is said once."""

    def __init__(self, client: discord.Client, *, retry: RetryPolicy, notices: OrganiserNotices | None = None) -> None:
        self._client = client
        self._retry = retry
        self._notices = notices or OrganiserNotices()
        self._told: set[int] = set()

    async def channel(self, channel_id: int) -> Talk | None:
        """Return a channel, asked for where it is not known, as a thread that was archived is not; None for no talk.

        Raises:
            discord.NotFound: it is gone.
            discord.Forbidden: it is not to be seen any more.
        """
        known = self._client.get_channel(channel_id)
        if known is None:
            known = await retried(lambda: self._client.fetch_channel(channel_id), self._retry)
        return known if isinstance(known, Talk) else None

    async def open(self, message: discord.PartialMessage, question: str) -> discord.Thread | None:
        """Return the thread at a message, opened or found there; None where it cannot be.

        Raises:
            discord.NotFound: the message is gone.
        """
        channel = message.channel
        if not isinstance(channel, discord.TextChannel):
            return None
        if not self._has_rights(channel):
            self._missing(channel.id, message.guild)
            return None
        try:
            return await retried(lambda: message.create_thread(name=thread_name(question)), self._retry)
        except (discord.DiscordServerError, discord.NotFound):
            raise
        except discord.Forbidden:
            self._missing(channel.id, message.guild)
            return None
        except discord.HTTPException as error:
            if error.code == _HAS_A_THREAD:
                found = await self.channel(message.id)
                return found if isinstance(found, discord.Thread) else None
            _log.warning("No thread at message %s, so the answer stands in the channel: %s", message.id, error)
            return None

    def _has_rights(self, channel: discord.TextChannel) -> bool:
        rights = channel.permissions_for(channel.guild.me)
        return rights.create_public_threads and rights.send_messages_in_threads and rights.read_message_history

    def _missing(self, channel_id: int, guild: discord.Guild | None) -> None:
        if channel_id not in self._told:
            self._told.add(channel_id)
            if guild is not None:
                self._notices.add(f"I can't open threads in <#{channel_id}>; I need {_RIGHTS}.", of=guild.id)
            _log.warning("No threads in channel %s, so answers stand in it: %s is missing.", channel_id, _RIGHTS)
