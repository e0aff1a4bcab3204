"""Search in Chroma: one collection a book and embedding model, with vectors only; SQL stays the truth.

Built as the measurements of Chroma 1.5.9 advise (ADR 3): the page bound goes into the query as the ids that may be
read, vectors are always given, one process owns a folder, writes come in batches.
"""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval import chroma_calls
from adapters.retrieval.chroma_calls import collection_name, fingerprint_of, owner_of
from adapters.retrieval.chroma_store import ChromaFailedError, ChromaStore, failing_alike
from adapters.retrieval.exact_index import ExactPassageIndex, readable_rows
from core.domain.passage import ReadableSpan
from core.language.book_memory import BookCache, BookMemory
from core.ports.passage_index import PassageIndex
from core.ports.vectors import ChunkVectors, Vectors

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

Given = ParamSpec("Given")
Result = TypeVar("Result")
_THREADS = 2
_OPEN_COLLECTIONS = 12
"""Each that was opened takes 3 MB until its client is closed, of which most are locks."""
_SET_ASIDE = (
    "A question crashed the last process, so I answer without Chroma now. `thusfar books reindex` rebuilds its index."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """Whose vectors a book's rows are, in its order, without the vectors: those are Chroma's to keep."""

    chunk_ids: NDArray[np.int64]
    end_pages: NDArray[np.int32]
    chunks: int


class ChromaPassageIndex(PassageIndex):
    """Chroma where it can be used, exact search over SQL's vectors everywhere else.

    Args:
        store: where Chroma keeps its collections.
        exact: the exact index over the same vectors.
        model_id: the embedding model, part of each collection's name.
        memory: bounds what is held of books.
    """

    def __init__(
        self,
        store: ChromaStore,
        *,
        exact: ExactPassageIndex,
        model_id: str,
        memory: BookMemory | None = None,
    ) -> None:
        self.store = store
        self._exact = exact
        self._model_id = model_id
        self._workers = ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix="chroma")
        self._collections: dict[str, tuple[dict[str, int], Collection]] = {}
        self._rows: BookCache[_Rows] = BookCache(f"rows {model_id}", memory)
        self._building = asyncio.Lock()
        self._asking = 0
        self._is_set_aside = False

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        """Return chunk ids and cosines, nearest first, all within the span."""
        rows = await self._held(span)
        first, readable = readable_rows(rows.end_pages, span)
        if readable == first:
            return []
        try:
            collection = None if self._is_set_aside else await self._collection(span.book_id, rows)
            if collection is not None:
                ask = partial(chroma_calls.query, collection, readable, vector, limit, of=len(rows.chunk_ids))
                self._asking += 1
                try:
                    found = await self._in_thread(self._asked, ask)
                finally:
                    self._asking -= 1
                if found is not None:
                    return [(int(rows.chunk_ids[row]), cosine) for row, cosine in found if first <= row < readable]
        except ChromaFailedError as failure:
            await self._heal(failure, span.book_id)
        return await self._exact.search(span, vector, limit=limit)

    async def count(self, span: ReadableSpan) -> int:
        """Return how many chunks of the whole book can be found."""
        return (await self._held(span)).chunks

    async def _held(self, span: ReadableSpan) -> _Rows:
        return await self._rows.get(span.book_id, span.import_id, lambda: self._load_rows(span.book_id))

    async def refresh(self, book_id: str) -> None:
        """Take in what SQL has for the book now."""
        await self._forget(book_id)
        rows = await self._load_rows(book_id)
        try:
            if await self._collection(book_id, rows) is None or len(rows.chunk_ids):
                return
            async with self._building:
                self._collections.pop(book_id, None)
                await self._in_thread(self.store.drop, self._name(book_id))
        except ChromaFailedError as failure:
            await self._heal(failure, book_id)

    async def rebuild(self, book_id: str | None = None) -> bool:
        """Throw away what is there of a book, or of all, to be taken in anew; False where that cannot be done here."""
        async with self._building:
            if book_id is None:
                self._collections.clear()
                return await self._in_thread(self.store.start_over)
            if not await self._opened():
                return False
            self._collections.pop(book_id, None)
            with contextlib.suppress(ChromaFailedError):  # there may be nothing of it yet
                await self._in_thread(self.store.drop, self._name(book_id))
            return True

    def set_aside(self) -> None:
        """Search SQL's vectors alone for as long as this process lives: the one before it may have died in Chroma."""
        if not self._is_set_aside:
            self._is_set_aside = True
            self.store.say(_SET_ASIDE)

    async def usable(self) -> bool:
        """Open Chroma where that has not been done; return whether questions are searched in it now."""
        try:
            async with self._building:
                return await self._opened()
        except ChromaFailedError as failure:
            await self._heal(failure, None)
            return self.store.is_open()

    async def close(self) -> None:
        """Let go of files, locks and connections."""
        self._collections.clear()
        await asyncio.get_running_loop().run_in_executor(self._workers, self.store.close)
        self._workers.shutdown(wait=True)

    def _name(self, book_id: str) -> str:
        return collection_name(book_id, self._model_id)

    async def _forget(self, book_id: str) -> None:
        """Hold nothing of a book: SQL may have others by now."""
        await self._exact.refresh(book_id)
        self._rows.forget(book_id)
        self._collections.pop(book_id, None)

    async def _load_rows(self, book_id: str) -> _Rows:
        held = await self._exact.load(book_id)
        return _Rows(chunk_ids=held.chunk_ids, end_pages=held.end_pages, chunks=len(np.unique(held.chunk_ids)))

    async def _collection(self, book_id: str, rows: _Rows) -> "Collection | None":
        """Return the book's collection, filled; None where Chroma cannot be used, or somebody is filling it now."""
        fingerprint = fingerprint_of(rows.chunk_ids)
        known_state, known = self._collections.get(book_id, (fingerprint, None))
        if known is not None and known_state == fingerprint:
            return known
        if self._building.locked():
            return None
        async with self._building:
            if not await self._opened():
                return None
            if len(self._collections) >= _OPEN_COLLECTIONS and not self._asking:
                self._collections.clear()
                await self._in_thread(self.store.let_go)
            collection = await self._filled(book_id, fingerprint)
            if collection is None:
                return None
            self._collections[book_id] = fingerprint, collection
            return collection

    async def _filled(self, book_id: str, fingerprint: dict[str, int]) -> "Collection | None":
        """Return the collection with just these rows; None where SQL has others by now, which are taken in next."""
        name = self._name(book_id)
        collection = await self._in_thread(self.store.make, name, fingerprint)
        rows = await self._in_thread(chroma_calls.rows_in, collection, fingerprint)
        if rows == fingerprint["rows"]:
            return collection
        held = await self._exact.load(book_id)
        if fingerprint_of(held.chunk_ids) != fingerprint:
            await self._forget(book_id)
            return None
        if rows is None or (rows and not self.store.is_shared):
            await self._in_thread(self.store.drop, name)
            collection, rows = await self._in_thread(self.store.make, name, fingerprint), 0
        await self._fill(collection, held, rows)
        await self._exact.refresh(book_id)  # who asked meanwhile was answered from there
        return collection

    async def _fill(self, collection: "Collection", held: ChunkVectors, start: int) -> None:
        batch = self.store.batch
        for first in range(start, len(held.chunk_ids), batch):
            await self._in_thread(chroma_calls.add, collection, held, first, batch)

    async def _opened(self) -> bool:
        """Open Chroma where that has not been done; whatever it has kept of books that are gone is thrown away."""
        if not await self._in_thread(self.store.open):
            return False
        for name in self.store.found():
            if not await self._exact.has(*owner_of(name)):
                await self._in_thread(self.store.drop, name)
        return True

    async def _heal(self, failure: ChromaFailedError, book_id: str | None) -> None:
        async with self._building:
            self._collections.clear()
            await self._in_thread(self.store.heal, failure, book_id and self._name(book_id))

    def _asked(self, ask: Callable[[], Result]) -> Result | None:
        """Ask where it can be done: by the time that a thread is free, others may have found out that it cannot."""
        return ask() if self.store.is_open() else None

    async def _in_thread(self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs) -> Result:
        def guarded() -> Result:
            with failing_alike():
                return work(*given, **options)

        return await asyncio.get_running_loop().run_in_executor(self._workers, guarded)
