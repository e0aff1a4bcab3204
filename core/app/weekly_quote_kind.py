"""What a club is shown once a week, where it wants that: a line that somebody chose, each of them once."""

from collections.abc import Sequence

from core.app.commands.quote_lines import quote_line
from core.app.due import DueMessage, TimerKind
from core.app.positions import PositionService
from core.app.threads import ThreadService
from core.app.weekly_quotes import WEEKLY_QUOTE, WeeklyQuotes
from core.domain.position import page_names
from core.domain.timer import Timer
from core.ports.books import BookRepository
from core.ports.keepsakes import KeepsakeRepository


class WeeklyQuoteKind(TimerKind):
    """Shows one quote up to the thread's page that no week has shown; where there is none, it says nothing."""

    name = WEEKLY_QUOTE

    def __init__(
        self,
        weekly: WeeklyQuotes,
        *,
        threads: ThreadService,
        positions: PositionService,
        books: BookRepository,
        keepsakes: KeepsakeRepository,
    ) -> None:
        self._weekly = weekly
        self._threads = threads
        self._positions = positions
        self._books = books
        self._keepsakes = keepsakes

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the week's quote, the same if asked again; the next week's timer is kept before anything is said."""
        await self._weekly.keep_next(timer)
        if await self._threads.reading(timer.thread) is None:
            return ()
        owner = await self._threads.owner(timer.thread)
        reached = await self._positions.of_owner(owner)
        chosen = await self._keepsakes.of_week(owner.reading_id, timer.name, reached=reached or 0)
        if chosen is None:
            return ()
        name = page_names(await self._books.outline(owner.book_id))
        line = quote_line(chosen, name, scope=timer.thread.scope)
        return [DueMessage(thread=timer.thread, text=f"**A line from the pages you have read:**\n{line}")]

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Say nothing: the next one comes in its week."""
        await self._weekly.keep_next(timer)
        return ()
