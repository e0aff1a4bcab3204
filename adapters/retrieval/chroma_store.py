"""Where Chroma keeps its collections: a folder that one process owns, or a server that several share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection


class ChromaFailedError(Exception):
    """Chroma failed; its exceptions, including Rust panics, are the cause."""


@contextmanager
def failing_alike() -> Iterator[None]:
    """Turn every error of Chroma into a `ChromaFailedError`."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        raise ChromaFailedError(f"{type(error).__name__}: {str(error)[:300]}") from error


class ChromaStore(Protocol):
    """Makes, finds and drops collections. Calls may block, and are made in a thread, one after another.

    Attributes:
        told: the name of the store, for the operator.
        not_now: why it can't be used, as the beginning of a sentence.
        say: shows the operator one line.
        batch: the number of rows written at once.
        is_shared: whether other processes write to it too. A collection with missing rows is then being filled, and is
            completed; in a folder of our own the rows were lost, and the collection is rebuilt.
    """

    told: str
    not_now: str
    say: Callable[[str], None]
    batch: int
    is_shared: bool

    def open(self) -> bool:
        """Open the store if needed; return whether it can be used now."""

    def is_open(self) -> bool:
        """Return whether it is open and, as far as known, works."""

    def found(self) -> list[str]:
        """Return, once per opening, the names of this program's collections that must be checked."""

    def make(self, name: str, fingerprint: dict[str, int]) -> "Collection":
        """Return the collection of that name, created with the fingerprint if there is none."""

    def drop(self, name: str) -> None:
        """Delete a collection."""

    def start_over(self) -> bool:
        """Delete all collections; return False if that isn't allowed or possible now."""

    def heal(self, failure: ChromaFailedError, name: str | None) -> None:
        """Repair what can be repaired after a failure, at a collection if one is named."""

    def let_go(self) -> None:
        """Free the memory of opened collections; no search may run."""

    def close(self) -> None:
        """Release files, locks and connections."""
