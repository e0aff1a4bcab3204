"""What a command is asked with and what it answers, the same on every platform; adapters render it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from core.domain.clean_text import clean
from core.domain.conversation import Author
from core.domain.progress import ProgressChart
from core.domain.question import IncomingMessage
from core.domain.scopes import is_direct
from core.domain.thread import Thread

SEPARATOR: Final = "|"
"""Stands between the things that a button's text holds."""
ANSWER_ALONE: Final = ".alone"
ANSWER_HERE: Final = ".here"
"""Where a member who is behind a thread wants to be answered."""


async def no_scopes() -> Sequence[str]:
    """Nobody knows of any."""
    return ()


def typed(command: "Command") -> str | None:
    """Return what a command is typed as, where all are typed as they are called."""
    return command.words


async def no_role(text: str) -> str | None:  # noqa: ARG001 (there are none here)
    """Nothing has a name that is a role's."""
    return None


class Who(StrEnum):
    """Who may use a command."""

    EVERYONE = "everyone"
    ORGANISERS = "organisers"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """A command as an adapter has translated it; `text` is what follows the command's words.

    `ref` names what was said or used for good: a question that comes again after a crash goes on with its turn.
    `scopes` finds out, where that is needed, whose clubs the member is in,
    `role_of` which role of the platform's a text names. `of_club`: it is about the page of the thread's whole club.
    `typed_as` is what the member finds a command under here, None where the platform hides it from them.
    Where nobody `can_be_asked`, most of what is asked first is taken as said.
    """

    thread: Thread
    member: Author
    is_organiser: bool
    text: str = ""
    ref: str | None = None
    scopes: Callable[[], Awaitable[Sequence[str]]] = no_scopes
    role_of: Callable[[str], Awaitable[str | None]] = no_role
    typed_as: Callable[["Command"], str | None] = typed

    of_club: bool = False
    can_be_asked: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", clean(self.text))

    def with_text(self, text: str) -> "CommandRequest":
        """Return the same request, of another text."""
        return replace(self, text=text)

    @property
    def name(self) -> str:
        """What whoever reads along calls the member: where nobody else does, you."""
        return "You" if is_direct(self.thread.scope) else self.member.display_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A button: pressing it runs a command with this text, by whoever presses, checked again then.

    One that `confirms` says yes to what the text above it asks; where nobody can be asked, that is taken as said. The
    `seal` is the platform's: it proves that the button was made here.
    """

    label: str
    command: str
    text: str = ""
    confirms: bool = False
    seal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What is offered while a command's text is typed: the words shown, and the text that they stand for."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedFile:
    """A file for whoever asked, alone."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResponse:
    """What to show: `text` to the asker, `announcement` to the thread; the choices go with the announcement if any.

    `then` is run in its place; `waits` is a question that is answered now, in its thread.

    With the text go what it `offers` to the asker alone, and the `files`.

    With `opens` the announcement begins a new thread of that name, in which `asks` is asked at once, or in which is
    said first what `begins` runs; without either, where everybody stands. `names` are ids of threads that the
    announcement tells of; the platform shows them behind it in its own way. Answers that stand there with one of the
    footers in `hides` go further than what is read now. The announcement stands in place of the answer of the turn in
    `puts_away`, where that can be. `told_in_place` is said in the place itself where a thread
    changes what that is about. A picture of `chart` stands beside the text where there can be one.
    """

    text: str = ""
    announcement: str = ""
    choices: tuple[Choice, ...] = ()
    opens: str = ""
    asks: str = ""
    begins: Choice | None = None
    names: tuple[str, ...] = ()
    hides: frozenset[str] = frozenset()
    puts_away: int | None = None
    told_in_place: str = ""
    chart: ProgressChart | None = None
    offers: tuple[Choice, ...] = ()
    then: Choice | None = None
    waits: IncomingMessage | None = None
    files: tuple[HandedFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: its words (`book use`), what it takes, who may use it, one line of help, and what it does.

    What it takes is optional in brackets; `one_of` are the only words it takes, `suggest` offers some meanwhile. One
    that is `rare` is not offered where commands are picked, but behind `settings`; said, it is a command all the same.
    One that `is_long` waits its turn where it is said among questions.
    `is_said` tells a text that the command takes from the rest of a question that begins with its words; `is_meant` a
    whole message that needs none of them, where it is plainly said to the bot.
    """

    words: str
    takes: str
    who: Who
    help: str
    run: Callable[[CommandRequest], Awaitable[CommandResponse]]
    one_of: tuple[str, ...] = ()
    suggest: Callable[[CommandRequest], Awaitable[list[Suggestion]]] | None = None
    rare: bool = False
    is_long: bool = False
    is_said: Callable[[str], bool] | None = None
    is_meant: Callable[[str], bool] | None = None


def where_to_answer(member_id: str, what: str) -> tuple[Choice, Choice]:
    """Return the buttons by which a member who is behind a thread says where they want to be answered.

    `what` is the number of the turn in which they asked, or the command that they used.
    """
    text = f"{member_id}{SEPARATOR}{what}"
    return Choice(label="For me alone", command=ANSWER_ALONE, text=text), Choice(
        label="Here", command=ANSWER_HERE, text=text
    )
