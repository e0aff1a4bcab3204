"""An inbox in memory."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.inbound import CRASHED_ALONE, DIED_ALONE, EventState, InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox


class InMemoryInbox(Inbox):
    """Keeps everything, in order."""

    def __init__(self) -> None:
        self.events: dict[tuple[str, str, str, str], InboundEvent] = {}
        self.received: dict[tuple[str, str, str, str], datetime] = {}
        self.watermark: dict[tuple[str, str], str] = {}
        self._bot: Callable[[], str] | None = None

    def of_bot(self, bot: Callable[[], str]) -> "InMemoryInbox":
        own = copy(self)
        own._bot = bot
        return own

    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        await self.finish_posted(finished)
        event = self._own(event)
        key = key_of(event)
        if key in self.events:
            return False
        self.events[key] = event
        self.received[key] = datetime.now(UTC)
        return True

    async def knows(self, *, platform: str, place: str, message_id: str) -> bool:
        return (place, message_id) in {(one.place, one.message_id) for one in self._of(platform)}

    async def begin(self, event: InboundEvent) -> int:
        return self._begin(key_of(self._own(event)))

    async def inherit(self, platform: str, *, crashed: bool) -> None:
        bot = self._bot_id()
        for key, event in list(self.events.items()):
            del self.events[key]  # so that the order stays
            is_nobodys = event.platform.startswith(platform) and not event.bot
            own = replace(event, bot=bot) if is_nobodys else event
            self.received[key_of(own)] = self.received.pop(key)
            self.events[key_of(own)] = own
        if (platform, "") in self.watermark:
            self.watermark[platform, bot] = self.watermark.pop((platform, ""))
        for key, event in self.events.items():
            if event.platform == platform and event.bot == bot and event.state is EventState.BEGUN:
                beside = [one for one in self.events.values() if _is_undone(one) and not one.reply and one.attempts]
                guilt = (CRASHED_ALONE if crashed else DIED_ALONE) if len(beside) == 1 else 0
                self.events[key] = replace(event, state=EventState.RECEIVED, blame=event.blame + guilt)

    async def put_back(self, event: InboundEvent) -> None:
        kept = self.events.get(key_of(self._own(event)))
        if kept is not None and kept.state is EventState.BEGUN:
            self.events[key_of(self._own(event))] = replace(kept, state=EventState.RECEIVED, attempts=kept.attempts - 1)

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        self._settle(key_of(self._own(event)), reply)

    async def posted(self, event: InboundEvent, message_ids: Sequence[str]) -> None:
        kept = self.events.get(key_of(self._own(event)))
        if kept is not None and _is_undone(kept):
            self.events[key_of(self._own(event))] = replace(kept, state=EventState.POSTED)

    async def finish(self, event: InboundEvent) -> None:
        kept = self.events.get(key_of(self._own(event)))
        if kept is not None:
            self.events[key_of(self._own(event))] = replace(kept, state=EventState.DONE, payload={}, reply=None)

    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        for event in events:
            if self.events[key_of(self._own(event))].state in {EventState.ANSWERED, EventState.POSTED}:
                await self.finish(event)

    async def unfinished(self, platform: str) -> list[InboundEvent]:
        return [event for event in self._of(platform) if _is_undone(event)]

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
        return {event.place: event.message_id for event in self._of(platform)}

    async def note_watermark(self, platform: str, message_id: str) -> None:
        self.watermark[platform, self._bot_id()] = message_id

    async def last_watermark(self, platform: str) -> str | None:
        mine = None if self._bot is None else self._bot()
        return next((one for key, one in self.watermark.items() if key == (platform, mine or key[1])), None)

    def begin_turn(self, ref: str | None, bot: str = "") -> None:
        for key, event in self.events.items():
            if ref is not None and (event.ref, event.bot) == (ref, bot) and event.state is EventState.RECEIVED:
                self._begin(key)

    def settle_turn(self, ref: str | None, bot: str, reply: Reply | None) -> None:
        for key, event in self.events.items():
            if ref is not None and reply is not None and (event.ref, event.bot) == (ref, bot):
                self._settle(key, reply)

    def _bot_id(self) -> str:
        return "" if self._bot is None else self._bot()

    def _own(self, event: InboundEvent) -> InboundEvent:
        return event if self._bot is None else replace(event, bot=self._bot())

    def _of(self, platform: str) -> list[InboundEvent]:
        of_platform = [one for one in self.events.values() if one.platform == platform]
        return [one for one in of_platform if self._bot is None or one.bot == self._bot()]

    def _begin(self, key: tuple[str, str, str, str]) -> int:
        event = self.events.get(key)
        if event is None:
            return 0
        self.events[key] = replace(event, state=EventState.BEGUN, attempts=event.attempts + 1)
        return event.attempts + 1

    def _settle(self, key: tuple[str, str, str, str], reply: Reply) -> None:
        event = self.events.get(key)
        if event is not None and _is_undone(event):
            self.events[key] = replace(event, state=EventState.ANSWERED, reply=replace(reply, sources=(), is_kept=True))


def _is_undone(event: InboundEvent) -> bool:
    return event.state is not EventState.DONE


def key_of(event: InboundEvent) -> tuple[str, str, str, str]:
    return event.platform, event.bot, event.place, event.message_id
