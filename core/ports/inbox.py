"""Port: inbound events. Each bot handles an event once, and continues with it after a crash."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from core.domain.inbound import InboundEvent
from core.domain.question import Reply


class Inbox(Protocol):
    """Stores inbound events until they are done, and remembers afterwards which ones it has seen.

    It contains the events of all bots; `of_bot` limits it to one.
    """

    def of_bot(self, bot: Callable[[], str]) -> "Inbox":
        """Return the inbox of one bot, since several may share a database. `bot` returns the bot's id."""

    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        """Store an event; False if it is known already. The same transaction finishes the `finished` events."""

    async def knows(self, *, platform: str, place: str, message_id: str) -> bool:
        """Whether a message was ever stored, done or not."""

    async def begin(self, event: InboundEvent) -> int:
        """Note that work on an event begins; return how many times it has begun, including this one.

        For a question, `TurnRecord.begin` notes the first time.
        """

    async def inherit(self, platform: str, *, crashed: bool) -> None:
        """Take over the events that an earlier process was working on when it ended. Their attempts still count.

        An event that was the only one in progress on all platforms is suspected of ending the process (`DIED_ALONE`),
        and more so if the process `crashed` and was not killed from outside (`CRASHED_ALONE`). Events from before bots
        had ids are assigned to this bot.
        """

    async def put_back(self, event: InboundEvent) -> None:
        """Note that work on an event was interrupted for another reason; this attempt does not count."""

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        """Store the reply to an event, in place of an earlier one."""

    async def posted(self, event: InboundEvent, message_ids: Sequence[str]) -> None:
        """Note that the reply to an event was posted as these messages, so that it is not posted again."""

    async def finish(self, event: InboundEvent) -> None:
        """Mark an event as done, and clear its payload."""

    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        """Mark events as done whose replies are posted, except those that an operator has put back since."""

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        """Return the stored events that are not finished, oldest first."""

    async def prune(self, before: datetime) -> int:
        """Delete finished events from before a time; return how many.

        First messages of threads stay: a Slack thread is the bot's if its first message was stored.
        """

    async def latest_message_ids(self, platform: str) -> dict[str, str]:
        """Return for each place the id of the last stored message, from which missed messages are fetched."""

    async def note_watermark(self, platform: str, message_id: str) -> None:
        """Store the last message of a platform up to which all messages are stored, in place of the one before."""

    async def last_watermark(self, platform: str) -> str | None:
        """Return the message stored by `note_watermark`; None if there is none."""
