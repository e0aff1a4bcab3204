"""An inbox in memory."""

from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox


class InMemoryInbox(Inbox):
    """Keeps everything, in order."""

    def __init__(self) -> None:
        self.events: dict[tuple[str, str, str], InboundEvent] = {}
        self.finished: set[tuple[str, str, str]] = set()

    async def take_in(self, event: InboundEvent) -> bool:
        key = _key(event)
        if key in self.events:
            return False
        self.events[key] = event
        return True

    async def finish(self, event: InboundEvent) -> None:
        self.finished.add(_key(event))

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        return [event for key, event in self.events.items() if event.platform == platform and key not in self.finished]

    async def latest_message_ids(self, platform: str) -> dict[str, str]:
        return {event.place: event.message_id for event in self.events.values() if event.platform == platform}


def _key(event: InboundEvent) -> tuple[str, str, str]:
    return event.platform, event.place, event.message_id
