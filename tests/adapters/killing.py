"""Processes that are killed at the worst moment, for the tests of restarts."""

import asyncio
from collections.abc import Sequence

from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox
from tests.adapters.passing_on import PassingOn


class Killed(PassingOn):
    """The inbox of a process that is killed: unlike a stop, it puts nothing back."""

    async def put_back(self, event: InboundEvent) -> None:
        """Nothing."""


class KilledBeforeFinishing(Killed):
    """The inbox of a process that dies between posting the answer and recording that it is done.

    `finishing` is set when it would record that. Then the test stops the process, which acts as the kill: nothing more
    is recorded, and nothing waits.
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
