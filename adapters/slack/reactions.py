"""A message of Slack, as far as it can be reacted on."""

import logging
from typing import Final

from adapters.platform.organiser_notices import OrganiserNotices
from adapters.platform.reactions import MessageGoneError, NoRightError
from adapters.slack.calls import Method, RefusedError, SlackCalls

_log = logging.getLogger(__name__)

_DONE_ALREADY: Final = frozenset({"already_reacted", "no_reaction"})
_GONE: Final = frozenset({"message_not_found", "thread_locked", "too_many_emoji", "too_many_reactions"})
"""That message alone takes none, or none any more."""


class SlackMarkedMessage:
    """Puts reactions on one message and takes the bot's own away again."""

    def __init__(self, calls: SlackCalls, *, channel: str, ts: str, notices: OrganiserNotices, team_id: str) -> None:
        self._calls = calls
        self._channel = channel
        self._ts = ts
        self._notices = notices
        self._team_id = team_id

    @property
    def place(self) -> str:
        """The channel."""
        return self._channel

    def may_react(self) -> bool:
        """Slack tells of a missing right only when it is used."""
        return True

    def say_missing(self) -> None:
        """Tell the log and the organisers."""
        self._notices.add(f"I can't react in <#{self._channel}>; `thusfar doctor` says what I lack.", of=self._team_id)
        _log.warning("No reactions in channel %s: the scope reactions:write or the channel is missing.", self._channel)

    async def add(self, emoji: str) -> None:
        """React."""
        await self._react(self._calls.client.reactions_add, emoji)

    async def remove(self, emoji: str) -> None:
        """Take the bot's reaction back."""
        await self._react(self._calls.client.reactions_remove, emoji)

    async def _react(self, method: Method, emoji: str) -> None:
        try:
            await self._calls.ask(method, channel=self._channel, timestamp=self._ts, name=emoji.strip(":"))
        except RefusedError as error:
            if error.code in _GONE:
                raise MessageGoneError from error
            if error.code == "invalid_name":
                _log.warning("Slack knows no emoji :%s:.", emoji)
            elif error.code not in _DONE_ALREADY:
                raise NoRightError from error
