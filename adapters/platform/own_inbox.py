"""The inbox as one bot sees it: several bots may share a database, and hear the same messages."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from core.domain.inbound import InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox


class OwnInbox(Inbox):
    """Passes on what one bot takes in, and gives it nothing of another's; `bot` says which, once it is known."""

    def __init__(self, inbox: Inbox, bot: Callable[[], str]) -> None:
        self._inbox = inbox
        self._bot = bot

    @property
    def bot(self) -> str:
        """Who hears."""
        return self._bot()

    async def take_in(self, event: InboundEvent) -> bool:
        """Store an event; False where this bot knows it already."""
        return await self._inbox.take_in(self._own(event))

    async def knows(self, *, platform: str, place: str, message_id: str, bot: str | None = None) -> bool:
        """Whether this bot ever took a message in."""
        return await self._inbox.knows(platform=platform, place=place, message_id=message_id, bot=bot or self.bot)

    async def begin(self, event: InboundEvent) -> int:
        """Note that work on an event begins; return how often it has by now."""
        return await self._inbox.begin(self._own(event))

    async def inherit(self, platform: str, *, crashed: bool, bot: str = "") -> None:
        """Take what an earlier process of this bot was working on when it ended."""
        await self._inbox.inherit(platform, crashed=crashed, bot=bot or self.bot)

    async def put_back(self, event: InboundEvent) -> None:
        """Note that work on an event was cut off by no fault of its own."""
        await self._inbox.put_back(self._own(event))

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        """Freeze what is posted to an event."""
        await self._inbox.settle(self._own(event), reply)

    async def posted(self, event: InboundEvent, message_ids: Sequence[str]) -> None:
        """Note that the reply to an event is posted."""
        await self._inbox.posted(self._own(event), message_ids)

    async def finish(self, event: InboundEvent) -> None:
        """Mark an event as done."""
        await self._inbox.finish(self._own(event))

    async def unfinished(self, platform: str, *, bot: str | None = None) -> list[InboundEvent]:
        """Return what this bot took in and has not finished."""
        return await self._inbox.unfinished(platform, bot=bot or self.bot)

    async def prune(self, before: datetime) -> int:
        """Forget what was done and came before then, of all bots."""
        return await self._inbox.prune(before)

    async def latest_message_ids(self, platform: str, *, bot: str | None = None) -> dict[str, str]:
        """Return for each place the id of the message that this bot took in last."""
        return await self._inbox.latest_message_ids(platform, bot=bot or self.bot)

    async def note_alive(self, platform: str, message_id: str, *, bot: str = "") -> None:
        """Remember the last message up to which this bot has all that was said."""
        await self._inbox.note_alive(platform, message_id, bot=bot or self.bot)

    async def last_alive(self, platform: str, *, bot: str | None = None) -> str | None:
        """Return what was remembered so."""
        return await self._inbox.last_alive(platform, bot=bot or self.bot)

    def _own(self, event: InboundEvent) -> InboundEvent:
        return replace(event, bot=self.bot)
