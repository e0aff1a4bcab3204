"""What the loopback Slack hands over to the app, and how it is acknowledged: tries, times, and tries once more."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from tests.platform_servers.patience import Patience
from tests.platform_servers.slack.world import Json

EVENT = "events_api"
COMMAND = "slash_commands"
INTERACTIVE = "interactive"

TIMEOUT = "timeout"
CONNECTION_FAILED = "connection_failed"


@dataclass(slots=True, eq=False, kw_only=True)
class Attempt:
    """One try: over which socket or to which address, and what came back. `number` is 0 for the first."""

    number: int
    reason: str
    via: str
    at: float = field(default_factory=time.monotonic)
    acked_at: float | None = None
    answer: Json | None = None
    status: int | None = None
    is_lost: bool = False
    has_failed: bool = False
    patience: Patience | None = None

    @property
    def seconds(self) -> float | None:
        """From the sending to the acknowledgement."""
        return None if self.acked_at is None else self.acked_at - self.at


@dataclass(slots=True, eq=False, kw_only=True)
class Delivery:
    """An event, a command or an interaction on its way to the app. Events are tried again, the others are not."""

    kind: str
    payload: Json
    attempts: list[Attempt] = field(default_factory=list)
    acked: Attempt | None = None
    is_given_up: bool = False
    on_ack: "Callable[[Attempt], None] | None" = None
    on_failure: "Callable[[], None] | None" = None

    @property
    def is_event(self) -> bool:
        return self.kind == EVENT

    @property
    def name(self) -> str:
        """What it is, for a reader: message, app_mention, /command, block_actions ..."""
        inner = self.payload.get("event", {})
        return str(inner.get("type") or self.payload.get("command") or self.payload.get("type"))

    @property
    def is_settled(self) -> bool:
        """Whether nothing more is under way: the last try is acknowledged, or there will be none."""
        return self.is_given_up or (self.acked is not None and self.attempts[-1].acked_at is not None)

    @property
    def ack_seconds(self) -> float | None:
        """How long the acknowledged try took; None while there is none."""
        return self.acked.seconds if self.acked else None

    def __str__(self) -> str:
        state = "given up" if self.is_given_up else f"acked {self.ack_seconds}" if self.acked else "not acked"
        return f"-> {self.name} ({len(self.attempts)} tries, {state})"


class Transport(Protocol):
    """Socket Mode, or HTTP."""

    timeout_reason: str

    def send(self, delivery: Delivery, *, number: int, reason: str) -> Attempt | None:
        """Hand over; None where there is nobody to hand it to."""
        ...


class Deliveries:
    """Everything that is handed over, in order.

    `ack_within` and `retry_after` are Slack's own (seconds); a test may shorten them. `lost_acks` is how many of the
    next acknowledgements never arrive: Slack then tries an event again at once.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.all: list[Delivery] = []
        self.transport: Transport | None = None
        self.ack_within = 3.0
        self.retry_after = [0.0, 60.0, 300.0]
        self.lost_acks = 0
        self._waiting: list[tuple[Delivery, int]] = []
        self._timers: set[asyncio.TimerHandle] = set()
        self._changed = changed
        self._is_closed = False

    def hand_over(self, delivery: Delivery) -> Delivery:
        self.all.append(delivery)
        self._try(delivery, number=0, reason="")
        return delivery

    def redeliver(self, delivery: Delivery, *, marked: bool = True) -> None:
        """Hand an event over once more, now; without the mark it looks like the first try."""
        number = delivery.attempts[-1].number + 1 if delivery.attempts else 1
        self._try(delivery, number=number if marked else 0, reason=TIMEOUT if marked else "")

    def receivers_came(self) -> None:
        """Somebody can be handed things to again: what waited goes out, as a further try."""
        waiting, self._waiting = self._waiting, []
        for delivery, number in waiting:
            self._try(delivery, number=number, reason=CONNECTION_FAILED)

    def acknowledge(self, delivery: Delivery, attempt: Attempt, answer: Json | None) -> None:
        if self.lost_acks:
            self.lost_acks -= 1
            attempt.is_lost = True
            self.failed(delivery, attempt, TIMEOUT)
            return
        attempt.acked_at = time.monotonic()
        attempt.answer = answer
        is_first = delivery.acked is None
        is_late = attempt.patience is not None and attempt.patience.is_over
        if attempt.patience is not None:
            attempt.patience.cancel()
        if is_first and not is_late:
            delivery.acked = attempt
            if delivery.on_ack is not None:
                delivery.on_ack(attempt)
        self._changed()

    def failed(self, delivery: Delivery, attempt: Attempt, reason: str) -> None:
        """A try came to nothing: events are tried up to three times more, of all else the person sees an error."""
        if self._is_closed or delivery.acked is not None or attempt.has_failed:
            return
        attempt.has_failed = True
        if not delivery.is_event or attempt.number >= len(self.retry_after):
            delivery.is_given_up = True
            if delivery.on_failure is not None:
                delivery.on_failure()
        else:
            number = attempt.number + 1
            self._later(self.retry_after[attempt.number], lambda: self._try(delivery, number=number, reason=reason))
        self._changed()

    def close(self) -> None:
        self._is_closed = True
        for timer in self._timers:
            timer.cancel()
        for attempt in (one for delivery in self.all for one in delivery.attempts):
            if attempt.patience is not None:
                attempt.patience.cancel()

    def _try(self, delivery: Delivery, *, number: int, reason: str) -> None:
        if self._is_closed:
            return
        transport = self.transport
        attempt = transport.send(delivery, number=number, reason=reason) if transport is not None else None
        if transport is not None and attempt is not None:
            delivery.attempts.append(attempt)
            waited = partial(self._waited, delivery, attempt, transport.timeout_reason)
            attempt.patience = Patience(self.ack_within, waited)
        elif delivery.is_event:
            self._waiting.append((delivery, max(number, 1)))
        else:
            delivery.is_given_up = True
            if delivery.on_failure is not None:
                delivery.on_failure()
        self._changed()

    def _waited(self, delivery: Delivery, attempt: Attempt, reason: str) -> None:
        if attempt.acked_at is None and not attempt.is_lost and attempt.status is None:
            self.failed(delivery, attempt, reason)

    def _later(self, seconds: float, do: Callable[[], None]) -> None:
        def run() -> None:
            self._timers.discard(timer)
            do()

        timer = asyncio.get_running_loop().call_later(seconds, run)
        self._timers.add(timer)
