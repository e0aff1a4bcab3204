"""Reading notes, in memory. They hang on the books of InMemoryBookRepository, and go with them."""

from collections.abc import Sequence
from dataclasses import replace

from core.domain.note import Note, NoteBatch, NoteMaking, NotesSummary, numbered
from core.domain.passage import ReadableSpan
from core.ports.notes import NoteRepository
from tests.fakes.books import InMemoryBookRepository


class InMemoryNoteRepository(NoteRepository):
    """Notes in the order of the book, in the tables that the books keep."""

    def __init__(self, books: InMemoryBookRepository) -> None:
        self._books = books
        self._makings: dict[str, NoteMaking] = {}
        self._changes = 0

    async def notes(self, span: ReadableSpan) -> list[Note]:
        return [
            note for note in self._books.notes.get(span.book_id, []) if span.first_page <= note.page <= span.last_page
        ]

    async def summary(self, book_id: str) -> NotesSummary:
        held = self._books.notes.get(book_id, [])
        writers = {note.written_by for note in held if note.written_by}
        return NotesSummary(notes=len(held), pages=len({note.page for note in held}), written_by=tuple(sorted(writers)))

    async def replace(self, book_id: str, notes: Sequence[Note]) -> None:
        await self._books.get(book_id)
        await self.remove(book_id)
        self._books.notes[book_id] = [replace(note, number=number) for number, note in numbered(notes)]
        self._let_be_used(book_id)

    async def remove(self, book_id: str) -> int:
        self._makings.pop(book_id, None)
        self._books.notes_ids.pop(book_id, None)
        return len(self._books.notes.pop(book_id, []))

    async def begin(self, book_id: str, *, most_tokens: int, asked_in: str = "") -> NoteMaking:
        await self._books.get(book_id)
        held = self._makings.get(book_id) or NoteMaking(book_id=book_id, most_tokens=most_tokens)
        self._makings[book_id] = replace(held, most_tokens=most_tokens, asked_in=asked_in)
        return self._makings[book_id]

    async def makings(self) -> list[NoteMaking]:
        return [self._makings[book_id] for book_id in sorted(self._makings) if self._books.holds(book_id)]

    async def keep(self, book_id: str, batch: NoteBatch) -> NoteMaking | None:
        making = self._makings.get(book_id)
        if making is None or not self._books.holds(book_id):
            return None
        if any(first <= batch.last_page and last >= batch.first_page for first, last in making.done):
            return making
        held = [*self._books.notes.get(book_id, []), *batch.notes]
        self._books.notes[book_id] = [replace(note, number=number) for number, note in numbered(held)]
        done = tuple(sorted((*making.done, (batch.first_page, batch.last_page))))
        self._makings[book_id] = replace(making, done=done, usage=making.usage + batch.usage)
        return self._makings[book_id]

    async def finish(self, book_id: str) -> None:
        if self._makings.pop(book_id, None) is not None:
            self._let_be_used(book_id)

    def _let_be_used(self, book_id: str) -> None:
        self._changes += 1
        if self._books.notes.get(book_id):
            self._books.notes_ids[book_id] = f"notes {self._changes}"
