"""What an adapter tells of a message, and what was said before it in its thread: kept in memory alone, a few lines."""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from cachetools import FIFOCache

from core.domain.conversation import Line, RepliesTo
from core.domain.reading import Listen, ListeningRule
from core.understanding.talk import LOOKED_BACK

_MOST_THREADS: Final = 2_000


ABOUT_TO_ANSWER: Final = Line(text="", is_bot=True)
"""The bot's line after a question that it has not answered yet: what follows counts as said after its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressing:
    """What an adapter knows of a human's message: how it addresses whom, and where it stands.

    `mentions_other`: somebody else is mentioned in it. `replies_to_other`: it is a reply to another human's message.
    """

    mentions_bot: bool = False
    replies_to_bot: bool = False
    mentions_other: bool = False
    replies_to_other: bool = False
    in_thread: bool = False
    thread_opened_by_bot: bool = False
    is_direct: bool = False


def opens_thread(heard: Addressing) -> bool:
    """Whether the message asks for a thread of its own: a mention outside any thread."""
    return heard.mentions_bot and not heard.in_thread and not heard.is_direct


def is_addressed(heard: Addressing) -> bool:
    """Whether something is said to the bot itself: in a direct message, by a mention, or in reply to it."""
    return heard.is_direct or heard.mentions_bot or heard.replies_to_bot


def listens(heard: Addressing, hearing: ListeningRule) -> bool:
    """Whether what is said in passing there may be for the bot: in threads that it opened, or was told to listen to."""
    return (
        heard.in_thread and hearing.listen is not Listen.MENTIONS and (heard.thread_opened_by_bot or hearing.said_here)
    )


def line_of(heard: Addressing, text: str, author: str) -> Line:
    """Return a message as a line of its thread."""
    replies_to = RepliesTo.MEMBER if heard.replies_to_other else RepliesTo.NOBODY
    return Line(
        text=text,
        author=author,
        mentions_bot=heard.mentions_bot,
        mentions_member=heard.mentions_other,
        replies_to=RepliesTo.BOT if heard.replies_to_bot else replies_to,
    )


@dataclass(frozen=True, slots=True)
class _KeptLine:
    ref: str | None
    line: Line
    is_asked: bool = False


class RecentLines:
    """What was said of late in the threads that are listened to. Where nobody spoke for longest is let go first.

    After a restart what was asked and answered is known again from what is stored; what else was said there is not.
    """

    def __init__(self) -> None:
        # Only what is said in a thread puts it last again, not that somebody looks at it.
        self._threads: FIFOCache[Hashable, deque[_KeptLine]] = FIFOCache(maxsize=_MOST_THREADS)

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
            lines.insert(latest, ABOUT_TO_ANSWER)
        return tuple(lines)

    def ask(self, thread: Hashable, ref: str | None) -> None:
        """Note that the line of a message asks the bot something; that waits until the bot says something there."""
        kept = self._threads.get(thread)
        if kept and kept[-1].ref == ref:
            kept[-1] = replace(kept[-1], is_asked=True)

    def add(self, thread: Hashable, line: Line, *, ref: str | None = None) -> None:
        """Keep a line; a message that comes again is kept once."""
        kept = self._threads.get(thread, deque(maxlen=LOOKED_BACK + 1))
        self._threads[thread] = kept
        if ref is None or all(one.ref != ref for one in kept):
            kept.append(_KeptLine(ref, line))

    def replace_text(self, ref: str, text: str) -> None:
        """Put another text in place of a message's; an empty one where it was deleted."""
        for kept in self._threads.values():
            for number, one in enumerate(kept):
                if one.ref == ref:
                    kept[number] = replace(one, line=replace(one.line, text=text))
                    return
