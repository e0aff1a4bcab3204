"""A club that talks line by line: each line waits until the bot is done with the one before."""

import asyncio

from adapters.platform.services import PlatformServices
from core.club.hearing.addressing import AddressingService
from core.domain.question import IncomingMessage
from core.domain.understanding import Understanding
from core.understanding.listening import Addressing
from tests.patience import PATIENCE_S


class FollowedHearing(AddressingService):
    """Core's service, which reports what it has heard."""

    def __init__(self, services: PlatformServices) -> None:
        vars(self).update(vars(services.addressing))
        self._heard = asyncio.Condition()
        self.refs: set[str | None] = set()

    async def hear(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        meaning = await super().hear(message, heard)
        async with self._heard:
            self.refs.add(message.ref)
            self._heard.notify_all()
        return meaning

    async def has_heard(self, count: int) -> None:
        """Wait until so many messages have been heard."""
        async with asyncio.timeout(PATIENCE_S), self._heard:
            await self._heard.wait_for(lambda: len(self.refs) >= count)
