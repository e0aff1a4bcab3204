"""All commands by their words: what slash commands, Slack words and buttons end in."""

from collections.abc import Iterable

from core.app.commands.values import Command, CommandRequest, CommandResponse, Suggestion, Who
from core.domain.errors import NotPermittedError, ThusfarError

_UNKNOWN = "I don't know that command; `help` lists what I know."


class CommandRegistry:
    """Runs a command by its words, after looking whether the member may."""

    def __init__(self, commands: Iterable[Command]) -> None:
        help_command = Command(words="help", takes="", who=Who.EVERYONE, help="show this", run=self._help)
        self._commands = {command.words: command for command in (*commands, help_command)}

    def listed(self) -> list[Command]:
        """Return the commands that people type, in their order; those of buttons begin with a dot."""
        return [command for command in self._commands.values() if not command.words.startswith(".")]

    async def run(self, words: str, request: CommandRequest) -> CommandResponse:
        """Run a command.

        Raises:
            NotPermittedError: it is for organisers only.
            ThusfarError: there is no such command, or it was refused; the sentence is safe to show.
        """
        return await self._permitted(words, request).run(request)

    async def suggest(self, words: str, request: CommandRequest) -> list[Suggestion]:
        """Return what may be offered while the command's text is typed; the request holds what is there so far.

        Raises:
            NotPermittedError: it is for organisers only.
            ThusfarError: there is no such command, or nothing to choose from yet.
        """
        suggest = self._permitted(words, request).suggest
        return [] if suggest is None else await suggest(request)

    def parse(self, line: str) -> tuple[str, str]:
        """Divide a typed line into a command's words and the rest; the longest words that fit win.

        Raises:
            ThusfarError: the line begins with no command.
        """
        typed = line.split()
        for length in (2, 1):
            words = " ".join(typed[:length]).lower()
            if len(typed) >= length and words in self._commands and not words.startswith("."):
                return words, " ".join(typed[length:])
        raise ThusfarError(_UNKNOWN)

    def said(self, text: str) -> tuple[str, str] | None:
        """Return the command that somebody says to the bot where nothing else marks it as one; None for a question.

        `where` is a command, `where is the key?` a question: a command says nothing but what it takes.
        """
        try:
            words, rest = self.parse(text.strip().removeprefix("/"))
        except ThusfarError:
            return None
        command = self._commands[words]
        takes_anything = bool(command.takes) and not command.takes.startswith("[")
        if command.is_said is not None:
            return (words, rest) if command.is_said(rest) else None
        if command.one_of:
            return (words, rest) if rest.lower() in command.one_of else None
        return (words, rest) if takes_anything or not rest else None

    def _permitted(self, words: str, request: CommandRequest) -> Command:
        command = self._commands.get(words)
        if command is None:
            raise ThusfarError(_UNKNOWN)
        if command.who is Who.ORGANISERS and not request.is_organiser:
            raise NotPermittedError(f"`{words.lstrip('.').replace('-', ' ')}` is for organisers of this club.")
        return command

    async def _help(self, request: CommandRequest) -> CommandResponse:
        lines = [
            f"`{' '.join(filter(None, (command.words, command.takes)))}`: {command.help}"
            for command in self.listed()
            if command.who is Who.EVERYONE or request.is_organiser
        ]
        return CommandResponse(text="\n".join(lines))
