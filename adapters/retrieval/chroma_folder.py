"""Chroma in a folder beside the database: a lock marks the owning process, and damaged data is rebuilt."""

import contextlib
import ctypes
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from adapters.retrieval import chroma_calls
from adapters.retrieval.chroma_store import ChromaFailedError, ChromaStore, failing_alike
from adapters.retrieval.hnsw_files import vector_files_are_whole

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_log = logging.getLogger(__name__)
_BATCH: Final = 16
"""Chroma holds the GIL while it writes: larger batches would block the program for too long."""
_HEALED = "The Chroma index was missing or damaged; it is being rebuilt from the database."


class ChromaFolder(ChromaStore):
    """Chroma's folder, used if this process owns it.

    Args:
        folder: the folder; a lock file beside it marks the owner.
        say: shows the operator one line.
    """

    told = "Chroma"
    not_now = "Another process owns the Chroma index"
    batch = _BATCH
    is_shared = False

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        from filelock import FileLock

        self.say = say
        self._folder = folder
        self._lock = FileLock(folder.with_suffix(".owner"), blocking=False, thread_local=False)
        self._client: Client | None = None
        self._given_up = False

    @override
    def open(self) -> bool:
        if self._client is not None:
            return True
        if self._given_up or not self._is_ours():
            return False
        self._open()
        return True

    @override
    def is_open(self) -> bool:
        return self._client is not None

    @override
    def found(self) -> list[str]:
        return []

    @override
    def make(self, name: str, fingerprint: dict[str, int]) -> "Collection":
        return self._opened().get_or_create_collection(
            name,
            embedding_function=None,
            metadata=fingerprint,
            configuration=chroma_calls.configuration(fingerprint),
        )

    @override
    def drop(self, name: str) -> None:
        self._opened().delete_collection(name)

    @override
    def start_over(self) -> bool:
        if not self._is_ours():
            return False
        self._close_client()
        self._clear()
        self._open()
        return True

    @override
    def heal(self, failure: ChromaFailedError, name: str | None) -> None:
        _log.warning("Chroma failed: %s", failure)
        self.say(_HEALED)
        try:
            with failing_alike():
                self.start_over()
        except ChromaFailedError as again:
            # No answer is lost; retrying at every question would only cost time and log lines.
            self._given_up = True
            _log.warning("Chroma cannot be rebuilt, searching SQL from now on: %s", again)

    @override
    def let_go(self) -> None:
        self._close_client()
        self._client = chroma_calls.open_client(self._folder)
        _give_back_memory()

    @override
    def close(self) -> None:
        self._close_client()
        self._lock.release(force=True)

    def _is_ours(self) -> bool:
        from filelock import Timeout

        try:
            self._lock.acquire()
        except Timeout:
            return False
        return True

    def _opened(self) -> "Client":
        if self._client is None:
            raise RuntimeError("the client is already open")
        return self._client

    def _open(self) -> None:
        marker = self._marker()
        if marker.exists() and not self._looks_whole():
            self.say(_HEALED)
            self._clear()
        try:
            self._client = chroma_calls.open_client(self._folder)
        except BaseException:
            # Chroma caches a failed client under the folder's name, and would return it again.
            chroma_calls.forget_clients()
            raise
        marker.touch()

    def _marker(self) -> Path:
        """Return the file that says that an index existed: if it is there without one, the index was lost."""
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

    def _close_client(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _give_back_memory() -> None:
    """Return freed memory to the system; glibc keeps it otherwise."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # other C libraries lack this function
        ctypes.CDLL(None).malloc_trim(0)
