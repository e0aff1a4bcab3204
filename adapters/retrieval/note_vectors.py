"""The vectors of reading notes by one embedding model, in files beside the database; until then words are compared.

They can be made again at any time, so they are not in the database: ADR 25.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.exact_index import nearest_first
from core.domain.book import Book
from core.domain.note import Note
from core.domain.passage import ReadableSpan, readable
from core.language.book_memory import BookCache, BookMemory
from core.language.kept_arrays import arrays_of, index_of
from core.ports.books import BookRepository
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.index_files import IndexFiles, IndexName
from core.ports.note_index import NoteIndex
from core.ports.notes import NoteRepository
from core.ports.vectors import Vectors

Result = TypeVar("Result")

_KIND: Final = "note-vectors"
_BATCH: Final = 64
_MOST: Final = 127
_LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRows:
    """The vectors of a book's notes in its order, and their pages.

    One byte per number, in a step size of each vector's own: a quarter of the memory, with cosines accurate to about
    0.002.
    """

    pages: NDArray[np.int32]
    steps: NDArray[np.float32]
    vectors: NDArray[np.int8]

    @classmethod
    def of(cls, pages: Sequence[int], vectors: Vectors) -> "NoteRows":
        """Quantise vectors, row by row."""
        steps = np.abs(vectors).max(axis=1, initial=_LEAST) / _MOST
        rows = np.rint(vectors / steps[:, None]).astype(np.int8)
        return cls(pages=np.array(pages, dtype=np.int32), steps=steps.astype(np.float32), vectors=rows)

    def cosines(self, vector: Vectors, *, last_page: int) -> NDArray[np.float32]:
        """Return the cosine between the vector and each note up to a page."""
        read = int(np.searchsorted(self.pages, last_page, side="right"))
        # Not a BLAS product: its rounding depends on the number of rows, and it wakes threads.
        return np.asarray(np.einsum("rd,d->r", self.vectors[:read].astype(np.float32), vector) * self.steps[:read])


class NoteVectors(NoteIndex):
    """Compares a vector with every readable note; a book's notes are embedded before questions come."""

    def __init__(
        self,
        *,
        books: BookRepository,
        notes: NoteRepository,
        embeddings: EmbeddingProvider,
        files: IndexFiles,
        workers: Executor,
        memory: BookMemory | None = None,
    ) -> None:
        self._books = books
        self._notes = notes
        self._embeddings = embeddings
        self._files = files
        self._workers = workers
        self._held: BookCache[NoteRows | None] = BookCache("note_vectors", memory)
        self._complete: dict[str, str] = {}

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        """Return note numbers, counted from 0 in book order, and their cosines, nearest first."""
        if not span.notes_id:
            return []
        held = await self._held.get(span.book_id, span.notes_id, lambda: self._load(span))
        if held is None:
            return []
        cosines = held.cosines(vector, last_page=span.last_page)
        order = nearest_first(cosines, limit)
        return list(zip(order.tolist(), cosines[order].tolist(), strict=True))

    async def complete(self, book: Book, *, on_done: Callable[[int, int], None] | None = None) -> None:
        """Embed the notes without stored vectors; a parallel call by another process does no harm."""
        if not book.notes_id or self._complete.get(book.book_id) == book.notes_id:
            return
        name = self._name(book.content_hash, book.book_id, book.notes_id)
        if await self._in_worker(lambda: self._files.load(name)) is None:
            rows = await self._embed(await self._notes.notes(readable(book, book.pages)), on_done)
            await self._in_worker(lambda: self._files.save(name, arrays_of(rows)))
        self._held.forget(book.book_id)
        self._complete[book.book_id] = book.notes_id

    async def _embed(self, notes: Sequence[Note], on_done: Callable[[int, int], None] | None) -> NoteRows:
        parts: list[Vectors] = [np.zeros((0, self._embeddings.dimensions), dtype=np.float32)]
        for first in range(0, len(notes), _BATCH):
            parts.append(await self._embeddings.embed([note.text for note in notes[first : first + _BATCH]]))
            if on_done is not None:
                on_done(min(first + _BATCH, len(notes)), len(notes))
        return NoteRows.of([note.page for note in notes], np.concatenate(parts))

    async def _load(self, span: ReadableSpan) -> NoteRows | None:
        book = await self._books.get(span.book_id)
        name = self._name(book.content_hash, span.book_id, span.notes_id)
        kept = await self._in_worker(lambda: self._files.load(name))
        return None if kept is None else index_of(NoteRows, kept)

    def _name(self, content_hash: str, book_id: str, notes_id: str) -> IndexName:
        version = f"{self._embeddings.model_id} {notes_id}"
        return IndexName(content_hash=content_hash, kind=f"{_KIND}-{book_id}", version=version)

    async def _in_worker(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)
