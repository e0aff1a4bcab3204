"""Search in Chroma: one collection a book and embedding model, with vectors only; SQL stays the truth.

Built as the measurements of Chroma 1.5.9 advise (ADR 0003): the page bound goes into the query as the ids that may be
read, vectors are always given, one process owns the folder, writes come in small batches since they hold the GIL.
"""

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from adapters.retrieval import chroma_calls
from adapters.retrieval.chroma_calls import WRITE_BATCH, collection_name, fingerprint_of
from adapters.retrieval.exact_index import ExactPassageIndex, readable_rows
from adapters.retrieval.hnsw_files import vector_files_are_whole
from core.caching.book_cache import BookCache
from core.caching.book_memory import BookMemory
from core.domain.passage import ReadableSpan
from core.ports.passage_index import PassageIndex
from core.ports.vectors import Vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

Result = TypeVar("Result")
_log = logging.getLogger(__name__)
_THREADS = 4
_OPEN_COLLECTIONS = 64
_HEALED = "The Chroma index was missing or damaged; it is being rebuilt from the database."
_SET_ASIDE = (
    "A question ended the process before; it is answered without Chroma now. `thusfar books reindex` makes that anew."
)


class _ChromaFailedError(Exception):
    """Chroma could not do what was asked; its own exceptions, Rust panics among them, end here."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """Whose vectors a book's rows are, in its order, without the vectors: those are Chroma's to keep."""

    chunk_ids: NDArray[np.int64]
    end_pages: NDArray[np.int32]
    chunks: int


class ChromaPassageIndex(PassageIndex):
    """Chroma where this process owns the folder, exact search over SQL's vectors everywhere else.

    Args:
        folder: Chroma's folder; a lock file beside it says who owns it.
        exact: the exact index over the same vectors.
        model_id: the embedding model, part of each collection's name.
        say: tells the operator one line.
        memory: bounds what is held of books.
    """

    def __init__(
        self,
        folder: Path,
        *,
        exact: ExactPassageIndex,
        model_id: str,
        say: Callable[[str], None],
        memory: BookMemory | None = None,
    ) -> None:
        self._folder = folder
        self._exact = exact
        self._model_id = model_id
        self._say = say
        self._lock = FileLock(folder.with_suffix(".owner"), blocking=False, thread_local=False)
        self._workers = ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix="chroma")
        self._client: Client | None = None
        self._collections: dict[str, tuple[dict[str, int], Collection]] = {}
        self._rows: BookCache[_Rows] = BookCache(f"rows {model_id}", memory)
        self._building = asyncio.Lock()
        self._given_up = False
        self._is_set_aside = False

    async def search(self, span: ReadableSpan, vector: Vectors, *, limit: int) -> list[tuple[int, float]]:
        """Return chunk ids and cosines, nearest first, all within the span."""
        rows = await self._held(span)
        readable = readable_rows(rows.end_pages, span)
        if readable == 0:
            return []
        try:
            collection = None if self._is_set_aside else await self._collection(span.book_id, rows)
            if collection is not None:
                rows_nearest = partial(chroma_calls.query, of=len(rows.chunk_ids))
                found = await self._in_thread(rows_nearest, collection, readable, vector, limit)
                return [(int(rows.chunk_ids[row]), cosine) for row, cosine in found if row < readable]
        except _ChromaFailedError as failure:
            await self._heal(failure)
        return await self._exact.search(span, vector, limit=limit)

    async def count(self, span: ReadableSpan) -> int:
        """Return how many chunks of the whole book can be found."""
        return (await self._held(span)).chunks

    async def _held(self, span: ReadableSpan) -> _Rows:
        return await self._rows.get(span.book_id, span.import_id, lambda: self._load_rows(span.book_id))

    async def refresh(self, book_id: str) -> None:
        """Take in what SQL has for the book now."""
        await self._exact.refresh(book_id)
        self._rows.forget(book_id)
        self._collections.pop(book_id, None)
        rows = await self._load_rows(book_id)
        try:
            if await self._collection(book_id, rows) is None or len(rows.chunk_ids):
                return
            async with self._building:
                self._collections.pop(book_id, None)
                await self._in_thread(self._drop, book_id)
        except _ChromaFailedError as failure:
            await self._heal(failure)

    async def rebuild(self, book_id: str | None = None) -> bool:
        """Throw away what is there of a book, or of all, to be taken in anew; False where another process owns it."""
        async with self._building:
            if not await self._took_lock():
                return False
            if book_id is None:
                await self._in_thread(self._start_over)
            elif await self.owned():
                self._collections.pop(book_id, None)
                with contextlib.suppress(_ChromaFailedError):  # there may be nothing of it yet
                    await self._in_thread(self._drop, book_id)
            return True

    def set_aside(self) -> None:
        """Search SQL's vectors alone for as long as this process lives: the one before it may have died in Chroma."""
        if not self._is_set_aside:
            self._is_set_aside = True
            self._say(_SET_ASIDE)

    async def close(self) -> None:
        """Let go of files and lock."""
        await asyncio.get_running_loop().run_in_executor(self._workers, self._close_client)
        self._workers.shutdown(wait=True)
        self._lock.release(force=True)

    async def _load_rows(self, book_id: str) -> _Rows:
        held = await self._exact.load(book_id)
        return _Rows(held.chunk_ids, held.end_pages, chunks=len(np.unique(held.chunk_ids)))

    async def _collection(self, book_id: str, rows: _Rows) -> "Collection | None":
        """Return the book's collection, filled; None where the folder is another's, or somebody is filling it now."""
        fingerprint = fingerprint_of(rows.chunk_ids)
        known_state, known = self._collections.get(book_id, (fingerprint, None))
        if known is not None and known_state == fingerprint:
            return known
        if self._building.locked():
            return None
        async with self._building:
            if not await self.owned():
                return None
            collection, complete = await self._in_thread(self._open_collection, book_id, fingerprint)
            if not complete and not await self._fill(collection, book_id, fingerprint):
                return None
            self._collections[book_id] = fingerprint, collection
            while len(self._collections) > _OPEN_COLLECTIONS:
                self._collections.pop(next(iter(self._collections)))
            return collection

    async def _fill(self, collection: "Collection", book_id: str, fingerprint: dict[str, int]) -> bool:
        """Write the vectors; return False where they are others by now, which somebody will refresh."""
        held = await self._exact.load(book_id)
        if fingerprint_of(held.chunk_ids) != fingerprint:
            return False
        for start in range(0, len(held.chunk_ids), WRITE_BATCH):
            await self._in_thread(chroma_calls.add, collection, held, start)
        await self._exact.refresh(book_id)  # who asked meanwhile was answered from there
        return True

    async def owned(self) -> bool:
        """Open the folder where nobody else has it; return whether it is ours, and can be used."""
        if self._client is not None:
            return True
        if self._given_up or not await self._took_lock():
            return False
        await self._in_thread(self._open)
        return True

    async def _took_lock(self) -> bool:
        try:
            await self._in_thread(self._lock.acquire)
        except Timeout:
            return False
        return True

    async def _heal(self, failure: _ChromaFailedError) -> None:
        _log.warning("Chroma failed: %s", failure)
        self._say(_HEALED)
        try:
            await self.rebuild()
        except _ChromaFailedError as again:
            # Nothing of the answer is lost; trying again at every question would only cost time and lines.
            self._given_up = True
            _log.warning("Chroma cannot be rebuilt, searching SQL from now on: %s", again)

    async def _in_thread(self, work: Callable[..., Result], *args: object) -> Result:
        def guarded() -> Result:
            try:
                return work(*args)
            except (Timeout, KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:
                raise _ChromaFailedError(f"{type(error).__name__}: {str(error)[:300]}") from error

        return await asyncio.get_running_loop().run_in_executor(self._workers, guarded)

    def _open(self) -> None:
        marker = self._marker()
        if marker.exists() and not self._looks_whole():
            self._say(_HEALED)
            self._clear()
        try:
            self._client = chroma_calls.open_client(self._folder)
        except BaseException:
            # What failed to start is kept under the folder's name, and would be handed out again.
            chroma_calls.forget_clients()
            raise
        marker.touch()

    def _marker(self) -> Path:
        """Say that there was an index: what is missing then has been lost."""
        return self._folder.with_suffix(".built")

    def _looks_whole(self) -> bool:
        database = self._folder / "chroma.sqlite3"
        return database.is_file() and database.stat().st_size > 0 and vector_files_are_whole(self._folder)

    def _clear(self) -> None:
        self._marker().unlink(missing_ok=True)
        if self._folder.is_dir():
            shutil.rmtree(self._folder)
        else:
            self._folder.unlink(missing_ok=True)

    def _open_collection(self, book_id: str, fingerprint: dict[str, int]) -> "tuple[Collection, bool]":
        """Return the collection and whether it holds just these rows; where it does not, it is emptied first."""
        if self._client is None:
            raise RuntimeError("the client is open by now")
        name, rows = collection_name(book_id, self._model_id), fingerprint["rows"]
        collection = chroma_calls.make(self._client, name, fingerprint)
        if collection.metadata != fingerprint or collection.count() not in {0, rows}:
            self._client.delete_collection(name)
            collection = chroma_calls.make(self._client, name, fingerprint)
        return collection, collection.count() == rows

    def _drop(self, book_id: str) -> None:
        if self._client is not None:
            self._client.delete_collection(collection_name(book_id, self._model_id))

    def _start_over(self) -> None:
        self._close_client()
        self._clear()
        self._open()

    def _close_client(self) -> None:
        self._collections.clear()
        if self._client is not None:
            self._client.close()
            self._client = None
