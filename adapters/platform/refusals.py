"""Who was told just now that they ask too fast: of a flood of messages all are marked, and one is answered."""

import time
from collections.abc import Hashable
from typing import Final

_FOR_S: Final = 60.0
_MOST: Final = 1_000


class Refusals:
    """Knows who was told so where within the last minute."""

    def __init__(self) -> None:
        self._told: dict[Hashable, float] = {}

    def is_new(self, where: Hashable, member_id: str) -> bool:
        """Whether the member has yet to hear it there; from now on they have."""
        now = time.monotonic()
        if len(self._told) >= _MOST:
            self._told = {what: at for what, at in self._told.items() if now - at < _FOR_S}
        what = (where, member_id)
        is_new = now - self._told.get(what, -_FOR_S) >= _FOR_S
        if is_new:
            self._told[what] = now
        return is_new
