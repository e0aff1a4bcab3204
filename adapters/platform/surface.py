"""The port of the platforms: what can be done where a member said or used something.

The flows beside this module (conversation, commands, buttons, uploads) are written against it alone; limits of length,
mark-up, what is sent twice and what is looked for before that are each adapter's own business.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, Protocol

from adapters.platform.fetching import FileHost, fetch_text
from adapters.platform.sealing import ButtonSeal
from adapters.platform.typing_indicator import Stop, nothing_shown
from core.answering.given_answers import PostableAnswer
from core.catalogue.sentences import sentence
from core.club.commands.values import Choice, Command, HandedFile, typed
from core.domain.chat_event import ChatEvent
from core.domain.conversation import Author
from core.domain.thread import Thread
from core.understanding.follow_ups import points_at_another
from core.understanding.listening import Addressing

MAY_NOT_WRITE: Final = sentence("I can't write in this channel.")


class OutOfReachError(Exception):
    """The platform did not answer, or not as itself: nobody knows whether it did what was asked."""


class TooOftenError(OutOfReachError):
    """It did nothing, and wants `wait` seconds to pass first; None where it does not say how many."""

    def __init__(self, cause: str, *, wait: float | None) -> None:
        super().__init__(cause)
        self.wait = wait


class TokenRefusedError(OutOfReachError):
    """The bot's token is not taken any more: what is owed stays owed until there is another one."""


class RefusedError(Exception):
    """The platform did not do it, and would not the next time.

    `code` says why in the platform's own word, `sentence` says it to a member.
    """

    def __init__(self, cause: str, *, code: str | int = "", sentence: str = MAY_NOT_WRITE) -> None:
        super().__init__(cause)
        self.code = code
        self.sentence = sentence


class NoRightError(RefusedError):
    """The bot lacks a right there."""


class GoneError(RefusedError):
    """The message or the place is not there any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who said or used something; an organiser of one channel may not be one `everywhere` in the scope."""

    author: Author
    is_organiser: bool
    everywhere: bool
    typed_as: Callable[[Command], str | None] = typed


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A PNG that stands beside a text and tells no more than it does; `description` is for people who do not see it."""

    name: str
    png: bytes
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What all may read: Markdown, a small line under it, and buttons; those of an answer where it `rests_on_book`.

    `ref` names it for good: posted once more, it still stands there once. `again` says that an earlier attempt may
    have posted it. `turn_id` is the turn that it answers. `has_more`: another passage can be asked for under it.
    Where it `answers_nothing`, there is nothing to ask for under it.
    One that is `by_model` can be reported. Where the `picture` cannot stand, the rest stands without it.
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
    """A file as the platform tells of it; its size is in bytes."""

    name: str
    size: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What was asked, and by whom; `is_pointed_at` says that a message replies to it."""

    text: str
    author: Author
    is_pointed_at: bool = False


class ProgressReport(Protocol):
    """A private message that is edited as some work goes on."""

    async def edit(self, text: str, choices: Sequence[Choice] = ()) -> bool:
        """Put another text in its place; False where that cannot be any more. What is too long goes on below it."""


