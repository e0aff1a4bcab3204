"""A process that is killed at the worst moment, for the tests of restarts."""

import asyncio
from collections.abc import Sequence

from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox
from tests.adapters.passing_on import PassingOn


class Killed(PassingOn):
    """The store of a process that is killed: it puts nothing back as a stop does."""

    async def put_back(self, event: InboundEvent) -> None:
        """Nothing."""


class KilledBeforeFinishing(Killed):
    """The store of a process that dies between the answer and its note that all is done.

    `finishing` is set where it would note that. What a stop cuts off there stands for the death: nothing is noted after
    it, and nothing waits any more.
    """

    def __init__(self, inbox: Inbox) -> None:
        super().__init__(inbox)
        self.finishing = asyncio.Event()
        self._is_dead = False

    async def finish(self, event: InboundEvent) -> None:
        await self._die()

    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        await self._die()

    async def _die(self) -> None:
        self.finishing.set()
        if not self._is_dead:
            try:
                await asyncio.Event().wait()
            finally:
                self._is_dead = True
