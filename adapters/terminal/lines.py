"""Sources of lines: a person at a terminal, with history and editing, or a pipe."""

import asyncio
import threading
from pathlib import Path
from typing import Protocol, TextIO


class Lines(Protocol):
    """A source of lines."""

    @property
    def interactive(self) -> bool:
        """Whether a person is there who can be asked."""

    async def next(self, prompt: str) -> str | None:
        """Return the next line without its newline; None at the end."""

    async def agrees(self, question: str) -> bool:
        """Ask a yes-or-no question; without a person the answer is yes."""


class PipeLines(Lines):
    """Lines of a pipe or a file, without prompts.

    A background thread reads them, so that Ctrl-C ends a chat whose pipe stays open.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._read: asyncio.Queue[str | None] = asyncio.Queue()
        self._reader: threading.Thread | None = None
        self._ended = False

    @property
    def interactive(self) -> bool:
        """Return False: a pipe can't be asked."""
        return False

    async def next(self, prompt: str) -> str | None:
        """Return the next line."""
        if self._ended:
            return None
        if self._reader is None:
            loop = asyncio.get_running_loop()
            self._reader = threading.Thread(target=self._read_all, args=(loop,), daemon=True, name="stdin")
            self._reader.start()
        line = await self._read.get()
        self._ended = line is None
        return line

    async def agrees(self, question: str) -> bool:
        """Return True: a pipe can't be asked."""
        return True

    def _read_all(self, loop: asyncio.AbstractEventLoop) -> None:
        line: str | None = ""
        while line is not None:
            read = self._stream.readline()
            line = read.rstrip("\r\n") if read else None
            if loop.is_closed():
                return
            loop.call_soon_threadsafe(self._read.put_nowait, line)


class PromptLines(Lines):
    """A person at a terminal: arrow keys walk the history, Ctrl-C and Ctrl-D end."""

    def __init__(self, history_file: Path) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory

        class ForgivingHistory(FileHistory):
            """A history that lasts only for the session if it can't be written."""

            def store_string(self, string: str) -> None:
                try:
                    super().store_string(string)
                except OSError:
                    return

        self._session: PromptSession[str] = PromptSession(history=ForgivingHistory(str(history_file)))
        self._questions: PromptSession[str] = PromptSession()

    @property
    def interactive(self) -> bool:
        """Return True: a person is there."""
        return True

    async def next(self, prompt: str) -> str | None:
        """Prompt, and return the typed line."""
        from prompt_toolkit.patch_stdout import patch_stdout

        try:
            with patch_stdout():
                return await self._session.prompt_async(prompt)
        except (EOFError, KeyboardInterrupt):
            return None

    async def agrees(self, question: str) -> bool:
        """Ask; the answer is not added to the history."""
        try:
            return (await self._questions.prompt_async(question)).strip().lower() in {"y", "yes"}
        except (EOFError, KeyboardInterrupt):
            return False


def lines_for(stdin: TextIO, stdout: TextIO, *, history_file: Path) -> Lines:
    """Return prompted lines if both ends are a terminal, else the lines of the pipe."""
    if stdin.isatty() and stdout.isatty():
        return PromptLines(history_file)
    return PipeLines(stdin)
