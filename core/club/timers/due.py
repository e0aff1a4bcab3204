"""Works off what falls due: asks its kind what there is to say, has it posted where it belongs, and marks it.

`serve` lets a `Due` run for each platform, `chat` asks it before each line. A kind of its own is a file that fills
`TimerKind`, named in `kinds` in `bot/timed.py`.
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
"""After so long a timer that was claimed is given to whoever asks: its process has ended."""
_ONE_TIMER_S: Final = 120.0
"""No attempt takes longer, so that none goes on when its lease is over."""
_LOOK_AGAIN_S: Final = 15.0
_IS_THERE_S: Final = 1.0
_MOST_AT_ONCE: Final = 20
_MOST_FAILURES: Final = 5
_FIRST_PAUSE: Final = timedelta(minutes=1)
_LONGEST_PAUSE: Final = timedelta(minutes=15)
_TOLD_WITHIN: Final = timedelta(days=1)
"""For so long it is tried to tell that something was missed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueMessage:
    """What is said of its own accord: in a thread or its place, to all who read there, or to one member alone.

    `text` may hold time marks (`core.domain.moments`). `role` is called, as the platform names it.
    """

    thread: Thread
    text: str
    member_id: str = ""
    choices: tuple[Choice, ...] = ()
    role: str = ""


class NotSentError(Exception):
    """A message could not be posted; `for_good` where it never could be."""

    def __init__(self, cause: str, *, for_good: bool) -> None:
        super().__init__(cause)
        self.for_good = for_good


class TimerKind(Protocol):
    """What one kind of timers has to say. It may say the same twice: where that stands already, it stands once.

    Attributes:
        name: the `kind` of its timers.
    """

    name: str

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return what there is to say now; nothing where it is of no use any more."""

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Return what there is to say in its place where it comes too late: to nobody, or to whoever wanted it."""
        return ()


class ServedPlatform(Protocol):
    """A platform that is served by this process, as far as it can be reached now."""

    def timer_scopes(self) -> Sequence[str]:
        """Return the scopes that it reaches now, as `TimerTable.claim` takes them; nothing while it reaches none."""

    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        """Post a message; with `since` it may have been posted after that already, and is looked for first.

        Raises:
            NotSentError: it could not be posted.
        """

    async def stands(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        """Return whether a message was posted since then, as far as that can be seen.

        Raises:
            NotSentError: nobody can look now.
        """


class Due:
    """Works timers off, each once."""

    def __init__(self, *, table: TimerTable, kinds: Sequence[TimerKind], clock: Clock) -> None:
        self._table = table
        self._kinds: Mapping[str, TimerKind] = {kind.name: kind for kind in kinds}
        self._clock = clock

    async def keep_on(self, find: Callable[[], ServedPlatform | None]) -> None:
        """Work off what the clubs of a platform have fall due, until cancelled; `find` returns it while it is there."""
        while True:
            served = find()
            try:
                if served is not None:
                    await self.work_off(served)
            except StorageError as error:
                _log.warning("What falls due cannot be looked for yet: %s", error)
            is_there = served is not None and served.timer_scopes()
            await self._clock.passed(_LOOK_AGAIN_S if is_there else _IS_THERE_S)

    async def work_off(self, served: ServedPlatform) -> None:
        """Work off all that is due by now."""
        while scopes := served.timer_scopes():
            now = self._clock.now()
            claimed = await self._table.claim(scopes=scopes, now=now, lease=LEASE, most=_MOST_AT_ONCE)
            if not claimed:
                return
            # One that hangs holds up nobody else's, and all are tried within their lease.
            tried = await asyncio.gather(*(self._try(one, served) for one in claimed), return_exceptions=True)
            for failed in tried:
                if failed is not None:
                    raise failed

    async def _try(self, claimed: ClaimedTimer, served: ServedPlatform) -> None:
        """Work one off; where that is not possible now, it comes again for as long as it is worth something."""
        timer = claimed.timer
        is_late = self._clock.now() > timer.due + timer.late
        try:
            async with asyncio.timeout(_ONE_TIMER_S):
                await self._say(claimed, served, is_late=is_late)
        except NotSentError as error:
            if error.for_good:
                _log.warning("%s was not taken: %s", _named(claimed), error)
                await self._table.done(claimed, dropped=True)
            else:
                await self._put_off(claimed, error, is_late=is_late)
        except (TimeoutError, StorageError) as error:
            await self._put_off(claimed, error, is_late=is_late)
        except Exception as error:  # noqa: BLE001 (one that breaks must not hold up the others)
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
            _log.warning("%s is of a kind that is not known here.", _named(claimed))
            return
        if is_late and await self._stands(claimed, kind, served):
            return
        if is_late:
            _log.warning("%s was due at %s: too late, it is dropped.", _named(claimed), timer.due.isoformat())
        messages = await (kind.missed(timer) if is_late else kind.due(timer))
        since = claimed.begun if claimed.attempts > 1 else None
        for number, message in enumerate(messages):
            ref = f"{claimed.ref}:{'missed' if is_late else 'due'}:{number}"
            await served.send(message, ref=ref, since=since)

    async def _stands(self, claimed: ClaimedTimer, kind: TimerKind, served: ServedPlatform) -> bool:
        """Return whether it was told in time, by an attempt that nobody saw the end of."""
        timer = claimed.timer
        if claimed.attempts == 1 or claimed.begun > timer.due + timer.late:
            return False
        said = [
            await served.stands(message, ref=f"{claimed.ref}:due:{number}", since=claimed.begun)
            for number, message in enumerate(await kind.due(timer))
        ]
        return bool(said) and all(said)

    async def _put_off(self, claimed: ClaimedTimer, why: Exception, *, is_late: bool) -> None:
        """Let it come again; what is too late already, for a while longer."""
        now = self._clock.now()
        pause = min(_FIRST_PAUSE * 2 ** min(claimed.attempts - 1, 9), _LONGEST_PAUSE)
        _log.warning("%s is tried again in %s: %s", _named(claimed), pause, str(why) or type(why).__name__)
        if is_late and now - claimed.begun > claimed.timer.late + _TOLD_WITHIN:
            await self._table.done(claimed, dropped=True)
        else:
            await self._table.put_off(claimed, until=now + pause)


def _named(claimed: ClaimedTimer) -> str:
    timer = claimed.timer
    return f"{timer.kind} {timer.name} of {timer.thread.scope}:{timer.thread.place}"
