"""What a command is asked with and what it answers, the same on every platform; adapters render it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from core.app.threads import Thread
from core.domain.conversation import Author


class Who(StrEnum):
    """Who may use a command."""

    EVERYONE = "everyone"
    ORGANISERS = "organisers"


class Audience(StrEnum):
    """Who sees the answer: the thread, or the asker alone."""

    THREAD = "thread"
    ASKER = "asker"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """A command as an adapter has translated it; `text` is what follows the command's words."""

    thread: Thread
    member: Author
    is_organiser: bool
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A button: pressing it runs a command with this text, by whoever presses, checked again then."""

    label: str
    command: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResponse:
    """What to show: `text` to the asker, `announcement` to the thread; the choices go with the announcement if any."""

    text: str = ""
    announcement: str = ""
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: its words (`book use`), what it takes, who may use it, one line of help, and what it does."""

    words: str
    takes: str
    who: Who
    help: str
    run: Callable[[CommandRequest], Awaitable[CommandResponse]]
