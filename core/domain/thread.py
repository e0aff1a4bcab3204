"""Threads of a scope, the ids of their conversations, and their state."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from core.domain.book import Book
from core.domain.conversation import Conversation
from core.domain.reading import ListeningRule, ReadingState
from core.domain.scopes import is_private

_PRIVATE: Final = "~"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Where people talk: the scope, the club's place in it, and the thread in that; empty for the place itself.

    `about` is the reading that is meant, whatever was opened there since; empty for none.
    """

    scope: str
    place: str
    thread: str
    about: str = ""

    @property
    def session(self) -> str:
        """What the ids of this thread's conversations begin with; the reading's id follows."""
        return f"{self.scope}:{self.place}:{self.thread}/"

    def private_to(self, member_id: str) -> "Thread":
        """Return the private thread of a member that belongs to this thread."""
        return replace(self, thread=private_thread(self.thread, member_id))

    def reading(self, reading_id: str) -> "Thread":
        """Return this thread as it is about one reading: what is asked there leaves what is read now as it is."""
        return replace(self, about=reading_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadState:
    """A thread's conversation about what its club reads, where thread, reading and members stand, and what it hears.

    `is_watched`: its club wants members told of what they give away.
    """

    conversation: Conversation
    standing: ReadingState
    hearing: ListeningRule
    is_watched: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceState:
    """The book that a place reads now, and where the reading itself and its members stand, whatever its threads do.

    `labels` are the page numbers that are printed otherwise.
    """

    book: Book
    standing: ReadingState
    labels: Mapping[str, int] = field(default_factory=dict)


def keeping(scope: str, session_of: str) -> str:
    """Return what the session ids of the thread begin with that keeps its first reading for good; empty for none.

    `session_of` is what a thread's own begin with. A member's talk beside a thread is about what that thread is; a
    place, and one who is alone with the bot, go by what is read there now.
    """
    thread = session_of.removesuffix("/").partition(_PRIVATE)[0]
    return "" if thread.endswith(":") or is_private(scope) else f"{thread}/"


def private_thread(thread: str, member_id: str) -> str:
    """Return the name of a member's private thread that belongs to a thread."""
    return f"{thread}{_PRIVATE}{member_id}"


def thread_in(session_id: str, *, scope: str, place: str) -> str | None:
    """Return the thread of a session id in a place; None for another place or a member's private thread."""
    begins = f"{scope}:{place}:"
    thread = session_id.removeprefix(begins).partition("/")[0]
    return thread if session_id.startswith(begins) and thread and _PRIVATE not in thread else None


def is_before_all(session_id: str) -> bool:
    """Whether a session is public, and not a member's private thread."""
    return _PRIVATE not in session_id.partition("/")[0]


def talk_of(session_id: str, reading_id: str) -> str | None:
    """Return the common prefix of the session ids of a session's thread; None for a session without a thread."""
    return session_id.removesuffix(reading_id) if session_id.endswith(f"/{reading_id}") else None
