"""What conversations are called: thread and reading, or a member's own talk beside a thread and the reading."""

from typing import Final

_PRIVATE: Final = "~"


def session_of(*, scope: str, place: str, thread: str) -> str:
    """Return what a thread's session ids begin with; the reading's id follows."""
    return f"{scope}:{place}:{thread}/"


def thread_in(session_id: str, *, scope: str, place: str) -> str | None:
    """Return the thread of a place that a session id names; None for another place's, or for a member's own talk."""
    begins = f"{scope}:{place}:"
    thread = session_id.removeprefix(begins).partition("/")[0]
    return thread if session_id.startswith(begins) and thread and _PRIVATE not in thread else None


def talk_of(session_id: str, reading_id: str) -> str | None:
    """Return what all session ids of a session's thread begin with; None for a session that belongs to no thread."""
    return session_id.removesuffix(reading_id) if session_id.endswith(f"/{reading_id}") else None


def private_thread(thread: str, member_id: str) -> str:
    """Return the name of the thread beside a thread in which only one member asks."""
    return f"{thread}{_PRIVATE}{member_id}"
