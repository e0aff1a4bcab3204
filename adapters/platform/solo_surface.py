"""What every place does where one person talks with the bot alone: the terminal, the page in the browser."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from adapters.platform.buttons import SHOW
from adapters.platform.sealing import ButtonSeal
from adapters.platform.surface import Person, RefusedError, Surface
from core.club.commands.values import Choice, Command, HandedFile
from core.club.position.asked_back import ONLY_ME
from core.club.questions.question_commands import ANOTHER
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent, TurnFailedEvent
from core.domain.conversation import Author
from core.domain.errors import StorageError
from core.domain.thread import Thread

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
