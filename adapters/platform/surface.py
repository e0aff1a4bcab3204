"""The port that each platform implements: what the bot can do where a member wrote or used something.

The modules beside this one (conversation, commands, buttons, uploads) use only this port. Each adapter handles length
limits, mark-up and duplicate posts itself.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, Protocol

from adapters.platform.fetching import FileHost, fetch_text
from adapters.platform.sealing import ButtonSeal
from adapters.platform.typing_indicator import Stop, nothing_shown
from core.answering.follow_ups import points_at_another
from core.answering.given_answers import PostableAnswer
from core.catalogue.sentences import sentence
from core.club.commands.values import Choice, Command, HandedFile, typed
from core.domain.chat_event import ChatEvent
from core.domain.conversation import Author
from core.domain.thread import Thread
from core.understanding.listening import Addressing

MAY_NOT_WRITE: Final = sentence("I can't write in this channel.")


class OutOfReachError(Exception):
    """The platform did not answer, or gave an invalid answer: it may or may not have done what was asked."""


class TooOftenError(OutOfReachError):
    """The platform did nothing because of a rate limit. `wait` is the seconds to wait, or None if it gave no number."""

    def __init__(self, cause: str, *, wait: float | None) -> None:
        super().__init__(cause)
        self.wait = wait


class TokenRefusedError(OutOfReachError):
    """The platform rejects the bot's token: pending work waits until there is a valid one."""


class RefusedError(Exception):
    """The platform refused, and would refuse again.

    `code` is the platform's own error code; `sentence` is what the member is told.
    """

    def __init__(self, cause: str, *, code: str | int = "", sentence: str = MAY_NOT_WRITE) -> None:
        super().__init__(cause)
        self.code = code
        self.sentence = sentence


class NoRightError(RefusedError):
    """The bot lacks a permission there."""


class GoneError(RefusedError):
    """The message or the place no longer exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who wrote or used something. An organiser of one channel is not always an organiser `everywhere` in the scope."""

    author: Author
    is_organiser: bool
    everywhere: bool
    typed_as: Callable[[Command], str | None] = typed


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A PNG shown beside a text; it adds no information. `description` is its alternative text."""

    name: str
    png: bytes
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A public post: Markdown, a small footer and buttons. An answer's buttons appear only where it `rests_on_book`.

    `ref` is a permanent id: posting it twice leaves one message. `again` means that an earlier attempt may have posted
    it. `turn_id` is the turn that it answers. `has_more` means that more passages can be asked for. `answers_nothing`
    means that there is nothing to ask for under it. A post that is `by_model` can be reported. Where the platform can't
    show the `picture`, the rest is posted without it.
    """

    text: str
    ref: str
    footer: str = ""
    choices: Sequence[Choice] = ()
    turn_id: int | None = None
    answers_nothing: bool = False
    rests_on_book: bool = False
    has_more: bool = False
    by_model: bool = False
    again: bool = False
    picture: Picture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFile:
    """A file as the platform describes it; `size` is in bytes."""

    name: str
    size: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A question and its author. `is_pointed_at` means that another message replies to it."""

    text: str
    author: Author
    is_pointed_at: bool = False


class ProgressReport(Protocol):
    """A private message that is edited while some work makes progress."""

    async def edit(self, text: str, choices: Sequence[Choice] = ()) -> bool:
        """Replace the text, continuing in messages below if it is too long; return False if it can't be replaced."""


