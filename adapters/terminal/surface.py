"""The terminal as a surface: prints posts, and asks where other platforms show buttons."""

import re
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from adapters.platform.due import in_own_time
from adapters.platform.sealing import ButtonSeal
from adapters.platform.solo import STATES, SoloSurface
from adapters.platform.surface import Picture, Post
from adapters.platform.typing_indicator import Stop
from adapters.terminal.lines import Lines
from core.answering.given_answers import PostableAnswer
from core.catalogue.sentences import say, sentence
from core.club.commands.registry import MORE_HELP
from core.club.commands.values import Choice, Command
from core.club.questions.question_commands import MORE_HERE, MORE_PASSAGES
from core.domain.conversation import Author
from core.domain.errors import ThusfarError
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread

THREAD: Final = Thread(scope=LOCAL_SCOPE, place="terminal", thread="chat")
READER: Final = Author(member_id="local:terminal", display_name="You")

_BOLD: Final = re.compile(r"\*\*([^*\n]+)\*\*")
_UNCHANGED: Final = sentence("Nothing has changed.")
_NO_CHOICE: Final = sentence("That choice isn't there any more.")


class TerminalSurface(SoloSurface):
    """Prints texts; errors are printed by `say`. The reader's choice stays in `chosen` until it is taken."""

    not_here: ClassVar[frozenset[str]] = SoloSurface.not_here | {MORE_HELP, MORE_HERE, MORE_PASSAGES}

    def __init__(self, lines: Lines, say: Callable[[str], None], *, folder: Path, stays: Callable[[str], bool]) -> None:
        super().__init__(ref="the terminal", thread=THREAD, reader=READER, seal=ButtonSeal(), folder=folder)
        self.opens = False
        self.can_be_asked = lines.interactive
        self._lines = lines
        self._choices: tuple[Choice, ...] = ()
        self._chosen: Choice | None = None
        self._has_reacted = False
        self._is_line_new = True
        self._say = say
        self._stays = stays

    @override
    def begins(self, command: Command) -> None:
        self.opens = command.opens_book

    @override
    def say_no(self, sentence: str) -> None:
        self._say(sentence)

    @override
    async def post(self, post: Post) -> str:
        text = _shown(post.text)
        print(f"{text}\n({post.footer})\n" if post.footer else text, flush=True)
        # Buttons that expire, such as Undo, have a command of their own.
        if lasting := [choice for choice in post.choices if self._stays(choice.command)]:
            self._offer(await self.sealed(lasting))
        return post.ref

    @override
    async def post_hidden(self, answer: PostableAnswer, *, turn_id: int, asker: Author, ref: str) -> None:
        print(_shown(answer.text), flush=True)

    @override
    async def tell(self, text: str, choices: Sequence[Choice] = (), *, picture: Picture | None = None) -> bool:
        """Print a text; ask at once about a single choice that means yes, and number others."""
        if len(choices) == 1 and choices[0].confirms:
            if await self._lines.agrees(f"{in_own_time(text)} [y/N] "):
                (self._chosen,) = await self.sealed(choices)
            else:
                print(say(_UNCHANGED))
            return True
        print(_shown(text), flush=True)
        self._offer(await self.sealed(self.fitting(choices)))
        return True

    def take_line(self) -> None:
        """Note that a line was typed: choices offered from now on replace earlier ones."""
        self._is_line_new = True

    def _offer(self, choices: Sequence[Choice]) -> None:
        """Print choices with numbers, counting on from those that the same line offered."""
        if self._is_line_new:
            self._choices, self._is_line_new = (), False
        for number, choice in enumerate(choices, start=len(self._choices) + 1):
            print(f"/{number}: {choice.label}", flush=True)
        self._choices += tuple(choices)

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

    @override
    def show(self, state: str) -> None:
        print(STATES[state], end=" ", flush=True)
        self._has_reacted = True

    def choose(self, number: int) -> None:
        """Select the choice with this number.

        Raises:
            ThusfarError: there is no such number.
        """
        if not 1 <= number <= len(self._choices):
            raise ThusfarError(say(_NO_CHOICE))
        self._chosen = self._choices[number - 1]
        self._is_line_new = not self._stays(self._chosen.command)

    def take_chosen(self) -> Choice | None:
        """Return the reader's choice since the last call, or None."""
        chosen, self._chosen = self._chosen, None
        return chosen


def _shown(text: str) -> str:
    """Return a text with times in this machine's zone; what is bold is shown so where a person looks at it."""
    text = in_own_time(text)
    return _BOLD.sub("\033[1m\\1\033[0m", text) if sys.stdout.isatty() else text
