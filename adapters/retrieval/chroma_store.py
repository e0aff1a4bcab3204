"""Where Chroma keeps its collections: a folder that one process owns, or a server that several share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection


class ChromaFailedError(Exception):
    """Chroma could not do what was asked; its own exceptions, Rust panics among them, end here as the cause."""


@contextmanager
def failing_alike() -> Iterator[None]:
    """Turn whatever goes wrong in Chroma into a `ChromaFailedError`."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        raise ChromaFailedError(f"{type(error).__name__}: {str(error)[:300]}") from error


class ChromaStore(Protocol):
    """Makes, finds and drops collections. Every call may take its time, and is made in a thread, one after the other.

    Attributes:
        told: what it is, for the operator.
        not_now: why it cannot be used, as the beginning of a sentence.
        say: tells the operator one line.
        batch: how many rows are written at once.
        is_shared: whether other processes write it too. What holds a part of its rows is being filled then, and is
            filled up; in a folder of our own it has lost the others, and is made anew.
    """

    told: str
    not_now: str
    say: Callable[[str], None]
    batch: int
    is_shared: bool

    def open(self) -> bool:
        """Open it where that has not been done; return whether it can be used now."""

    def is_open(self) -> bool:
        """Return whether it is open and, as far as is known, works."""

    def found(self) -> list[str]:
        """Return the names of our collections that an opening has found, once, where somebody has to look at them."""

    def make(self, name: str, fingerprint: dict[str, int]) -> "Collection":
        """Return the collection of that name as it is; where there is none it is made, with the fingerprint on it."""

    def drop(self, name: str) -> None:
        """Throw a collection away."""

    def start_over(self) -> bool:
        """Throw all collections away; return False where that is not ours to do, or not possible now."""

    def heal(self, failure: ChromaFailedError, name: str | None) -> None:
        """Do what can be done after a failure, at a collection if one is named, so that later questions work again."""

    def let_go(self) -> None:
        """Free the memory of the collections that were opened; nobody is asking meanwhile."""

    def close(self) -> None:
        """Let go of files, locks and connections."""
