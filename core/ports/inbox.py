"""Port: inbound events, each handled once by each bot that hears it, and taken up again after a crash."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from core.domain.inbound import InboundEvent
from core.domain.question import Reply


class Inbox(Protocol):
    """Keeps inbound events until they are done, and remembers afterwards that they were there.

    It is about what every bot heard, until `of_bot` says about which one.
    """

    def of_bot(self, bot: Callable[[], str]) -> "Inbox":
        """Return the inbox of one bot: several may share a database and hear the same. `bot` returns its id."""

    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        """Store an event; False where it is known already. In the same transaction `finished` ones are (as below)."""

    async def knows(self, *, platform: str, place: str, message_id: str) -> bool:
        """Whether a message was ever taken in, done or not."""

    async def begin(self, event: InboundEvent) -> int:
        """Note that work on an event begins; return how often it has by now, this time counted.

        Where a question is answered, the record of turns notes the first time by itself.
        """

    async def inherit(self, platform: str, *, crashed: bool) -> None:
        """Take what an earlier process was working on when it ended: that is as if received anew, but counted.

        What ran with nothing beside it, on no platform, is to blame (`DIED_ALONE`), and more so where the process
        `crashed` (`CRASHED_ALONE`): a kill from outside is nobody's fault. What was kept before bots were told apart is
        this one's from now on.
        """

    async def put_back(self, event: InboundEvent) -> None:
        """Note that work on an event was cut off by no fault of its own: this time does not count."""

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        """Freeze what is posted to an event; where it stands already, it is replaced."""

    async def posted(self, event: InboundEvent, message_ids: Sequence[str]) -> None:
        """Note that the reply to an event is posted, as these messages: it is never asked for again."""

    async def finish(self, event: InboundEvent) -> None:
        """Mark an event as done; its payload is emptied."""

    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        """Mark events as done whose replies are posted; what an operator has put back since is not."""

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        """Return what was taken in and not finished, oldest first."""

    async def prune(self, before: datetime) -> int:
        """Forget what was done and came before then, but for what threads begin with; return how many that were.

        A thread in Slack is the bot's where the message that it begins with was taken in.
        """

    async def latest_message_ids(self, platform: str) -> dict[str, str]:
        """Return for each place the id of the message that was taken in last, for fetching what was missed."""

    async def note_watermark(self, platform: str, message_id: str) -> None:
        """Remember the last message up to which all that was said on a platform is kept, in place of the one before."""

    async def last_watermark(self, platform: str) -> str | None:
        """Return what was remembered so; None where nothing was."""
