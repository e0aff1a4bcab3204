"""Searches by meaning with several embedding models: the best one that has the whole book and can be reached."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from cachetools import LRUCache

from core.catalogue.sentences import sentence
from core.domain.book import Book
from core.domain.errors import LLMError
from core.domain.passage import ReadableSpan
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.note_index import NoteIndex
from core.ports.passage_index import Near, PassageIndex
from core.ports.vectors import VectorRepository, Vectors

Progress = Callable[[str, int, int], None]
"""Takes the name of the step, how many chunks are done, and how many there are."""

_log = logging.getLogger(__name__)
_EMBED_BATCH = 64
_NEAR_NOTES = 20
_KEPT_VECTORS = 16


def whole(text: str) -> list[str]:
    """Return a chunk as its only piece, so that it gets one vector."""
    return [text]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One embedding model and the index over its vectors. Vectors of two models are never compared.

    Attributes:
        embeddings: the model.
        passages: the index of the book's chunks.
        cut: divides a chunk into the pieces that are embedded.
        notes: the index of reading notes; None where this model does not embed them.
        former: the model serves the books that it has embedded until a better one is ready, and embeds no others.
    """

    embeddings: EmbeddingProvider
    passages: PassageIndex
    cut: Callable[[str], Sequence[str]] = whole
    notes: NoteIndex | None = None
    former: bool = False


class DenseSearch:
    """Searches by meaning over several rungs.

    The first rung that has all vectors of a book serves it, so a new model takes over only when it is ready. If its
    model cannot be reached, the next rung answers.

    Args:
        rungs: the models, best first; empty where nothing is embedded.
        vectors: the stored vectors.
        wholes: one more model that compares whole passages by static vectors, which are quick to make.
    """

    def __init__(self, rungs: Sequence[Rung], *, vectors: VectorRepository, wholes: Rung | None = None) -> None:
        self._rungs = tuple(rungs)
        self._wholes = wholes
        self._all = (*self._rungs, wholes) if wholes is not None else self._rungs
        self._vectors = vectors
        self._asked: LRUCache[tuple[str, str], Vectors] = LRUCache(maxsize=_KEPT_VECTORS)

    async def near_notes(self, span: ReadableSpan, query: str) -> list[tuple[int, float]]:
        """Return indexes and scores of the notes within the span nearest to a query; empty where no model can tell."""
        for rung in self._rungs:
            if rung.notes is None or not span.notes_id:
                continue
            vector = await self._vector_of(rung, query)
            if vector is not None and vector.any():
                return await rung.notes.search(span, vector, limit=_NEAR_NOTES)
        return []

    async def nearest(self, book: Book, span: ReadableSpan, query: str, *, limit: int) -> Near:
        """Return up to `limit` chunks and `limit` notes within the span; empty where no rung can answer."""
        wholes = await self._near_wholes(book, span, query, limit=limit)
        for rung in self._rungs:
            if not await self._has_all(rung, book, span):
                continue
            vector = await self._vector_of(rung, query)
            if vector is None:
                continue
            if not vector.any():
                break
            notes = [] if rung.notes is None else await rung.notes.search(span, vector, limit=limit)
            near = await rung.passages.search(span, vector, limit=limit)
            return Near(wholes=wholes, chunks=near, notes=notes)
        return Near(wholes=wholes)

    async def complete(self, book: Book, *, on_progress: Progress | None = None) -> None:
        """Make the missing vectors of a book, lowest rung first, since it is ready soonest.

        Raises:
            LLMError: a model cannot be reached; finished vectors stay stored.
        """
        for rung in reversed([rung for rung in self._all if not rung.former]):
            await self._embed(rung, book, on_progress)
            await rung.passages.refresh(book.book_id)
        await self.complete_notes(book, on_progress=on_progress)

    async def complete_notes(self, book: Book, *, on_progress: Progress | None = None) -> None:
        """Make the missing vectors of a book's reading notes.

        Raises:
            LLMError: a model cannot be reached.
        """
        tell = None if on_progress is None else partial(on_progress, sentence("taking in the notes on"))
        for rung in self._rungs:
            if rung.notes is not None and not rung.former:
                await rung.notes.complete(book, on_done=tell)

    async def refresh(self, book_id: str) -> None:
        """Reload a book's vectors from the store into the indexes."""
        for rung in self._all:
            await rung.passages.refresh(book_id)

    async def close(self) -> None:
        """Close the indexes' files and locks."""
        for rung in self._all:
            await rung.passages.close()

    async def _near_wholes(
        self, book: Book, span: ReadableSpan, query: str, *, limit: int
    ) -> Sequence[tuple[int, float]]:
        """Return the chunks whose whole text is nearest to a query. An older book gets its static vectors first."""
        rung = self._wholes
        vector = await self._vector_of(rung, query) if rung is not None else None
        if rung is None or vector is None or not vector.any():
            return ()
        if not await self._has_all(rung, book, span):
            await self._embed(rung, book, None)
            await rung.passages.refresh(book.book_id)
        return await rung.passages.search(span, vector, limit=limit)

    async def _vector_of(self, rung: Rung, query: str) -> Vectors | None:
        """Return the vector of a query; None where the model cannot answer. Cached, since a turn repeats its query."""
        key = rung.embeddings.model_id, query
        if key not in self._asked:
            try:
                vector = (await rung.embeddings.embed([query]))[0]
            except LLMError as error:
                _log.warning("%s cannot embed the question: %s", rung.embeddings.model_id, error)
                return None
            self._asked[key] = vector
        return self._asked[key]

    async def _has_all(self, rung: Rung, book: Book, span: ReadableSpan) -> bool:
        """Whether a rung has vectors for all chunks of a book.

        Reloads the index first where another process has embedded or imported the book since.
        """
        if await rung.passages.count(span) >= book.chunks:
            return True
        if await self._vectors.count(book.book_id, rung.embeddings.model_id) < book.chunks:
            return False
        await rung.passages.refresh(book.book_id)
        return await rung.passages.count(span) >= book.chunks

    async def _embed(self, rung: Rung, book: Book, on_progress: Progress | None) -> None:
        model_id = rung.embeddings.model_id
        done = await self._vectors.count(book.book_id, model_id)
        while batch := await self._vectors.missing(book.book_id, model_id, limit=_EMBED_BATCH):
            pieces = [(chunk_id, piece) for chunk_id, text in batch for piece in rung.cut(text)]
            vectors = await rung.embeddings.embed([piece for _, piece in pieces])
            await self._vectors.save(model_id, [chunk_id for chunk_id, _ in pieces], vectors)
            done += len(batch)
            if on_progress is not None:
                on_progress(sentence("getting ready"), done, book.chunks)
