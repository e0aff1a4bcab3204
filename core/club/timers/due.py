"""Runs due timers: gets the messages from the timer's kind, has them posted, and marks the timer as done.

`serve` runs a `Due` for each platform, `chat` calls it before each line. A new kind implements `TimerKind` and is
listed in `kinds` in `bot/timed.py`.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from core.club.commands.values import Choice
from core.domain.errors import StorageError, ThusfarError
from core.domain.thread import Thread
from core.domain.timer import ClaimedTimer, Timer
from core.ports.clock import Clock
from core.ports.timers import TimerTable

_log = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=5)
"""After this time a claimed timer is free again: its process must have ended."""
_TIMEOUT_S: Final = 120.0
"""The longest attempt, well within the lease."""
_POLL_S: Final = 15.0
_POLL_UNREACHABLE_S: Final = 1.0
_MOST_AT_ONCE: Final = 20
_MOST_FAILURES: Final = 5
_FIRST_PAUSE: Final = timedelta(minutes=1)
_LONGEST_PAUSE: Final = timedelta(minutes=15)
_LATE_RETRIES: Final = timedelta(days=1)
"""How long to go on trying to report a missed timer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueMessage:
    """A message that no one asked for: public in a thread or its channel, or private to one member.

    `text` may contain time marks (`core.domain.moments`). `role` is mentioned, as the platform writes it.
    """

    thread: Thread
    text: str
    member_id: str = ""
    choices: tuple[Choice, ...] = ()
    role: str = ""


class NotSentError(Exception):
    """A message could not be posted; `for_good` means that retrying is useless."""

    def __init__(self, cause: str, *, for_good: bool) -> None:
        super().__init__(cause)
        self.for_good = for_good


class TimerKind(Protocol):
    """The messages of one kind of timer. It may return the same message twice: it is posted only once.

    Attributes:
        name: the `kind` of its timers.
    """

    name: str

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the messages to post now; none if they are of no use any more."""

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the messages to post instead if the timer is too late: none, or one to the person who set it."""
        return ()


class ServedPlatform(Protocol):
    """A platform that this process serves, while it can be reached."""

    def timer_scopes(self) -> Sequence[str]:
        """Return the scopes that can be reached now, in the form that `TimerTable.claim` takes."""

    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        """Post a message; with `since`, first check whether it was posted after that time.

        Raises:
            NotSentError: it could not be posted.
        """

    async def is_posted(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        """Return whether a message was posted since then, as far as the platform shows it.

        Raises:
            NotSentError: the platform cannot be reached now.
        """


class Due:
    """Runs timers, each once."""

    def __init__(self, *, table: TimerTable, kinds: Sequence[TimerKind], clock: Clock) -> None:
        self._table = table
        self._kinds: Mapping[str, TimerKind] = {kind.name: kind for kind in kinds}
        self._clock = clock

    async def run(self, find: Callable[[], ServedPlatform | None]) -> None:
        """Run the due timers of a platform until cancelled; `find` returns the platform while it is connected."""
        while True:
            served = find()
            try:
                if served is not None:
                    await self.run_due(served)
            except StorageError as error:
                _log.warning("Cannot check for due timers now: %s", error)
            is_there = served is not None and served.timer_scopes()
            await self._clock.passed(_POLL_S if is_there else _POLL_UNREACHABLE_S)

    async def run_due(self, served: ServedPlatform) -> None:
        """Run all timers that are due now."""
        while scopes := served.timer_scopes():
            now = self._clock.now()
            claimed = await self._table.claim(scopes=scopes, now=now, lease=LEASE, most=_MOST_AT_ONCE)
            if not claimed:
                return
            # In parallel, so that one that hangs delays no other and all run within their lease.
            tried = await asyncio.gather(*(self._try(one, served) for one in claimed), return_exceptions=True)
            for failed in tried:
                if failed is not None:
                    raise failed

    async def _try(self, claimed: ClaimedTimer, served: ServedPlatform) -> None:
        """Run one timer; if that fails, put it off while it is still worth retrying."""
        timer = claimed.timer
        is_late = self._clock.now() > timer.due + timer.late
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await self._say(claimed, served, is_late=is_late)
        except NotSentError as error:
            if error.for_good:
                _log.warning("%s was refused: %s", _named(claimed), error)
                await self._table.done(claimed, dropped=True)
            else:
                await self._put_off(claimed, error, is_late=is_late)
        except (TimeoutError, StorageError) as error:
            await self._put_off(claimed, error, is_late=is_late)
        except Exception as error:  # noqa: BLE001 (one failure must not stop the others)
            if isinstance(error, ThusfarError) or claimed.attempts >= _MOST_FAILURES:
                _log.warning("%s is dropped.", _named(claimed), exc_info=error)
                await self._table.done(claimed, dropped=True)
            else:
                await self._put_off(claimed, error, is_late=is_late)
        else:
            await self._table.done(claimed, dropped=is_late)

    async def _say(self, claimed: ClaimedTimer, served: ServedPlatform, *, is_late: bool) -> None:
        timer = claimed.timer
        kind = self._kinds.get(timer.kind)
        if kind is None:
            _log.warning("%s has an unknown kind.", _named(claimed))
            return
        if is_late and await self._was_posted(claimed, kind, served):
            return
        if is_late:
            _log.warning("%s was due at %s: too late, dropped.", _named(claimed), timer.due.isoformat())
        messages = await (kind.missed(timer) if is_late else kind.due(timer))
        since = claimed.begun if claimed.attempts > 1 else None
        for number, message in enumerate(messages):
            ref = f"{claimed.ref}:{'missed' if is_late else 'due'}:{number}"
            await served.send(message, ref=ref, since=since)

    async def _was_posted(self, claimed: ClaimedTimer, kind: TimerKind, served: ServedPlatform) -> bool:
        """Return whether an earlier, interrupted attempt posted it in time."""
        timer = claimed.timer
        if claimed.attempts == 1 or claimed.begun > timer.due + timer.late:
            return False
        said = [
            await served.is_posted(message, ref=f"{claimed.ref}:due:{number}", since=claimed.begun)
            for number, message in enumerate(await kind.due(timer))
        ]
        return bool(said) and all(said)

    async def _put_off(self, claimed: ClaimedTimer, why: Exception, *, is_late: bool) -> None:
        """Put a timer off; if it is late, only for a limited time."""
        now = self._clock.now()
        pause = min(_FIRST_PAUSE * 2 ** min(claimed.attempts - 1, 9), _LONGEST_PAUSE)
        _log.warning("%s will be retried in %s: %s", _named(claimed), pause, str(why) or type(why).__name__)
        if is_late and now - claimed.begun > claimed.timer.late + _LATE_RETRIES:
            await self._table.done(claimed, dropped=True)
        else:
            await self._table.put_off(claimed, until=now + pause)


def _named(claimed: ClaimedTimer) -> str:
    timer = claimed.timer
    return f"{timer.kind} {timer.name} of {timer.thread.scope}:{timer.thread.place}"
