"""An inbox in memory."""

from dataclasses import replace
from datetime import UTC, datetime

from core.domain.inbound import CRASHED_ALONE, DIED_ALONE, EventState, InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox


class InMemoryInbox(Inbox):
    """Keeps everything, in order."""

    def __init__(self) -> None:
        self.events: dict[tuple[str, str, str], InboundEvent] = {}
        self.received: dict[tuple[str, str, str], datetime] = {}
        self.alive: dict[str, str] = {}

    async def take_in(self, event: InboundEvent) -> bool:
        key = _key(event)
        if key in self.events:
            return False
        self.events[key] = event
        self.received[key] = datetime.now(UTC)
        return True

    async def knows(self, *, platform: str, place: str, message_id: str) -> bool:
        return (platform, place, message_id) in self.events

    async def begin(self, event: InboundEvent) -> int:
        return self._begin(_key(event))

    async def inherit(self, platform: str, *, crashed: bool) -> None:
        for key, event in self.events.items():
            if event.platform == platform and event.state is EventState.BEGUN:
                beside = [one for one in self.events.values() if _is_undone(one) and not one.reply and one.attempts]
                guilt = (CRASHED_ALONE if crashed else DIED_ALONE) if len(beside) == 1 else 0
                self.events[key] = replace(event, state=EventState.RECEIVED, blame=event.blame + guilt)

    async def put_back(self, event: InboundEvent) -> None:
        kept = self.events.get(_key(event))
        if kept is not None and kept.state is EventState.BEGUN:
            self.events[_key(event)] = replace(kept, state=EventState.RECEIVED, attempts=kept.attempts - 1)

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        self._settle(_key(event), reply)

    async def finish(self, event: InboundEvent) -> None:
        kept = self.events.get(_key(event))
        if kept is not None:
            self.events[_key(event)] = replace(kept, state=EventState.DONE, payload={}, reply=None)

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        return [event for event in self.events.values() if event.platform == platform and _is_undone(event)]

    async def prune(self, before: datetime) -> int:
        gone = [
            key
            for key, event in self.events.items()
            if not _is_undone(event)
            and self.received[key] < before
            and (event.platform != "slack" or event.place.count("/") > 1)
        ]
        for key in gone:
            del self.events[key]
        return len(gone)

    async def latest_message_ids(self, platform: str) -> dict[str, str]:
        return {event.place: event.message_id for event in self.events.values() if event.platform == platform}

    async def note_alive(self, platform: str, message_id: str) -> None:
        self.alive[platform] = message_id

    async def last_alive(self, platform: str) -> str | None:
        return self.alive.get(platform)

    def begin_turn(self, ref: str | None) -> None:
        for key, event in self.events.items():
            if ref is not None and event.ref == ref and event.state is EventState.RECEIVED:
                self._begin(key)

    def settle_turn(self, ref: str | None, reply: Reply | None) -> None:
        for key, event in self.events.items():
            if ref is not None and reply is not None and event.ref == ref:
                self._settle(key, reply)

    def _begin(self, key: tuple[str, str, str]) -> int:
        event = self.events.get(key)
        if event is None:
            return 0
        self.events[key] = replace(event, state=EventState.BEGUN, attempts=event.attempts + 1)
        return event.attempts + 1

    def _settle(self, key: tuple[str, str, str], reply: Reply) -> None:
        event = self.events.get(key)
        if event is not None and _is_undone(event):
            self.events[key] = replace(event, state=EventState.ANSWERED, reply=replace(reply, sources=(), is_kept=True))


def _is_undone(event: InboundEvent) -> bool:
    return event.state is not EventState.DONE


def _key(event: InboundEvent) -> tuple[str, str, str]:
    return event.platform, event.place, event.message_id
