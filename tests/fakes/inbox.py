"""An inbox in memory."""

from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox


class InMemoryInbox(Inbox):
    """Keeps everything, in order."""

    def __init__(self) -> None:
        self.events: dict[tuple[str, str, str], InboundEvent] = {}
        self.finished: set[tuple[str, str, str]] = set()
        self.alive: dict[str, str] = {}

    async def take_in(self, event: InboundEvent) -> bool:
        key = _key(event)
        if key in self.events:
            return False
        self.events[key] = event
        return True

    async def knows(self, *, platform: str, place: str, message_id: str) -> bool:
        return (platform, place, message_id) in self.events

    async def finish(self, event: InboundEvent) -> None:
        self.finished.add(_key(event))

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        return [event for key, event in self.events.items() if event.platform == platform and key not in self.finished]

    async def latest_message_ids(self, platform: str) -> dict[str, str]:
        return {event.place: event.message_id for event in self.events.values() if event.platform == platform}

    async def note_alive(self, platform: str, message_id: str) -> None:
        self.alive[platform] = message_id

    async def last_alive(self, platform: str) -> str | None:
        return self.alive.get(platform)


def _key(event: InboundEvent) -> tuple[str, str, str]:
    return event.platform, event.place, event.message_id
