"""Where lines come from: a person at a terminal, with history and editing, or a pipe."""

import asyncio
from pathlib import Path
from typing import Protocol, TextIO


class Lines(Protocol):
    """Gives one line after another."""

    @property
    def interactive(self) -> bool:
        """Whether a person sits there who can be asked."""

    async def next(self, prompt: str) -> str | None:
        """Return the next line without its end; None when there are no more."""


class PipeLines(Lines):
    """Lines of a pipe or a file; nothing is prompted."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def interactive(self) -> bool:
        """Nobody can be asked."""
        return False

    async def next(self, prompt: str) -> str | None:
        """Return the next line."""
        line = await asyncio.to_thread(self._stream.readline)
        return line.rstrip("\r\n") if line else None


class PromptLines(Lines):
    """A person at a terminal: arrow keys walk the history; Ctrl-C and Ctrl-D end."""

    def __init__(self, history_file: Path) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory

        self._session: PromptSession[str] = PromptSession(history=FileHistory(str(history_file)))

    @property
    def interactive(self) -> bool:
        """A person sits there."""
        return True

    async def next(self, prompt: str) -> str | None:
        """Prompt and return what was typed."""
        from prompt_toolkit.patch_stdout import patch_stdout

        try:
            with patch_stdout():
                return await self._session.prompt_async(prompt)
        except (EOFError, KeyboardInterrupt):
            return None


def lines_for(stdin: TextIO, stdout: TextIO, *, history_file: Path) -> Lines:
    """Return prompted lines where both ends are a terminal, else the lines of the pipe."""
    if stdin.isatty() and stdout.isatty():
        return PromptLines(history_file)
    return PipeLines(stdin)
