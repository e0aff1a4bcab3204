"""Notes by their vectors, made when they are asked for to be complete."""

from collections.abc import Callable

from core.domain.book import Book
from core.domain.passage import ReadableSpan, readable
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.note_index import NoteIndex
from core.ports.notes import NoteRepository
from core.ports.vectors import Vectors


class InMemoryNoteIndex(NoteIndex):
    """Compares the vector with that of every readable note."""

    def __init__(self, notes: NoteRepository, embeddings: EmbeddingProvider) -> None:
        self._notes = notes
        self._embeddings = embeddings
        self._made: dict[tuple[str, str], tuple[list[int], Vectors]] = {}

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        pages, vectors = self._made.get((span.book_id, span.notes_id), ([], None))
        if vectors is None:
            return []
        found = [
            (number, float(vectors[number] @ vector)) for number, page in enumerate(pages) if page <= span.last_page
        ]
        return sorted(found, key=lambda each: -each[1])[:limit]

    async def complete(self, book: Book, *, on_done: Callable[[int, int], None] | None = None) -> None:
        if not book.notes_id or (book.book_id, book.notes_id) in self._made:
            return
        notes = await self._notes.notes(readable(book, book.pages))
        vectors = await self._embeddings.embed([note.text for note in notes])
        self._made[book.book_id, book.notes_id] = [note.page for note in notes], vectors
        if on_done is not None:
            on_done(len(notes), len(notes))
