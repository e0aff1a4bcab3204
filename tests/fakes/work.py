"""The shared work in memory, over the inbox in memory."""

import asyncio
import contextlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from core.domain.conversation import AskedAs
from core.domain.inbound import DIED_ALONE, EventState, InboundEvent
from core.ports.work import WorkQueue
from tests.fakes.inbox import InMemoryInbox, key_of

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_OVER = (EventState.POSTED, EventState.DONE)


@dataclass(slots=True, kw_only=True)
class _Offer:
    thread: str
    order: int
    owner: str = ""
    until: datetime = _LONG_AGO


class InMemoryWorkQueue(WorkQueue):
    """What is offered, by the inbox's own keys; `process` is whose claims these are."""

    def __init__(self, inbox: InMemoryInbox, *, process: str = "one") -> None:
        self._inbox = inbox
        self._process = process
        self._offers: dict[tuple[str, str, str, str], _Offer] = {}

    def another(self, process: str) -> "InMemoryWorkQueue":
        """The same work as another process sees it."""
        other = InMemoryWorkQueue(self._inbox, process=process)
        other._offers = self._offers
        return other

    async def offer(self, event: InboundEvent, *, thread: str, order: int, asked: AskedAs) -> None:
        kept = self._inbox.events.get(key_of(event))
        if kept is not None and kept.state is not EventState.DONE:
            self._inbox.events[key_of(event)] = replace(kept, asked=asked)
            self._offers[key_of(event)] = _Offer(thread=thread, order=order)

    async def amend(self, ref: str, *, bot: str, text: str | None) -> None:
        for key in self._offers:
            event = self._inbox.events[key]
            if (event.ref, event.bot) == (ref, bot) and event.state is not EventState.DONE:
                payload = {} if text is None else {**event.payload, "text": text}
                state = EventState.DONE if text is None else event.state
                self._inbox.events[key] = replace(event, payload=payload, state=state)

    async def claim(self, platform: str, *, bot: str, lease: timedelta) -> InboundEvent | None:
        now = datetime.now(UTC)
        for key, offer in self._offers.items():
            event = self._inbox.events[key]
            is_due = (event.platform, event.bot) == (platform, bot) and event.state is not EventState.DONE
            if not is_due or offer.until > now or self._waits(key, offer):
                continue
            if event.state is EventState.BEGUN:
                beside = [one for one in self._offers.values() if one.owner == offer.owner]
                guilt = DIED_ALONE if len(beside) == 1 else 0
                event = replace(event, state=EventState.RECEIVED, blame=event.blame + guilt)
                self._inbox.events[key] = event
            offer.owner, offer.until = self._process, now + lease
            return event
        return None

    async def renew(self, event: InboundEvent, *, lease: timedelta) -> bool:
        offer = self._own(event)
        if offer is not None:
            offer.until = datetime.now(UTC) + lease
        return offer is not None

    async def give_back(self, event: InboundEvent, *, after: timedelta) -> None:
        offer, kept = self._own(event), self._inbox.events[key_of(event)]
        if offer is None:
            return
        if kept.state is EventState.BEGUN:
            kept = replace(kept, state=EventState.RECEIVED, attempts=kept.attempts - 1)
            self._inbox.events[key_of(event)] = kept
        offer.owner, offer.until = "", datetime.now(UTC) + after

    async def came(self, *, within: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), within)

    def _own(self, event: InboundEvent) -> _Offer | None:
        offer = self._offers.get(key_of(event))
        is_own = offer is not None and offer.owner == self._process
        return offer if is_own and self._inbox.events[key_of(event)].state is not EventState.DONE else None

    def _waits(self, key: tuple[str, str, str, str], offer: _Offer) -> bool:
        return any(
            other[:2] == key[:2]
            and one.thread == offer.thread
            and one.order < offer.order
            and self._inbox.events[other].state not in _OVER
            for other, one in self._offers.items()
        )