class Surface(Protocol):
    """A place where a member used something: what of it all can see, and what only they can.

    What has a body here is what a place does that has nothing of the kind. All but `tell`, `refuse`, `report` and
    `finish` raise OutOfReachError where the platform cannot be reached, RefusedError where it refuses, and GoneError
    where what it is about is no more.

    Attributes:
        ref: the name of what was said or used, for good.
        thread: the place as core knows it.
        is_allowed: whether the operator lets the bot speak here.
        club: whose organisers are told here what the bot lacks; None where nobody is.
        can_be_asked: whether somebody sits there, and not a pipe.
        member_id: who said or used it, as core names them.
        seal: proves the buttons.
    """

    ref: str
    thread: Thread
    member_id: str
    seal: ButtonSeal
    is_allowed: bool = True
    club: Hashable = None
    can_be_asked: bool = True

    async def sealed(self, choices: Sequence[Choice], *, alone: bool = False) -> tuple[Choice, ...]:
        """Return choices as they may be shown here, to all or to the member alone: with what proves them."""
        return await self.seal.of(choices, self.thread, self.member_id if alone else None)

    async def proves(self, choice: Choice) -> bool:
        """Whether a choice was shown here, to the member or to all."""
        return await self.seal.proves(choice, self.thread, self.member_id)

    def escape(self, text: str) -> str:
        """Return Markdown that shows a text as it is."""
        return text

    def quoted(self, text: str) -> str:
        """Return what a member wrote as others see it: as `escape` does, but hidden where its writer hid it."""
        return self.escape(text)

    def links_to(self, threads: Sequence[str]) -> str:
        """Return what stands behind a line that tells of these threads."""
        return ""

    def leads_to(self, thread: "Surface") -> str:
        """Return what tells a member where the thread is that they had opened; nothing where they see it anyway."""
        return ""

    def shows_pictures(self, *, to_all: bool) -> bool:
        """Whether a picture can stand beside what is posted here, or beside what is told to the member alone."""
        return False

    async def author(self) -> Author:
        """Return who it was."""

    async def person(self) -> Person:
        """Return who it was, and what they may do here."""

    async def post(self, post: Post) -> str:
        """Post for all to see; return the name of its first message for good."""

    async def post_hidden(self, answer: PostableAnswer, *, turn_id: int, asker: Author, ref: str) -> None:
        """Post an answer that goes beyond the thread's page, so that nobody sees it who does not choose to."""

    async def scopes(self) -> Sequence[str]:
        """Return whose clubs the member is in, as far as the platform says; asked for where they talk alone."""
        return ()

    async def role_of(self, text: str) -> str | None:
        """Return the role that a text names, as `DueMessage` takes it; None where there is no such role.

        Raises:
            ThusfarError: it may not be called by the bot.
        """
        return None

    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        """Show a text to the member alone, without the picture where it cannot stand; False where it was not taken."""

    async def hand_over(self, text: str, files: Sequence[HandedFile], choices: Sequence[Choice] = ()) -> None:
        """Give files with a text to the member alone."""
        raise RefusedError("no files can be handed over here")

    async def aside(self, text: str, choices: Sequence[Choice] = ()) -> None:
        """Show a hint to the member alone, where the platform can hide it in place; else in place for all."""
        await self.tell(text, choices)

    async def refuse(self, error: Exception, sentence: str) -> None:
        """Tell the member why something was not done."""
        await self.tell(sentence)

    async def finish(self) -> None:
        """Note that there is nothing to tell the member beyond what all see."""
        return

    async def report(self, text: str) -> ProgressReport | None:
        """Begin a message to the member that is edited as work goes on; None where there is none."""
        return None

    async def retire_buttons(self, stays: Callable[[str], bool]) -> None:
        """Take away the buttons whose command does not stay, where one of them was pressed; nothing raises."""
        return

    async def begin_thread(self, title: str, line: str, *, again: bool) -> "Surface":
        """Post a line, and return the thread that begins with it."""

    async def hide_answers(self, footers: frozenset[str]) -> str:
        """Hide the bot's own answers here that end with one of these footers; return what all are told, if any."""
        return ""

    async def put_away(self, turn_id: int, line: str, choices: Sequence[Choice]) -> bool:
        """Put a line in place of an answer whose button was pressed here; False where that cannot be."""
        return False

    async def in_thread(self, thread: str) -> "Surface":
        """Return another thread of this place, as core names it; the place itself for an empty name."""
        raise RefusedError("there are no threads here")

    def follow(self, event: ChatEvent) -> None:
        """Take what happens inside a turn whose answer is being written, where that is shown in words."""
        return

    def writing(self) -> AbstractAsyncContextManager[Stop]:
        """Show that an answer is being written, while the block runs; it gets what stops that before the post."""
        return nothing_shown()


class MessageSurface(Surface, Protocol):
    """A place where a member said something: the message can be reacted on, and a thread opened at it.

    Attributes:
        channel: what the message stands in: where one message may not be reacted on, none may.
        file_host: where the files are fetched that come with messages.
        here: what the place is called where `whisper` is read.
        hides_by: the mark on both sides of what is hidden from a glance; empty where the platform has none.
        pastes: the files that the platform made of a long message, each as `offered` takes it.
        only_shows: whether the message has no words, but a forward, a sticker, a poll or a voice clip.
    """

    channel: Hashable
    file_host: FileHost
    here: str = sentence("this thread")
    hides_by: str = ""
    pastes: Sequence[object] = ()
    only_shows: bool = False

    async def asked(self, text: str, *, by_mention: bool) -> Words:
        """Return what was asked: with what was pasted, or another's words where a mention only points at them.

        Raises:
            ThusfarError: what was pasted can't be fetched.
        """
        pasted = [await fetch_text((await self.offered(one)).url, host=self.file_host) for one in self.pastes]
        said = "\n".join(filter(None, (text, *pasted)))
        own = Words(text=said, author=await self.author())
        above = await self.above() if by_mention and points_at_another(said) else None
        if above is None or above.author.member_id == self.member_id:
            return own
        return above if above.is_pointed_at or "?" in above.text else own

    async def above(self) -> Words | None:
        """Return what this replies to, else what was said right before it; None where no member said that."""

    async def whisper(self, text: str) -> bool:
        """Show a text to the member alone, unasked, and so that nobody else can notice; False where that cannot be."""
        return await self.tell(text)

    async def heard(self) -> Addressing:
        """Return what core decides by: how the message addresses whom."""

    def is_closed(self) -> bool:
        """Whether nobody can be answered here any more."""

    async def readable(self, text: str) -> str:
        """Return what was said as its readers see it, with names for mentions."""

    async def read_back(self) -> str | None:
        """Return what the message says by now; None where that cannot be seen, or is nothing new."""

    async def open_thread(self, title: str) -> Surface:
        """Return the thread at the message, of that title where threads have one; this place where there is none."""

    async def offered(self, file: object) -> OfferedFile:
        """Return what is known of a file that came with the message. Raises ThusfarError."""

    def may_react(self) -> bool:
        """Whether the right is there, as far as is known without asking."""

    def say_no_reactions(self) -> None:
        """Tell the log and the organisers that it is missing; called once for a channel."""

    async def react(self, emoji: str) -> None:
        """React. Raises NoRightError where no message of the channel can be reacted on."""

    async def unreact(self, emoji: str) -> None:
        """Take the bot's own reaction back."""
