"""What a thread is called: the book, the page and who asks. One rule for every question, and never its words.

A title stands where everybody of a place sees it, also who never opens the thread; and a title that is one thing for a
question about what lies ahead and another for one about what the book never says would tell them apart (spec 4).
"""

from typing import Final

from core.app.threads import ThreadService
from core.domain.book import BookOutline
from core.domain.conversation import Author
from core.domain.position import page_names
from core.domain.thread import Thread
from core.domain.words import plain_name
from core.ports.clock import Clock

_LONGEST_BOOK: Final = 55
_LONGEST_NAME: Final = 25
"""Together with the page they stay below the hundred characters that Discord takes."""


class ThreadTitles:
    """Names threads by what their place reads."""

    def __init__(self, *, threads: ThreadService, clock: Clock) -> None:
        self._threads = threads
        self._clock = clock

    async def of(self, thread: Thread, asker: Author) -> str | None:
        """Return what a thread that begins in a place is called; None where nothing is read: there is none to open."""
        state = await self._threads.place(thread)
        if state is None:
            return None
        position = state.standing.public(self._clock.now())
        title = _cut(plain_name(state.book.title), _LONGEST_BOOK)
        name = page_names(BookOutline(pages=state.book.pages, labels=state.labels))
        to = f" to p. {name(position)}" if position else ""
        return f"{title}{to}: {_cut(asker.display_name, _LONGEST_NAME)} asks"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
