"""An inbox that wraps another one, for tests in which storing fails."""

from collections.abc import Callable, Sequence
from datetime import datetime

from core.domain.inbound import InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox


class PassingOn(Inbox):
    """Passes every call on."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def of_bot(self, bot: Callable[[], str]) -> Inbox:
        self._inbox = self._inbox.of_bot(bot)
        return self

    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        return await self._inbox.take_in(event, finished=finished)

    async def knows(self, *, platform: str, place: str, message_id: str) -> bool:
        return await self._inbox.knows(platform=platform, place=place, message_id=message_id)

    async def begin(self, event: InboundEvent) -> int:
        return await self._inbox.begin(event)

    async def inherit(self, platform: str, *, crashed: bool) -> None:
        await self._inbox.inherit(platform, crashed=crashed)

    async def put_back(self, event: InboundEvent) -> None:
        await self._inbox.put_back(event)

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        await self._inbox.settle(event, reply)

    async def posted(self, event: InboundEvent, message_ids: Sequence[str]) -> None:
        await self._inbox.posted(event, message_ids)

    async def finish(self, event: InboundEvent) -> None:
        await self._inbox.finish(event)

    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        await self._inbox.finish_posted(events)

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        return await self._inbox.unfinished(platform)

    async def prune(self, before: datetime) -> int:
        return await self._inbox.prune(before)

    async def latest_message_ids(self, platform: str) -> dict[str, str]:
        return await self._inbox.latest_message_ids(platform)

    async def note_watermark(self, platform: str, message_id: str) -> None:
        await self._inbox.note_watermark(platform, message_id)

    async def last_watermark(self, platform: str) -> str | None:
        return await self._inbox.last_watermark(platform)
