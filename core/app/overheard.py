"""What was said of late in the threads that are listened to; kept in memory alone, and only a few lines of each.

After a restart what was asked and answered is known again from what is stored; what else was said there is not.
"""

from collections import OrderedDict, deque
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Final

from core.domain.talk import Line
from core.text.talk_signals import LOOKED_BACK

_MOST_THREADS: Final = 2_000


@dataclass(frozen=True, slots=True)
class _Kept:
    ref: str | None
    line: Line


class Overheard:
    """The last lines of threads. Of those that nobody spoke in for longest the lines are let go first."""

    def __init__(self) -> None:
        self._threads: OrderedDict[Hashable, deque[_Kept]] = OrderedDict()

    def knows(self, thread: Hashable) -> bool:
        """Whether anything is known of what was said in a thread."""
        return thread in self._threads

    def before(self, thread: Hashable, ref: str | None = None) -> tuple[Line, ...]:
        """Return what was said in a thread, oldest first; before the message of a name, where it stands there."""
        lines = []
        for kept in self._threads.get(thread, ()):
            if ref is not None and kept.ref == ref:
                break
            lines.append(kept.line)
        return tuple(lines)

    def add(self, thread: Hashable, line: Line, *, ref: str | None = None) -> None:
        """Keep a line; a message that comes again is kept once."""
        kept = self._threads.setdefault(thread, deque(maxlen=LOOKED_BACK + 1))
        self._threads.move_to_end(thread)
        if ref is None or all(one.ref != ref for one in kept):
            kept.append(_Kept(ref, line))
        while len(self._threads) > _MOST_THREADS:
            self._threads.popitem(last=False)

    def replace_text(self, ref: str, text: str) -> None:
        """Put another text in place of a message's; an empty one where it was deleted."""
        for kept in self._threads.values():
            for number, one in enumerate(kept):
                if one.ref == ref:
                    kept[number] = _Kept(ref, replace(one.line, text=text))
                    return
