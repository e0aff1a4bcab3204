"""Requests and responses of commands, the same on every platform. Adapters render them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from core.catalogue.sentences import say
from core.domain.clean_text import clean
from core.domain.conversation import Author
from core.domain.progress import ProgressChart
from core.domain.question import IncomingMessage
from core.domain.scopes import is_direct
from core.domain.thread import Thread
from core.domain.understanding import Intent

SEPARATOR: Final = "|"
"""Separates the values in a button's text."""
ANSWER_ALONE: Final = ".alone"
ANSWER_HERE: Final = ".here"
"""Buttons of a member whose page is behind the thread's, to choose where the answer goes."""


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
    """Who may use a command. A command for a whole server or workspace needs the permission there."""

    EVERYONE = "everyone"
    ORGANISERS = "organisers"
    SERVER_ORGANISERS = "organisers of the server"


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
        """Return the same request with another text."""
        return replace(self, text=text)

    @property
    def name(self) -> str:
        """The member's name for others in the thread; "You" in a private conversation."""
        # Note: begins a sentence, such as "You opened the book."
        return say("You") if is_direct(self.thread.scope) else self.member.display_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A button: pressing it runs a command with this text, for the member who presses, checked again then.

    One that `confirms` says yes to what the text above it asks; where nobody can be asked, that is taken as said. One
    that `is_dangerous` deletes something. The `seal` is the platform's: it proves that the button was made here.
    """

    label: str
    command: str
    text: str = ""
    confirms: bool = False
    seal: str = ""
    is_dangerous: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A suggestion while a command's text is typed: the label shown, and the text that it inserts."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedFile:
    """A file that only the asker gets."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResponse:
    """What to show: `text` to the asker, `announcement` to the thread; the choices go with the announcement if any.

    `then` is run in its place; `waits` is a question that is answered now, in its thread.

    A text that `is_aside` is no secret: where it can't be shown in place to the asker alone, all see it there.

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
    is_aside: bool = False


class OptionKind(StrEnum):
    """The type of an option: a text, a text that names a page, or a file."""

    TEXT = "text"
    PAGE = "page"
    FILE = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """The option of a command.

    Args:
        name: its name in slash commands.
        hint: an example of its value.
        kind: its type.
        is_optional: whether the command runs without it too.
        choices: the allowed values; empty for any.
        suggest: returns suggestions for the text typed so far.
    """

    name: str
    hint: str
    kind: OptionKind = OptionKind.TEXT
    is_optional: bool = False
    choices: tuple[str, ...] = ()
    suggest: Callable[[CommandRequest], Awaitable[list[Suggestion]]] | None = None

    @property
    def usage(self) -> str:
        """The hint, in brackets if the option is optional."""
        return f"[{say(self.hint)}]" if self.is_optional else say(self.hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandGroup:
    """Commands with the same first word. A group `for_organisers` may be hidden from members."""

    name: str
    help: str
    for_organisers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that is typed, or, where its words begin with a dot, one that only buttons and menus run.

    Args:
        words: its name (`book use`).
        run: does what it is for.
        takes: the option that follows the words.
        who: who may use it.
        help: one line for lists of commands.
        title: the heading of its form, where the words are none.
        group: the group that its first word names.
        slash: its name among slash commands, where that is not its words: no group can run by itself.
        beside_group: a second slash command for members, where the group is for organisers.
        behind: the command that offers it; it is not in lists to pick from then, and can be typed all the same.
        menu: its name in the menu of a message, where it is in there.
        is_long: whether it waits its turn where it is said among questions.
        is_said: tells a text that it takes from the rest of a question that begins with its words.
        intents: what members want who mean it without naming it, where that is plainly said to the bot; a command that
            is typed then runs without its option, one that is not gets the whole message.
        is_repeatable: whether it does no harm twice: it is done and shown once, or only shows something.
        stays: whether its button can be pressed again; others go once they are pressed.
        opens_book: whether another book is open after it.
        moves_page: whether it moves the page of all.
        takes_away: whether it removes or ends something: where one person types alone, it needs its slash.
    """

    words: str
    run: Callable[[CommandRequest], Awaitable[CommandResponse]]
    takes: Option | None = None
    who: Who = Who.EVERYONE
    help: str = ""
    title: str = ""
    group: CommandGroup | None = None
    slash: str = ""
    beside_group: str = ""
    behind: str = ""
    menu: str = ""
    is_long: bool = False
    is_said: Callable[[str], bool] | None = None
    intents: frozenset[Intent] = frozenset()
    is_repeatable: bool = False
    stays: bool = False
    opens_book: bool = False
    moves_page: bool = False
    takes_away: bool = False

    @property
    def usage(self) -> str:
        """The hint of its option; empty without one."""
        return "" if self.takes is None else self.takes.usage

    @property
    def needs_text(self) -> bool:
        """Whether it needs its option."""
        return self.takes is not None and not self.takes.is_optional


def where_to_answer(member_id: str, what: str) -> tuple[Choice, Choice]:
    """Return the buttons to choose where the answer goes, for a member whose page is behind the thread's.

    `what` is the id of their turn, or the command that they used.
    """
    text = f"{member_id}{SEPARATOR}{what}"
    return (
        # Note: a button: where a question is answered.
        Choice(label=say("For me alone"), command=ANSWER_ALONE, text=text),
        # Note: a button: where a question is answered.
        Choice(label=say("Here"), command=ANSWER_HERE, text=text),
    )
