"""A process that is killed at the worst moment, for the tests of restarts."""

import asyncio
from datetime import datetime

from core.domain.inbound import InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox


class KilledBeforeFinishing(Inbox):
    """The store of a process that dies between the answer and its note that all is done."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self.finishing = asyncio.Event()

    async def take_in(self, event: InboundEvent) -> bool:
        return await self._inbox.take_in(event)

    async def knows(self, *, platform: str, place: str, message_id: str) -> bool:
        return await self._inbox.knows(platform=platform, place=place, message_id=message_id)

    async def begin(self, event: InboundEvent) -> int:
        return await self._inbox.begin(event)

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        await self._inbox.settle(event, reply)

    async def finish(self, event: InboundEvent) -> None:
        self.finishing.set()
        await asyncio.Event().wait()

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        return await self._inbox.unfinished(platform)

    async def prune(self, before: datetime) -> int:
        return await self._inbox.prune(before)

    async def latest_message_ids(self, platform: str) -> dict[str, str]:
        return await self._inbox.latest_message_ids(platform)

    async def note_alive(self, platform: str, message_id: str) -> None:
        await self._inbox.note_alive(platform, message_id)

    async def last_alive(self, platform: str) -> str | None:
        return await self._inbox.last_alive(platform)
