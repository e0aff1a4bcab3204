"""Search in Chroma: one collection per book and embedding model, with vectors only; SQL holds the original data.

Built according to measurements of Chroma 1.5.9 (ADR 3): queries name the readable ids, vectors are always given, one
process owns a folder, and writes come in batches.
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
"""Each opened collection uses 3 MB until its client is closed, mostly for locks."""
_SET_ASIDE = (
    "A question crashed the last process, so I answer without Chroma now. `thusfar books reindex` rebuilds its index."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """The ids and pages of a book's rows, in its order, without the vectors, which Chroma stores."""

    chunk_ids: NDArray[np.int64]
    end_pages: NDArray[np.int32]
    chunks: int


class ChromaPassageIndex(PassageIndex):
    """Searches in Chroma if possible, otherwise exactly over SQL's vectors.

    Args:
        store: where Chroma keeps its collections.
        exact: the exact index over the same vectors.
        model_id: the embedding model, part of each collection's name.
        memory: limits the memory used for books.
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
        """Load SQL's current data of the book."""
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
        """Delete the data of a book, or of all, to be loaded again; return False if that is impossible here."""
        async with self._building:
            if book_id is None:
                self._collections.clear()
                return await self._in_thread(self.store.start_over)
            if not await self._opened():
                return False
            self._collections.pop(book_id, None)
            with contextlib.suppress(ChromaFailedError):  # there may be no collection yet
                await self._in_thread(self.store.drop, self._name(book_id))
            return True

    def set_aside(self) -> None:
        """Search only SQL's vectors from now on: the previous process may have crashed in Chroma."""
        if not self._is_set_aside:
            self._is_set_aside = True
            self.store.say(_SET_ASIDE)

    async def usable(self) -> bool:
        """Open Chroma if needed; return whether questions are searched in it now."""
        try:
            async with self._building:
                return await self._opened()
        except ChromaFailedError as failure:
            await self._heal(failure, None)
            return self.store.is_open()

    async def close(self) -> None:
        """Release files, locks and connections."""
        self._collections.clear()
        await asyncio.get_running_loop().run_in_executor(self._workers, self.store.close)
        self._workers.shutdown(wait=True)

    def _name(self, book_id: str) -> str:
        return collection_name(book_id, self._model_id)

    async def _forget(self, book_id: str) -> None:
        """Drop what is cached of a book, since SQL may have other data."""
        await self._exact.refresh(book_id)
        self._rows.forget(book_id)
        self._collections.pop(book_id, None)

    async def _load_rows(self, book_id: str) -> _Rows:
        held = await self._exact.load(book_id)
        return _Rows(chunk_ids=held.chunk_ids, end_pages=held.end_pages, chunks=len(np.unique(held.chunk_ids)))

    async def _collection(self, book_id: str, rows: _Rows) -> "Collection | None":
        """Return the book's collection, filled; None if Chroma can't be used, or is being filled now."""
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
        """Return the collection with exactly these rows; None if SQL has other rows now, which are loaded next."""
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
        await self._exact.refresh(book_id)  # questions were answered from there until now
        return collection

    async def _fill(self, collection: "Collection", held: ChunkVectors, start: int) -> None:
        batch = self.store.batch
        for first in range(start, len(held.chunk_ids), batch):
            await self._in_thread(chroma_calls.add, collection, held, first, batch)

    async def _opened(self) -> bool:
        """Open Chroma if needed, and drop its collections of deleted books."""
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
        """Call `ask` if Chroma is still usable: other threads may have found a failure."""
        return ask() if self.store.is_open() else None

    async def _in_thread(self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs) -> Result:
        def guarded() -> Result:
            with failing_alike():
                return work(*given, **options)

        return await asyncio.get_running_loop().run_in_executor(self._workers, guarded)
