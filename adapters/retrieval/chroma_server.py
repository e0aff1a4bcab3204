"""Chroma as a server that several processes share, with notices when it can't be reached and when it is back."""

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from adapters.retrieval import chroma_calls
from adapters.retrieval.chroma_address import ChromaAddress
from adapters.retrieval.chroma_store import ChromaFailedError, ChromaStore, failing_alike

if TYPE_CHECKING:
    from chromadb.api import ServerAPI
    from chromadb.api.models.Collection import Collection

_log = logging.getLogger(__name__)
_BATCH: Final = 128
_TIMEOUT_S: Final = 5.0
_PAUSE_S: Final = 10.0
_BACK: Final = "The Chroma server at {address} answers again."
_UNREACHABLE: Final = "The Chroma server at {address} cannot be reached"
_STRANGE: Final = "What answers at {address} does not do what a Chroma server does, or wants another key"
_SEARCHED_IN_DATABASE: Final = "{why}; vectors are searched in the database until then."


class ChromaServer(ChromaStore):
    """One database on a Chroma server.

    After a failure the server is not called for a while, so that no later question waits for it; the first question
    after that tries again. Operators are told once when it fails and once when it is back.

    Args:
        address: the server's address.
        say: shows the operator one line.
        timeout_s: the time limit of a call.
        pause_s: how long the server is not called after a failure.
    """

    batch = _BATCH
    is_shared = True

    def __init__(
        self,
        address: ChromaAddress,
        say: Callable[[str], None],
        *,
        timeout_s: float = _TIMEOUT_S,
        pause_s: float = _PAUSE_S,
    ) -> None:
        self.say = say
        self.told = f"Chroma server at {address.shown}"
        self.not_now = _UNREACHABLE.format(address=address.shown)
        self._address = address
        self._timeout_s = timeout_s
        self._pause_s = pause_s
        self._api: ServerAPI | None = None
        self._is_open = False
        self._is_out = False
        self._closed_until = 0.0
        self._found: list[str] = []

    @override
    def open(self) -> bool:
        if self._is_open:
            return True
        if time.monotonic() < self._closed_until:
            return False
        try:
            with failing_alike():
                self._found = self._look()
        except ChromaFailedError as failure:
            self._leave_alone(failure)
            return False
        self._is_open = True
        if self._is_out:
            self._is_out = False
            self.say(_BACK.format(address=self._address.shown))
        return True

    @override
    def is_open(self) -> bool:
        return self._is_open

    @override
    def found(self) -> list[str]:
        found, self._found = self._found, []
        return found

    @override
    def make(self, name: str, fingerprint: dict[str, int]) -> "Collection":
        from chromadb.api.models.Collection import Collection

        api = self._connected()
        model = api.get_or_create_collection(
            name,
            metadata=fingerprint,
            configuration=chroma_calls.configuration(fingerprint),
            database=self._address.database,
        )
        return Collection(client=api, model=model, embedding_function=None)

    @override
    def drop(self, name: str) -> None:
        from chromadb.errors import NotFoundError

        try:
            self._connected().delete_collection(name, database=self._address.database)
        except NotFoundError:
            _log.debug("%s was already deleted", name)

    @override
    def start_over(self) -> bool:
        if not self.open():
            return False
        for name in self._names():
            self.drop(name)
        return True

    @override
    def heal(self, failure: ChromaFailedError, name: str | None) -> None:
        from chromadb.errors import ChromaError, NotFoundError

        if isinstance(failure.__cause__, NotFoundError):
            self._is_open = False  # another process rebuilt it, or the server came back empty
            return
        if name is not None and isinstance(failure.__cause__, ChromaError):
            try:
                with failing_alike():
                    self.drop(name)
            except ChromaFailedError as again:
                _log.info("%s could not be deleted: %s", name, again)
        self._leave_alone(failure)

    @override
    def let_go(self) -> None:
        """Do nothing: the collections are in the server's memory."""

    @override
    def close(self) -> None:
        if self._api is not None:
            chroma_calls.session_of(self._api).close()

    def _leave_alone(self, failure: ChromaFailedError) -> None:
        from httpx import TransportError

        self._is_open = False
        self._closed_until = time.monotonic() + self._pause_s
        _log.info("Chroma's server failed: %s", failure)
        if not self._is_out:
            self._is_out = True
            why = _UNREACHABLE if isinstance(failure.__cause__, TransportError) else _STRANGE
            self.not_now = why.format(address=self._address.shown)
            self.say(_SEARCHED_IN_DATABASE.format(why=self.not_now))

    def _look(self) -> list[str]:
        """Create the database if needed; return the names of this program's collections in it."""
        from chromadb.errors import ChromaError, NotFoundError

        api, database = self._connected(), self._address.database
        try:
            api.get_database(database)
        except NotFoundError:
            try:
                api.create_database(database)
            except ChromaError:
                api.get_database(database)  # another process was quicker
        return self._names()

    def _names(self) -> list[str]:
        models = self._connected().list_collections(database=self._address.database)
        return [model.name for model in models if chroma_calls.is_ours(model.metadata)]

    def _connected(self) -> "ServerAPI":
        if self._api is None:
            self._api = chroma_calls.connect(self._address, timeout_s=self._timeout_s)
        return self._api
