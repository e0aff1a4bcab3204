"""What is typed or pressed where one person talks with the bot alone: the same in the terminal and in the browser."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from adapters.platform.buttons import SHOW, ButtonFlow
from adapters.platform.commands import CommandFlow, OrganiserNotices
from adapters.platform.replies import answer, sentence_for
from adapters.platform.sealing import ButtonSeal
from adapters.platform.services import PlatformServices
from adapters.platform.surface import Person, RefusedError, Surface
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.registry import MORE_HELP
from core.club.commands.values import Choice, Command, HandedFile
from core.club.position.asked_back import ONLY_ME
from core.club.questions.question_commands import ANOTHER, another_passage
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent, TurnFailedEvent
from core.domain.conversation import Author
from core.domain.errors import StorageError, ThusfarError
from core.domain.question import IncomingMessage, Reply
from core.domain.thread import Thread

_ALL: Final = "all"
_MORE: Final = "more"
_NO_MORE: Final = sentence("There's no other passage to show.")
_SHORT_FOR: Final = {"book": "book list"}


STATES: Final = {
    "waiting": "⏳",
    "searching": "🔍",
    "found": "📖",
    "nothing": "🤷",
    "answered": "✅",
    "failed": "⚠️",
}
"""What goes on with a question, each with the reaction that it is elsewhere."""


class SoloSurface(Surface):
    """A place with one person in it, who runs the bot as well: everything is told to them, files are put in a folder.

    Attributes:
        not_here: the buttons that make no sense where nobody else is, or have a command of their own.
        more: the button for another passage, where one was offered since this was None.
    """

    not_here: ClassVar[frozenset[str]] = frozenset({SHOW, ONLY_ME})

    def __init__(self, *, ref: str, thread: Thread, reader: Author, seal: ButtonSeal, folder: Path) -> None:
        self.ref = ref
        self._folder = folder
        self.thread = thread
        self.member_id = reader.member_id
        self.seal = seal
        self.more: Choice | None = None
        self._reader = reader

    def begins(self, command: Command) -> None:
        """Take note of what is about to be run."""

    def show(self, state: str) -> None:
        """Show one of the `STATES` as it comes."""

    def say_no(self, sentence: str) -> None:
        """Show why something was not done."""

    @override
    async def author(self) -> Author:
        return self._reader

    @override
    async def person(self) -> Person:
        return Person(author=self._reader, is_organiser=True, everywhere=True)

    @override
    async def refuse(self, error: Exception, sentence: str) -> None:
        """Say it; who sits here runs the database too, and may read what is wrong with it."""
        self.say_no(str(error) if isinstance(error, StorageError) else sentence)

    @override
    async def begin_thread(self, title: str, line: str, *, again: bool) -> Surface:
        return self

    @override
    def follow(self, event: ChatEvent) -> None:
        state = state_of(event)
        if state is not None:
            self.show(state)

    @override
    async def hand_over(self, text: str, files: Sequence[HandedFile], choices: Sequence[Choice] = ()) -> None:
        """Write the files, in place of those of the same name, and say where they are."""
        try:
            paths = [await asyncio.to_thread(_write, self._folder, file) for file in files]
        except OSError as error:
            raise RefusedError(f"{self._folder} cannot be written to: {error}") from error
        await self.tell("\n".join((text, *map(str, paths))), choices)

    def fitting(self, choices: Sequence[Choice]) -> tuple[Choice, ...]:
        """Return the choices that can be shown here, and note the one for another passage."""
        self.more = next((choice for choice in choices if choice.command == ANOTHER), self.more)
        return tuple(choice for choice in choices if choice.command not in self.not_here)


def _write(folder: Path, file: HandedFile) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file.name
    path.write_bytes(file.data)
    return path


def state_of(event: ChatEvent) -> str | None:
    """Return the state that an event brings; None for those that nobody needs to see."""
    match event:
        case ToolInvocationEvent():
            return "searching"
        case ToolResultEvent(result_count=count):
            return "found" if count else "nothing"
        case TurnAnsweredEvent():
            return "answered"
        case TurnFailedEvent():
            return "failed"
        case _:
            return None


class SoloSession:
    """Asks, runs commands and presses buttons; of what goes wrong, commands and buttons tell, all else is raised.

    Args:
        services, threads: core's.
        help_text: what `/help` shows.
        bring: takes in the book that `/book add` names.
        ask_again: asks once more what was asked before a page was set, now that one is.
    """

    def __init__(
        self,
        services: PlatformServices,
        *,
        threads: ThreadService,
        help_text: str,
        bring: Callable[[str], Awaitable[None]],
        ask_again: Callable[[str], Awaitable[object]],
    ) -> None:
        self.commands = CommandFlow(services, OrganiserNotices(), answer_waiting=self._ask_waiting)
        self._buttons = ButtonFlow(services, self.commands)
        self._services = services
        self._threads = threads
        self._help_text = help_text
        self._bring = bring
        self._ask_again = ask_again
        self._more: Choice | None = None

    def is_question(self, line: str) -> bool:
        """Whether a line is no command: those begin with a slash, or are nothing but a command's words.

        What takes something away or ends it needs the slash: nobody means it by chance.
        """
        if line.startswith("/"):
            return False
        said = self._services.commands.said(line)
        command = None if said is None else self._services.commands.get(said[0])
        return said is None or bool(said[1]) or (command is not None and command.takes_away)

    async def ask(self, surface: SoloSurface, text: str) -> Reply:
        """Ask, and return what was answered."""
        message = IncomingMessage(thread=surface.thread, author=await surface.author(), text=text)
        reply = await answer(surface, message, services=self._services, raises=True)
        self._more = another_passage(reply.turn_id) if reply.has_more and reply.turn_id is not None else None
        return reply

    async def command(self, surface: SoloSurface, line: str) -> None:
        """Run what a line says that is no question."""
        typed = line.removeprefix("/").strip()
        if typed.lower() == _MORE:
            await self._another(surface)
            return
        words, text = self._services.commands.parse(_SHORT_FOR.get(typed.lower(), typed))
        if words == "help":
            await self._help(surface, of_all=text.lower() == _ALL)
        elif self._services.commands.takes_file(words):
            await self._bring(" ".join(typed.split(maxsplit=2)[2:]))
        else:
            await self.run(surface, words, text)

    async def run(self, surface: SoloSurface, words: str, text: str) -> None:
        """Run one of core's commands."""
        await self._noting_more(surface, words, self.commands.run(surface, words, text))

    async def press(self, surface: SoloSurface, choice: Choice) -> None:
        """Do what a button says."""
        await self._noting_more(surface, choice.command, self._buttons.press(surface, choice))

    async def _noting_more(self, surface: SoloSurface, command: str, running: Awaitable[Exception | None]) -> None:
        """Run something, and note which passage comes next; after the last one there is none."""
        if (known := self._services.commands.get(command)) is not None:
            surface.begins(known)
        surface.more = None
        if await running is None and (command == ANOTHER or surface.more is not None):
            self._more = surface.more

    async def _another(self, surface: SoloSurface) -> None:
        """Show one more passage for the last question; the one after it is for the next time."""
        if self._more is None:
            raise ThusfarError(say(_NO_MORE))
        await self.run(surface, self._more.command, self._more.text)

    async def _help(self, surface: SoloSurface, *, of_all: bool) -> None:
        """Show the few things that one needs, behind all commands where those are asked for."""
        if of_all:
            await self.run(surface, MORE_HELP, "")
        more = () if of_all else (Choice(label=say("All commands"), command=MORE_HELP),)
        await surface.tell(say(self._help_text), more)

    async def _has_page(self, thread: Thread) -> bool:
        try:
            return (await self._threads.club(thread)).page_of_all is not None
        except ThusfarError:
            return False

    async def _ask_waiting(self, surface: Surface) -> None:
        """Ask again what was asked before a page was set, where one is set by now."""

        async def answered(message: IncomingMessage) -> bool:
            if not await self._has_page(surface.thread):
                return False
            await self._ask_again(message.text)
            return True

        await self._services.addressing.answer_waiting(surface.thread, answered)


@asynccontextmanager
async def telling(surface: Surface) -> AsyncIterator[None]:
    """Tell what goes wrong in the block, whatever it is, in a sentence."""
    try:
        yield
    except StorageError as error:  # its user reads what is wrong, and has it twice where it is logged too
        await surface.refuse(error, str(error))
    except Exception as error:  # noqa: BLE001 (whatever it is, its user hears a sentence)
        await surface.refuse(error, sentence_for(surface.ref, error))
