"""The terminal as a place where one person talks: prints what others would post, asks where others show buttons."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from typing_extensions import override

from adapters.platform.buttons import SHOW
from adapters.platform.due import in_own_time
from adapters.platform.surface import Person, Picture, Post, Surface
from adapters.platform.typing_indicator import Stop
from adapters.terminal.lines import Lines
from core.app.answers import PostableAnswer
from core.app.commands.question_commands import ANOTHER
from core.app.commands.values import Choice
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent, TurnFailedEvent
from core.domain.conversation import Author
from core.domain.errors import StorageError
from core.domain.scope import LOCAL_SCOPE
from core.domain.thread import Thread

THREAD: Final = Thread(scope=LOCAL_SCOPE, place="terminal", thread="chat")
READER: Final = Author(member_id="local:terminal", display_name="You")

SEARCHING: Final = "🔍"
FOUND: Final = "📖"
FOUND_NOTHING: Final = "🤷"
ANSWERED: Final = "✅"
FAILED: Final = "⚠️"
_UNCHANGED: Final = "Nothing has changed."


class TerminalSurface(Surface):
    """Prints; what cannot be done is said by `say`. What the reader chose stands in `chosen` until it is taken."""

    def __init__(self, lines: Lines, say: Callable[[str], None]) -> None:
        self.ref = "the terminal"
        self.thread = THREAD
        self._lines = lines
        self._say = say
        self._choices: tuple[Choice, ...] = ()
        self._offered: tuple[Choice, ...] = ()
        self._chosen: Choice | None = None
        self._has_reacted = False

    @override
    async def author(self) -> Author:
        return READER

    @override
    async def person(self) -> Person:
        return Person(author=READER, is_organiser=True, everywhere=True)

    @override
    async def post(self, post: Post) -> str:
        text = in_own_time(post.text)
        print(f"{text}\n({post.footer})\n" if post.footer else text, flush=True)
        return post.ref

    @override
    async def post_hidden(self, answer: PostableAnswer, *, turn_id: int, asker: Author, ref: str) -> None:
        print(answer.text, flush=True)

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        """Print a text; one choice that says yes is asked for at once, others get numbers."""
        if len(choices) == 1 and choices[0].confirms:
            if await self._lines.agrees(f"{in_own_time(text)} [y/N] "):
                self._chosen = choices[0]
            else:
                print(_UNCHANGED)
            return True
        print(in_own_time(text), flush=True)
        self._offered = tuple(choices)
        # There is nobody here to show an answer to, and another passage has a command of its own.
        self._choices = tuple(choice for choice in choices if choice.command not in {SHOW, ANOTHER})
        for number, choice in enumerate(self._choices, start=1):
            print(f"/{number}: {choice.label}", flush=True)
        return True

    @override
    async def refuse(self, error: Exception, sentence: str) -> None:
        """Say it; who sits here runs the database too, and may read what is wrong with it."""
        self._say(str(error) if isinstance(error, StorageError) else sentence)

    @override
    async def begin_thread(self, title: str, line: str, *, again: bool) -> Surface:
        return self

    @override
    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Stop]:
        """End the line of reactions before the answer."""
        yield self._end_reactions
        await self._end_reactions()

    async def _end_reactions(self) -> None:
        if self._has_reacted:
            self._has_reacted = False
            print()

    def show(self, event: ChatEvent) -> None:
        """Print an event's reaction, where it has one, as it happens."""
        reaction = reaction_to(event)
        if reaction is not None:
            print(reaction, end=" ", flush=True)
            self._has_reacted = True

    def choose(self, number: int) -> bool:
        """Take what was offered last under a number; False where there is no such number."""
        if not 1 <= number <= len(self._choices):
            return False
        self._chosen = self._choices[number - 1]
        return True

    def take_offered(self, command: str) -> Choice | None:
        """Return the choice that was offered last with a text, if it was one of this command."""
        return next((choice for choice in self._offered if choice.command == command), None)

    def take_chosen(self) -> Choice | None:
        """Return what the reader chose since it was asked for last."""
        chosen, self._chosen = self._chosen, None
        return chosen


def reaction_to(event: ChatEvent) -> str | None:
    """Return the emoji for an event; None for those that nobody needs to see."""
    match event:
        case ToolInvocationEvent():
            return SEARCHING
        case ToolResultEvent(result_count=count):
            return FOUND if count else FOUND_NOTHING
        case TurnAnsweredEvent():
            return ANSWERED
        case TurnFailedEvent():
            return FAILED
        case _:
            return None
