"""A discord.py client with bounded waits and call rates, which one invalid event cannot end."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any, Final

import discord
from typing_extensions import override

_log = logging.getLogger(__name__)

_LONGEST_GLOBAL_S: Final = 5.0
_APART_S: Final = 5.0
_AT_ONCE: Final = 200
_ANOTHER_AFTER_S: Final = 120.0


class NewSessions:
    """Decides when the next IDENTIFY may be sent.

    Discord allows a thousand a day, then resets the token; discord.py sends one every five seconds while Discord
    answers `invalid session`. Here two hundred may be sent at any pace, then one every two minutes: 920 a day.
    """

    def __init__(
        self,
        *,
        at_once: int = _AT_ONCE,
        another_after: float = _ANOTHER_AFTER_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = self._left = float(at_once)
        self._another_after = another_after
        self._clock = clock
        self._counted_at = clock()

    def pause(self, *, first: bool) -> float:
        """Return the seconds to wait before the next one; a client's `first` needs no distance from the one before."""
        now = self._clock()
        gained = (now - self._counted_at) / self._another_after
        self._left, self._counted_at = min(self._most, self._left + gained), now
        return max(0.0 if first else _APART_S, (1 - self._left) * self._another_after)

    def count(self) -> None:
        """Count one."""
        self._left -= 1


class BoundedClient(discord.Client):
    """A client without unbounded waits; `away_for` returns how long it has had no session."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 (discord.py's own options)
        super().__init__(**options)
        parsers = self._connection.parsers
        parsers |= {name: _guarded(name, parse) for name, parse in parsers.items() if name != "READY"}
        self.new_sessions = NewSessions()
        self._away_since: float | None = None

    @property
    def away_for(self) -> float:
        """Return the seconds without a session."""
        return 0.0 if self._away_since is None else time.monotonic() - self._away_since

    def waits_for_session(self) -> None:
        """Start counting the time without a session, if there is none."""
        self._away_since = time.monotonic()

    @override
    async def setup_hook(self) -> None:
        """Limit every global rate limit to five seconds before the next attempt.

        discord.py then stops all calls, and only the call that hit the limit releases them. If that call was cancelled,
        as a typing indicator may be, they would never be released.
        """
        gate = self.http._global_over = _OpensAgain()  # noqa: SLF001 (discord.py offers no other way)
        gate.set()

    @override
    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a new session may begin."""
        pause = self.new_sessions.pause(first=initial)
        if pause > _APART_S:
            _log.warning(
                "Discord ends too many sessions; it allows a thousand a day. The next begins in %.0f s.", pause
            )
        await asyncio.sleep(pause)
        self.new_sessions.count()

    async def on_connect(self) -> None:
        """Note that a session has begun."""
        self._away_since = None

    async def on_resumed(self) -> None:
        """Note that the session was resumed; Discord sends what was missed."""
        self._away_since = None

    async def on_disconnect(self) -> None:
        """Note that there is no session."""
        self._away_since = self._away_since or time.monotonic()


def _guarded(event: str, parse: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Return a parser that skips events it can't read; discord.py would end the session."""

    def parsed(data: Any) -> None:  # noqa: ANN401 (anything that the gateway sends)
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 (the next event must not suffer from it)
            _log.warning("Discord sent a %s that can't be read: %s", event, type(error).__name__)

    return parsed


class _OpensAgain(asyncio.Event):
    @override
    def clear(self) -> None:
        super().clear()
        asyncio.get_running_loop().call_later(_LONGEST_GLOBAL_S, self.set)
