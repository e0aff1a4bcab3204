"""What conversations are called: thread and reading, or a member's own talk beside a thread and the reading."""


def session_of(*, scope: str, place: str, thread: str) -> str:
    """Return what a thread's session ids begin with; the reading's id follows."""
    return f"{scope}:{place}:{thread}/"


def private_thread(thread: str, member_id: str) -> str:
    """Return the name of the thread beside a thread in which only one member asks."""
    return f"{thread}~{member_id}"
