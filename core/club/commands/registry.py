"""All commands by their words. Slash commands, Slack words and buttons run through it."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from core.catalogue.sentences import say, sentence
from core.club.commands.values import (
    SEPARATOR,
    Choice,
    Command,
    CommandRequest,
    CommandResponse,
    OptionKind,
    Suggestion,
    Who,
    where_to_answer,
)
from core.domain.conversation import AskedAs
from core.domain.errors import AsksFirstError, NotPermittedError, ThusfarError
from core.domain.scopes import is_direct
from core.domain.understanding import Intent, Understanding

_UNKNOWN: Final = sentence("I don't know that command. `/help` shows what I can do.")
_NEAR: Final = 0.75
_A_QUESTION: Final = 3
"""A line with at least this many words that begins with no command is a question."""
MORE_HELP: Final = ".help-more"
_ASK: Final = "ask"
_HELP: Final = sentence(
    "**To ask**, mention me and write your question: “Who is the man at the door?” I answer from the pages "
    "you've read.\n`/setpage 120` tells me how far you've all read. `ch 7 done`, `45%` and `end` work too.\n"
    "`/where` shows the book and the current page.\n`/mypage 240` is for members who are elsewhere, and `/ask` "
    "answers just you.\n`/chat` opens a thread about the book.\n`/listen` sets when I speak up in a thread."
)
_HELP_ALONE: Final = sentence(
    "**To ask**, just write: “Who is the man at the door?” I answer from the pages you've read.\n`/setpage "
    "120` tells me how far you've read. `ch 7 done`, `45%` and `end` work too.\n`/where` shows the book and "
    "your current page.\n`/book list` shows your books, `/book use` opens one. Send me a file to add a new one."
    "\n`/calibrate` finds your page from the last words you read.\n`/forget me` forgets what you said."
)


class CommandRegistry:
    """Runs a command by its words, after checking that the member may use it."""

    def __init__(self, commands: Iterable[Command], *, has_verifier: bool = False) -> None:
        self._has_verifier = has_verifier
        own = (
            Command(
                words="help",
                help=sentence("show how to ask, and what else I can do"),
                intents=frozenset({Intent.HELP}),
                run=self._help,
            ),
            Command(words=MORE_HELP, is_repeatable=True, stays=True, run=self._more),
        )
        self._commands = {command.words: command for command in (*commands, *own)}

    def listed(self) -> list[Command]:
        """Return the commands that members type, in order; commands of buttons begin with a dot."""
        return [command for command in self._commands.values() if not command.words.startswith(".")]

    def picked(self) -> list[Command]:
        """Return the typed commands that are listed, without those offered by another command."""
        return [command for command in self.listed() if not command.behind]

    def in_menus(self) -> dict[str, str]:
        """Return the words of the commands in the message menu, with their names there."""
        return {command.words: command.menu for command in self._commands.values() if command.menu}

    def get(self, words: str) -> Command | None:
        """Return the command with these words; None if there is none."""
        return self._commands.get(words)

    def stays(self, words: str) -> bool:
        """Whether the button of a command can be pressed again."""
        command = self._commands.get(words)
        return command is not None and command.stays

    def takes_file(self, words: str) -> bool:
        """Whether a command takes a file."""
        command = self._commands.get(words)
        return command is not None and command.takes is not None and command.takes.kind is OptionKind.FILE

    def form(self, words: str) -> Command | None:
        """Return the command of a button that needs a text from the member first; None for others."""
        command = self._commands.get(words)
        return command if command is not None and words.startswith(".") and command.takes else None

    async def run(self, words: str, request: CommandRequest) -> CommandResponse:
        """Run a command.

        Raises:
            NotPermittedError: it is for organisers only.
            ThusfarError: there is no such command, or it was refused; the sentence is safe to show.
        """
        try:
            response = await self._permitted(words, request).run(request)
        except AsksFirstError as asks:
            what = f"{words}{SEPARATOR}{request.text}"
            return CommandResponse(text=str(asks), choices=where_to_answer(request.member.member_id, what))
        then = response.then
        return response if then is None else await self.run(then.command, request.with_text(then.text))

    async def suggest(self, words: str, request: CommandRequest) -> list[Suggestion]:
        """Return suggestions while a command's text is typed; the request has the text so far.

        Raises:
            NotPermittedError: it is for organisers only.
            ThusfarError: there is no such command, or nothing to choose from yet.
        """
        takes = self._permitted(words, request).takes
        return [] if takes is None or takes.suggest is None else await takes.suggest(request)

    def parse(self, line: str) -> tuple[str, str]:
        """Split a typed line into a command's words and the rest; the longest matching words win.

        Raises:
            ThusfarError: the line begins with no command.
        """
        found = self._begun_with(line)
        if found is None:
            raise ThusfarError(self._perhaps(line) or say(_UNKNOWN))
        return found

    def _begun_with(self, line: str) -> tuple[str, str] | None:
        """Return the command that a line begins with and the rest; None for none."""
        typed = line.split()
        for length in (2, 1):
            words = " ".join(typed[:length]).lower()
            if len(typed) >= length and words in self._commands and not words.startswith("."):
                return words, " ".join(typed[length:])
        return None

    def typed(self, line: str) -> tuple[str, str]:
        """Split the text after the bot's own command like `parse`; a question there is a private one.

        Raises:
            ThusfarError: it is neither a command nor a question; the sentence names the nearest command.
        """
        try:
            words, rest = self.parse(line)
        except ThusfarError:
            if not _is_question(line):
                raise
            return _ASK, line
        command = self._commands[words]
        if command.is_said is not None and not command.is_said(rest):
            return (_ASK, line) if _is_question(line) else (words, rest)
        return (_ASK, line) if not command.takes and len(rest.split()) > 1 else (words, rest)

    def meant(self, text: str) -> str | None:
        """Return the reply to a short line that is a misspelt command; None for other lines."""
        return None if "?" in text or len(text.split()) > _A_QUESTION else self._perhaps(text)

    def _perhaps(self, line: str) -> str | None:
        """Return the sentence that names the nearest command; None if none is near or the line begins with one.

        Commands whose words also begin questions (`who`, `recap`) are not suggested: “whos he” is a question.
        """
        words = line.strip().removeprefix("/").casefold().split()
        names = [command.words for command in self.listed() if command.is_said is None]
        begins = [" ".join(words[:length]) for length in (2, 1) if len(words) >= length]
        if any(typed in self._commands for typed in begins):
            return None
        return next((told for typed in begins if (told := _near(typed, names, line))), None)

    def said(self, text: str, meaning: Understanding | None = None) -> tuple[str, str] | None:
        """Return the command in a message to the bot, of which the `meaning` may be known; None for a question.

        `where` is a command, `where is the key?` a question: a command has only its words and its option. Some
        commands need no words: “we're on page 120”. Where answers are verified, a model takes what needs one.
        """
        named = self._named(text)
        if named is not None or meaning is None or meaning.addressed is AskedAs.PERHAPS or meaning.wants_book:
            return named
        if self._has_verifier and meaning.needs_model:
            return None
        meant = (one.words for one in self._commands.values() if meaning.intent in one.intents)
        return next(((words, text if words.startswith(".") else "") for words in meant), None)

    def _named(self, text: str) -> tuple[str, str] | None:
        begun = self._begun_with(text.strip().removeprefix("/"))
        if begun is None:
            return None
        words, rest = begun
        return (words, rest) if _says_only(self._commands[words], rest) else None

    def is_short(self, text: str, meaning: Understanding) -> bool:
        """Whether a message is a command that need not wait for an answer in progress."""
        command = self.said(text, meaning)
        return command is not None and not self._commands[command[0]].is_long

    def _permitted(self, words: str, request: CommandRequest) -> Command:
        command = self._commands.get(words)
        if command is None:
            raise ThusfarError(say(_UNKNOWN))
        if command.who is not Who.EVERYONE and not request.is_organiser:
            # What stands behind a button has a name of its own, which nobody types.
            typed = words.removeprefix(".").replace("-", " ")
            if typed not in self._commands:
                raise NotPermittedError(say("This is for organisers of this club."))
            raise NotPermittedError(say("`/{command}` is for organisers of this club.", command=typed))
        return command

    async def _help(self, request: CommandRequest) -> CommandResponse:
        """Show the most important commands; a button shows the others."""
        text = _HELP_ALONE if is_direct(request.thread.scope) else _HELP
        return CommandResponse(text=say(text), choices=(Choice(label=say("More"), command=MORE_HELP),))

    async def _more(self, request: CommandRequest) -> CommandResponse:
        lines = [
            f"`/{' '.join(filter(None, (shown, command.usage)))}`: {say(command.help)}"
            for command in self.listed()
            if command.who is Who.EVERYONE or request.is_organiser
            if (shown := request.typed_as(command)) is not None
        ]
        return CommandResponse(text="\n".join(lines))


def _near(typed: str, names: list[str], line: str) -> str | None:
    """Return the command that a line begins with, and the rest of the line; None if there is none."""
    alike = [name for name in names if len(name.split()) == len(typed.split())]
    for near in get_close_matches(typed, alike, n=1, cutoff=_NEAR):
        meant = " ".join([near, *line.split()[len(typed.split()) :]])
        return say(
            "I don't know `/{typed}`; did you mean `/{meant}`? `/help` shows what I know.", typed=typed, meant=meant
        )
    return None


def _is_question(line: str) -> bool:
    """Whether a line that is not a command is a question."""
    return len(line.split()) >= _A_QUESTION or "?" in line


def _says_only(command: Command, rest: str) -> bool:
    """Whether the text after a command's words is only its option, so that the line is no question."""
    if command.is_said is not None:
        return command.is_said(rest)
    if command.takes is not None and command.takes.choices and (rest or command.needs_text):
        return rest.lower() in command.takes.choices
    return command.needs_text or not rest
