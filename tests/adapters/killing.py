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
    """The store of a process that dies between the answer and its note that all is done."""

    def __init__(self, inbox: Inbox) -> None:
        super().__init__(inbox)
        self.finishing = asyncio.Event()

    async def finish(self, event: InboundEvent) -> None:
        self.finishing.set()
        await asyncio.Event().wait()

    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        self.finishing.set()
        await asyncio.Event().wait()
