"""What was said of late in the threads that are listened to; kept in memory alone, and only a few lines of each.

After a restart what was asked and answered is known again from what is stored; what else was said there is not.
"""

from collections import OrderedDict, deque
from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from core.domain.talk import Line
from core.text.talk_signals import LOOKED_BACK

_MOST_THREADS: Final = 2_000


_ABOUT_TO_ANSWER: Final = Line(text="", is_bot=True)
"""Stands behind what the bot was asked and has not answered yet: whoever speaks next speaks after it, in effect."""


@dataclass(frozen=True, slots=True)
class _Kept:
    ref: str | None
    line: Line
    is_asked: bool = False


class Overheard:
    """The last lines of threads. Of those that nobody spoke in for longest the lines are let go first."""

    def __init__(self) -> None:
        self._threads: OrderedDict[Hashable, deque[_Kept]] = OrderedDict()

    def knows(self, thread: Hashable) -> bool:
        """Whether anything is known of what was said in a thread."""
        return thread in self._threads

    def before(self, thread: Hashable, ref: str | None = None) -> tuple[Line, ...]:
        """Return what was said in a thread, oldest first; before the message of a name, where it stands there."""
        said = list(takewhile(lambda kept: ref is None or kept.ref != ref, self._threads.get(thread, ())))
        lines = [kept.line for kept in said]
        # The latest that is the bot's or for it: where that is a question, the answer is still to come.
        latest = next((at for at, kept in reversed(list(enumerate(said, 1))) if kept.is_asked or kept.line.is_bot), 0)
        if latest and said[latest - 1].is_asked:
            lines.insert(latest, _ABOUT_TO_ANSWER)
        return tuple(lines)

    def ask(self, thread: Hashable, ref: str | None) -> None:
        """Note that the line of a message asks the bot something; that waits until the bot says something there."""
        kept = self._threads.get(thread)
        if kept and kept[-1].ref == ref:
            kept[-1] = replace(kept[-1], is_asked=True)

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
                    kept[number] = replace(one, line=replace(one.line, text=text))
                    return
