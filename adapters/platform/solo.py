"""Runs lines and buttons where one person talks with the bot alone: in the terminal and in the browser."""

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
from core.catalogue.sentences import say
from core.club.commands.registry import MORE_HELP
from core.club.commands.values import Choice, Command, HandedFile
from core.club.position.asked_back import ONLY_ME
from core.club.questions.question_commands import MORE_HERE, MORE_PASSAGES, NO_MORE, more_of_book
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent, TurnFailedEvent
from core.domain.conversation import Author, Line
from core.domain.errors import StorageError, ThusfarError
from core.domain.question import IncomingMessage, Reply
from core.domain.thread import Thread
from core.understanding.understand import understand

_ALL: Final = "all"
_TYPED: Final = {"here": MORE_HERE, "more": MORE_PASSAGES}
"""What is typed for the buttons under passages."""
_ABBREVIATIONS: Final = {"book": "book list"}


STATES: Final = {
    "waiting": "⏳",
    "searching": "🔍",
    "found": "📖",
    "nothing": "🤷",
    "answered": "✅",
    "failed": "⚠️",
}
"""The states of a question, each with the reaction that other platforms show."""


class SoloSurface(Surface):
    """A place with one person, who also runs the bot: everything is shown to them, and files are written to a folder.

    Attributes:
        not_here: button commands that make no sense for one person, or have a command of their own here.
        more: the buttons for more of the book that were offered since it was emptied, by command.
    """

    not_here: ClassVar[frozenset[str]] = frozenset({SHOW, ONLY_ME})

    def __init__(self, *, ref: str, thread: Thread, reader: Author, seal: ButtonSeal, folder: Path) -> None:
        self.ref = ref
        self._folder = folder
        self.thread = thread
        self.member_id = reader.member_id
        self.seal = seal
        self.more: dict[str, Choice] = {}
        self._reader = reader

    def begins(self, command: Command) -> None:
        """Note which command is about to run."""

    def show(self, state: str) -> None:
        """Show one of the `STATES`."""

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
        """Show the sentence; for a StorageError show its details, since this person runs the database."""
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
        """Write the files to the folder, replacing files of the same name, and say where they are."""
        try:
            paths = [await asyncio.to_thread(_write, self._folder, file) for file in files]
        except OSError as error:
            raise RefusedError(f"Cannot write to {self._folder}: {error}") from error
        await self.tell("\n".join((text, *map(str, paths))), choices)

    def fitting(self, choices: Sequence[Choice]) -> tuple[Choice, ...]:
        """Return the choices that can be shown here, and note those for more of the book."""
        self.more |= {choice.command: choice for choice in choices if choice.command in _TYPED.values()}
        return tuple(choice for choice in choices if choice.command not in self.not_here)


def _write(folder: Path, file: HandedFile) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file.name
    path.write_bytes(file.data)
    return path


def state_of(event: ChatEvent) -> str | None:
    """Return the state that an event starts; None for events that are not shown."""
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
    """Asks questions, runs commands and presses buttons; errors of commands and buttons are shown, others are raised.

    Args:
        services, threads: core's services.
        help_text: what `/help` shows.
        bring: imports the book that `/book add` names.
        ask_again: repeats a question that was asked before a page was set.
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
        self._more: dict[str, Choice] = {}
        self._lines: tuple[Line, ...] = ()

    def is_question(self, line: str) -> bool:
        """Whether a line is a question: commands start with a slash, or consist only of a command's words.

        Commands that delete or end something need the slash, so that nobody runs them by accident.
        """
        if line.startswith("/"):
            return False
        said = self._said(line)
        command = None if said is None else self._services.commands.get(said[0])
        is_typed = said is not None and not said[0].startswith(".")
        return said is None or (is_typed and bool(said[1])) or (command is not None and command.takes_away)

    def _said(self, line: str) -> tuple[str, str] | None:
        """Return the command that a line says without a slash."""
        meaning = understand(Line(text=line), self._lines, direct=True)
        return self._services.commands.said(line, meaning)

    async def ask(self, surface: SoloSurface, text: str) -> Reply:
        """Ask a question, and return the reply."""
        message = IncomingMessage(thread=surface.thread, author=await surface.author(), text=text)
        reply = await answer(surface, message, services=self._services, raises=True)
        self._lines = (Line(text=text, author=message.author.display_name), Line(text=reply.text, is_bot=True))
        offered = more_of_book(reply.turn_id) if reply.has_more and reply.turn_id is not None else []
        self._more = {choice.command: choice for choice in offered}
        return reply

    async def command(self, surface: SoloSurface, line: str) -> None:
        """Run a line that is a command."""
        said = None if line.startswith("/") else self._said(line)
        if said is not None:
            line = said[0] if said[0] == "help" else line
        if said is not None and said[0] != "help" and not line.lower().startswith(said[0]):
            await self.run(surface, *said)
            return
        typed = line.removeprefix("/").strip()
        if wanted := _TYPED.get(typed.lower()):
            await self._show_more(surface, wanted)
            return
        words, text = self._services.commands.parse(_ABBREVIATIONS.get(typed.lower(), typed))
        if words == "help":
            await self._help(surface, of_all=text.lower() == _ALL)
        elif self._services.commands.takes_file(words):
            await self._bring(" ".join(typed.split(maxsplit=2)[2:]))
        else:
            await self.run(surface, words, text)

    async def run(self, surface: SoloSurface, words: str, text: str) -> None:
        """Run one of core's commands."""
        await self._run_noting_more(surface, words, self.commands.run(surface, words, text))

    async def press(self, surface: SoloSurface, choice: Choice) -> None:
        """Run a button."""
        await self._run_noting_more(surface, choice.command, self._buttons.press(surface, choice))

    async def _run_noting_more(self, surface: SoloSurface, command: str, running: Awaitable[Exception | None]) -> None:
        """Run something, and note what more of the book can be shown then."""
        if (known := self._services.commands.get(command)) is not None:
            surface.begins(known)
        surface.more = {}
        if await running is None:
            self._more |= surface.more

    async def _show_more(self, surface: SoloSurface, command: str) -> None:
        """Show more of the book for the last question: around a passage, or the next ones."""
        choice = self._more.pop(command, None)
        if choice is None:
            raise ThusfarError(say(NO_MORE))
        await self.run(surface, choice.command, choice.text)

    async def _help(self, surface: SoloSurface, *, of_all: bool) -> None:
        """Show the short help; with `of_all`, the list of all commands first."""
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
        """Repeat the questions that waited for a page, if one is set now."""

        async def answered(message: IncomingMessage) -> bool:
            if not await self._has_page(surface.thread):
                return False
            await self._ask_again(message.text)
            return True

        await self._services.addressing.answer_waiting(surface.thread, answered)


@asynccontextmanager
async def telling(surface: Surface) -> AsyncIterator[None]:
    """Show every error in the block as a sentence."""
    try:
        yield
    except StorageError as error:  # the log would show it to the same person twice
        await surface.refuse(error, str(error))
    except Exception as error:  # noqa: BLE001 (every failure becomes a sentence)
        await surface.refuse(error, sentence_for(surface.ref, error))