class Surface(Protocol):
    """A place where a member used something, with what everyone sees there and what only the member sees.

    Methods with a body are defaults for platforms without that feature. All methods but `tell`, `refuse`, `report` and
    `finish` raise OutOfReachError if the platform can't be reached, RefusedError if it refuses, and GoneError if the
    message or place no longer exists.

    Attributes:
        ref: permanent id of what the member wrote or used.
        thread: the place as core knows it.
        is_allowed: whether the operator lets the bot speak here.
        club: key of the organisers who are told here about missing permissions; None if nobody is.
        can_be_asked: whether a person sits there who can answer, rather than a pipe.
        member_id: core's id of the member who wrote or used it.
        seal: signs and checks the buttons.
    """

    ref: str
    thread: Thread
    member_id: str
    seal: ButtonSeal
    is_allowed: bool = True
    club: Hashable = None
    can_be_asked: bool = True

    async def sealed(self, choices: Sequence[Choice], *, alone: bool = False) -> tuple[Choice, ...]:
        """Return the choices with signatures that are valid here: for everyone, or for the member `alone`."""
        return await self.seal.of(choices, self.thread, self.member_id if alone else None)

    async def proves(self, choice: Choice) -> bool:
        """Whether a choice was offered here, to the member or to everyone."""
        return await self.seal.proves(choice, self.thread, self.member_id)

    def escape(self, text: str) -> str:
        """Return Markdown that shows the text literally."""
        return text

    def quoted(self, text: str) -> str:
        """Return a member's text as others see it: escaped, and still hidden if the writer hid it."""
        return self.escape(text)

    def links_to(self, threads: Sequence[str]) -> str:
        """Return links to these threads, to be appended to a line; "" if the platform has none."""
        return ""

    def leads_to(self, thread: "Surface") -> str:
        """Return a text that tells the member where their new thread is; "" if they see it anyway."""
        return ""

    def shows_pictures(self, *, to_all: bool) -> bool:
        """Whether a picture can be shown beside a public post, or beside a private message."""
        return False

    async def author(self) -> Author:
        """Return the member."""

    async def person(self) -> Person:
        """Return the member with their permissions here."""

    async def post(self, post: Post) -> str:
        """Post for everyone; return the permanent id of the first message."""

    async def post_hidden(self, answer: PostableAnswer, *, turn_id: int, asker: Author, ref: str) -> None:
        """Post an answer that goes beyond the thread's page, hidden until a reader chooses to open it."""

    async def scopes(self) -> Sequence[str]:
        """Return the scopes of the clubs that the member is in, as far as known; asked for in private talks only."""
        return ()

    async def role_of(self, text: str) -> str | None:
        """Return the role that a text names, in the form that `DueMessage` takes; None if there is no such role.

        Raises:
            ThusfarError: the bot may not mention this role.
        """
        return None

    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        """Show a text to the member alone, with the picture if possible; return False if it could not be shown."""

    async def hand_over(self, text: str, files: Sequence[HandedFile], choices: Sequence[Choice] = ()) -> None:
        """Send files with a text to the member alone."""
        raise RefusedError("no files can be handed over here")

    async def aside(self, text: str, choices: Sequence[Choice] = ()) -> None:
        """Show a hint to the member alone if the platform can hide it in place; otherwise to everyone in place."""
        await self.tell(text, choices)

    async def refuse(self, error: Exception, sentence: str) -> None:
        """Tell the member why something was not done."""
        await self.tell(sentence)

    async def finish(self) -> None:
        """Finish a command that has no private answer."""
        return

    async def report(self, text: str) -> ProgressReport | None:
        """Start a private message that is edited as work goes on; return None if the platform has none."""
        return None

    async def retire_buttons(self, stays: Callable[[str], bool]) -> None:
        """Remove the pressed message's buttons, except those whose command `stays`. Never raises."""
        return

    async def begin_thread(self, title: str, line: str, *, again: bool) -> "Surface":
        """Post a line and return the thread that starts with it."""

    async def hide_answers(self, footers: frozenset[str]) -> str:
        """Hide the bot's own answers here that end with one of these footers; return a notice for everyone, or ""."""
        return ""

    async def put_away(self, turn_id: int, line: str, choices: Sequence[Choice]) -> bool:
        """Replace the answer whose button was pressed with a line; return False if that is impossible."""
        return False

    async def in_thread(self, thread: str) -> "Surface":
        """Return another thread of this place by core's name; for "", return the place itself."""
        raise RefusedError("there are no threads here")

    def follow(self, event: ChatEvent) -> None:
        """Show an event of the turn under way, if the platform shows progress in words."""
        return

    def writing(self) -> AbstractAsyncContextManager[Stop]:
        """Show a typing indicator while the block runs; the block gets a function that stops it."""
        return nothing_shown()


class MessageSurface(Surface, Protocol):
    """A place where a member wrote a message, which can get reactions and a thread.

    Attributes:
        channel: the channel of the message. If one message there can't get reactions, none can.
        file_host: where files attached to messages are downloaded from.
        here: the name of this place in a `whisper`.
        hides_by: the spoiler mark-up put on both sides of hidden text; "" if the platform has none.
        pastes: files that the platform made of a long message, each as `offered` takes it.
        only_shows: whether the message has no text, only a forward, a sticker, a poll or a voice message.
    """

    channel: Hashable
    file_host: FileHost
    here: str = sentence("this thread")
    hides_by: str = ""
    pastes: Sequence[object] = ()
    only_shows: bool = False

    async def asked(self, text: str, *, by_mention: bool) -> Words:
        """Return the question: with pasted text added, or another member's words if a mention only points at them.

        Raises:
            ThusfarError: the pasted text can't be downloaded.
        """
        pasted = [await fetch_text((await self.offered(one)).url, host=self.file_host) for one in self.pastes]
        said = "\n".join(filter(None, (text, *pasted)))
        own = Words(text=said, author=await self.author())
        above = await self.above() if by_mention and points_at_another(said) else None
        if above is None or above.author.member_id == self.member_id:
            return own
        return above if above.is_pointed_at or "?" in above.text else own

    async def above(self) -> Words | None:
        """Return the message that this one replies to, else the one before it; None if no member wrote that."""

    async def whisper(self, text: str) -> bool:
        """Show an unrequested text to the member so that nobody else notices; return False if that is impossible."""
        return await self.tell(text)

    async def heard(self) -> Addressing:
        """Return how the message addresses the bot and others; core decides from this."""

    def is_closed(self) -> bool:
        """Whether nobody can be answered here any more."""

    async def readable(self, text: str) -> str:
        """Return the text as its readers see it, with names in place of mention codes."""

    async def read_back(self) -> str | None:
        """Return the message's current text; None if it can't be read or has not changed."""

    async def open_thread(self, title: str) -> Surface:
        """Return the thread at the message, opened under that title if needed; this place if there are no threads."""

    async def offered(self, file: object) -> OfferedFile:
        """Return what is known of an attached file. Raises ThusfarError."""

    def may_react(self) -> bool:
        """Whether the bot may add reactions, as far as is known without a call."""

    def say_no_reactions(self) -> None:
        """Report the missing permission to the log and the organisers; called once per channel."""

    async def react(self, emoji: str) -> None:
        """Add a reaction. Raises NoRightError if no message of the channel can get one."""

    async def unreact(self, emoji: str) -> None:
        """Remove the bot's own reaction."""
