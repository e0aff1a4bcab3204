"""Who was told just now what one need not hear again at once: of a flood of messages one or two are answered."""

import time
from collections.abc import Hashable
from typing import Final

_FOR_S: Final = 60.0
_MOST: Final = 1_000
_ASKED_FOR_PAGE: Final = 2
"""How often a minute a member is asked how far they have read: whoever overlooks it once is asked again."""


class Refusals:
    """Knows who was told so where within the last minute."""

    def __init__(self) -> None:
        self._told: dict[Hashable, list[float]] = {}

    def is_new(self, where: Hashable, member_id: str) -> bool:
        """Whether the member has yet to hear there that they ask too fast; from now on they have."""
        return self._may_hear((where, member_id, "too fast"), most=1)

    def may_ask_page(self, where: Hashable, member_id: str) -> bool:
        """Whether the member may be asked there how far is read; from now on they have been, once more."""
        return self._may_hear((where, member_id, "page"), most=_ASKED_FOR_PAGE)

    def _may_hear(self, what: Hashable, *, most: int) -> bool:
        now = time.monotonic()
        if len(self._told) >= _MOST:
            self._told = {key: times for key, times in self._told.items() if now - times[-1] < _FOR_S}
        heard = [at for at in self._told.get(what, ()) if now - at < _FOR_S]
        if len(heard) >= most:
            return False
        self._told[what] = [*heard, now]
        return True
