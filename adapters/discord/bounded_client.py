"""discord.py's client without what it does for ever or too often, or dies of: one strange event ends no session."""

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
    """When the next IDENTIFY may go out.

    Discord takes a thousand a day, then it resets the token; discord.py sends one every five seconds for as long as
    Discord answers with `invalid session`. Two hundred may come at any pace, then one every two minutes: 920 a day.
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
        """Return how many seconds to wait before it; a client's first need not stand apart from another."""
        now = self._clock()
        gained = (now - self._counted_at) / self._another_after
        self._left, self._counted_at = min(self._most, self._left + gained), now
        return max(0.0 if first else _APART_S, (1 - self._left) * self._another_after)

    def count(self) -> None:
        """Count one."""
        self._left -= 1


class BoundedClient(discord.Client):
    """A client that leaves nothing to wait for without end; `away_for` tells how long it has had no session."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 (whatever discord.py takes)
        super().__init__(**options)
        parsers = self._connection.parsers
        parsers |= {name: _guarded(name, parse) for name, parse in parsers.items() if name != "READY"}
        self.new_sessions = NewSessions()
        self._away_since: float | None = None

    @property
    def away_for(self) -> float:
        """For how many seconds there has been no session."""
        return 0.0 if self._away_since is None else time.monotonic() - self._away_since

    def waits_for_session(self) -> None:
        """Count from now on, if there is no session yet."""
        self._away_since = time.monotonic()

    @override
    async def setup_hook(self) -> None:
        """Let no global rate limit outlast five seconds unasked.

        discord.py stops all calls then, and only the call that met the limit lets them go on. One that was given up
        meanwhile, as a typing notice is, would stop them for good.
        """
        gate = self.http._global_over = _OpensAgain()  # noqa: SLF001 (there is no other way to it)
        gate.set()

    @override
    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a new session may begin."""
        pause = self.new_sessions.pause(first=initial)
        if pause > _APART_S:
            _log.warning("Discord ends too many sessions; it takes a thousand a day. The next begins in %.0f s.", pause)
        await asyncio.sleep(pause)
        self.new_sessions.count()

    async def on_connect(self) -> None:
        """A new session."""
        self._away_since = None

    async def on_resumed(self) -> None:
        """The session goes on, and Discord hands over what was said meanwhile."""
        self._away_since = None

    async def on_disconnect(self) -> None:
        """There is no session for now."""
        self._away_since = self._away_since or time.monotonic()


def _guarded(event: str, parse: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Return a parser that lets an event be that it can't read; discord.py itself would end the session."""

    def parsed(data: Any) -> None:  # noqa: ANN401 (whatever the gateway sends)
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 (whatever it is, the next event isn't to suffer from it)
            _log.warning("Discord sent a %s that can't be read: %s", event, type(error).__name__)

    return parsed


class _OpensAgain(asyncio.Event):
    @override
    def clear(self) -> None:
        super().clear()
        asyncio.get_running_loop().call_later(_LONGEST_GLOBAL_S, self.set)
