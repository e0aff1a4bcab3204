"""Makes notes in the background of `serve` and `chat`, when an organiser asks; continues after a crash."""

import asyncio
import logging

from core.domain.book import Book
from core.domain.errors import LLMError, ThusfarError
from core.domain.note import NoteMaking
from core.library.note_making import NoteMaker
from core.ports.books import BookTexts
from core.ports.notes import NoteRepository

_log = logging.getLogger(__name__)


class NoteJobs:
    """Runs one task per book. Makings that were started at the command line are not continued here."""

    def __init__(self, *, books: BookTexts, notes: NoteRepository, maker: NoteMaker) -> None:
        self._books = books
        self._notes = notes
        self._maker = maker
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def is_running(self, book_id: str) -> bool:
        """Whether this process is making a book's notes."""
        task = self._tasks.get(book_id)
        return task is not None and not task.done()

    def start(self, book: Book, *, asked_in: str) -> None:
        """Start or continue making a book's notes, unless it is running."""
        if not self.is_running(book.book_id):
            self._tasks[book.book_id] = asyncio.create_task(self._make(book, asked_in))

    async def makings(self) -> list[NoteMaking]:
        """Return all unfinished makings."""
        return await self._notes.makings()

    async def making(self, book: Book) -> NoteMaking | None:
        """Return the progress of a book's notes; None if none are being made."""
        makings = await self._notes.makings()
        return next((making for making in makings if making.book_id == book.book_id), None)

    async def resume(self) -> None:
        """Continue the unfinished makings that were asked for on a platform, unless their budget is used up."""
        for making in await self._notes.makings():
            if making.asked_in and not making.is_spent:
                self.start(await self._books.get(making.book_id), asked_in=making.asked_in)

    async def stop(self, book: Book) -> None:
        """Stop making a book's notes, and delete them."""
        await self._end(book.book_id)
        await self._notes.remove(book.book_id)

    async def idle(self) -> None:
        """Wait until no task is running."""
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def close(self) -> None:
        """Stop all tasks; finished notes stay stored."""
        for book_id in list(self._tasks):
            await self._end(book_id)

    async def _end(self, book_id: str) -> None:
        task = self._tasks.pop(book_id, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _make(self, book: Book, asked_in: str) -> None:
        try:
            await self._maker.make(book, asked_in=asked_in)
        except (LLMError, ThusfarError) as error:
            _log.warning("The notes of %s cannot be finished yet: %s", book.title, error)
