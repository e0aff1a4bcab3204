"""A platform's patience with a bot: counted in pieces, so that a moment in which nothing could run counts little.

Bot and platform are one process in the tests: where a busy machine holds it up for seconds, the bot is not to blame.
"""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

_PIECE_S: Final = 0.1


class Timer(Protocol):
    """What a loop calls later, unless it is cancelled."""

    def cancel(self) -> None: ...


class Later(Protocol):
    """Has something called after so many seconds, as a loop does."""

    def __call__(self, delay: float, callback: Callable[[], None], /) -> Timer: ...


class Patience:
    """Is over after so many seconds, of which a tenth counts as no more however long it took; then `do` is called."""

    def __init__(
        self, seconds: float, do: Callable[[], None] | None = None, *, call_later: Later | None = None
    ) -> None:
        self._left = seconds
        self._do = do
        self._call_later: Later = call_later or asyncio.get_running_loop().call_later
        self._timer = self._wait()

    @property
    def is_over(self) -> bool:
        return self._left <= 0

    def cancel(self) -> None:
        """Call nothing any more."""
        self._timer.cancel()

    def _wait(self) -> Timer:
        piece = min(_PIECE_S, self._left)
        return self._call_later(piece, lambda: self._waited(piece))

    def _waited(self, piece: float) -> None:
        self._left -= piece
        if not self.is_over:
            self._timer = self._wait()
        elif self._do is not None:
            self._do()
