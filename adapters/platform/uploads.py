"""Implements `book add`: imports organisers' files, a few at a time, and shows progress in one edited message."""

import asyncio
import logging
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from adapters.platform.commands import CommandFlow
from adapters.platform.fetching import FileHost, fetch, too_large
from adapters.platform.replies import sentence_for
from adapters.platform.surface import (
    MessageSurface,
    OfferedFile,
    OutOfReachError,
    Post,
    ProgressReport,
    RefusedError,
    Surface,
)
from core.answering.dense import Progress
from core.catalogue.sentences import say, sentence
from core.club.books.book_commands import BookCommands
from core.club.commands.values import Choice, CommandRequest, CommandResponse
from core.domain.errors import ThusfarError
from core.domain.progress import percent

_log = logging.getLogger(__name__)

# Note: {file} is the file's name, later with progress, as in "novel.epub: noting, 40 %".
_READING: Final = sentence("Reading {file} …")
_FOLDER: Final = "thusfar-upload-"
_UNSAFE: Final = re.compile(r"[^\w .()-]")
_LONGEST_NAME: Final = 60
_MOST_PER_MEMBER: Final = 5
_MOST_IN_TOTAL: Final = 20
_ONE_BY_ONE: Final = sentence("That was the first of {files} files. Please send the others one by one.")


def tells_of_reading(text: str) -> bool:
    """Whether a message still shows that its import is running."""
    before, _, after = say(_READING).partition("{file}")
    return text.startswith(before) and text.endswith(after)


class _ProgressMessage:
    """Edits one private message as an import makes progress, at most every `pause` seconds."""

    def __init__(self, name: str, report: ProgressReport, *, pause: float) -> None:
        self._name = name
        self._report = report
        self._pause = pause
        self._latest = ""
        self._has_news = asyncio.Event()
        self._ended = asyncio.Event()
        self._showing = asyncio.create_task(self._keep_showing())

    def tell(self, what: str, done: int, total: int) -> None:
        """Take core's progress; it is shown when the message may be edited again."""
        file = say("{file}: {what}, {percent} %", file=self._name, what=say(what), percent=percent(done, total))
        self._latest = say(_READING, file=file)
        self._has_news.set()

    async def end(self) -> None:
        """Stop; afterwards no edit is running."""
        self._ended.set()
        self._has_news.set()
        await self._showing

    async def _keep_showing(self) -> None:
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            if self._ended.is_set() or not await self._report.edit(self._latest):
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._ended.wait()


class EditedMessage(ProgressReport):
    """A private message that a platform can edit.

    Args:
        surface: where its member used something.
        split: returns a text in pieces that fit; the first replaces the message.
        put: replaces the message with a piece and its signed buttons.
    """

    def __init__(
        self,
        surface: Surface,
        split: Callable[[str], Sequence[str]],
        put: Callable[[str, Sequence[Choice]], Awaitable[object]],
    ) -> None:
        self._surface = surface
        self._split = split
        self._put = put

    async def edit(self, text: str, choices: Sequence[Choice] = ()) -> bool:
        """Replace the text; pieces that don't fit are sent below it, with the buttons."""
        first, *others = self._split(text)
        try:
            await self._put(first, () if others else await self._surface.sealed(choices, alone=True))
        except (OutOfReachError, RefusedError) as error:
            _log.info("The progress of %s cannot be shown: %s", self._surface.ref, error)
            return False
        if others:
            await self._surface.tell("\n\n".join(others), choices)
        return True


class BookUploads:
    """Imports books, and tells the organisers the progress and the chapters found."""

    def __init__(self, shelf: "BookShelf", commands: CommandFlow, *, pause: float = 1.5) -> None:
        self._shelf = shelf
        self._commands = commands
        self._pause = pause

    async def add_said(self, surface: MessageSurface, files: Sequence[object], title: str) -> bool:
        """Import the first file of a message; return whether that failed, which the member is told."""
        hint = f"\n\n{say(_ONE_BY_ONE, files=len(files))}" if len(files) > 1 else ""
        return await self.add(surface, lambda: surface.offered(files[0]), surface.file_host, title, hint=hint)

    async def add(
        self,
        surface: Surface,
        offered: Callable[[], Awaitable[OfferedFile]],
        host: FileHost,
        title: str,
        *,
        hint: str = "",
    ) -> bool:
        """Import an organiser's file; return whether that failed, which the organiser is told."""
        report: ProgressReport | None = None
        progress: _ProgressMessage | None = None
        choices: tuple[Choice, ...] = ()
        failed = False
        try:
            request = await self._commands.request(surface)
            self._shelf.check_may_add(request)
            file = await offered()
            self._shelf.check(file, request)
            name = surface.escape(file.name)
            report = await surface.report(say(_READING, file=name))
            progress = _ProgressMessage(name, report, pause=self._pause) if report is not None else None
            on_progress = None if progress is None else progress.tell
            write = partial(fetch, file.url, host=host, most=self._shelf.most_bytes)
            response = await self._shelf.take_in(
                file.name, write, request, title=title or None, on_progress=on_progress
            )
            text, choices = response.text, response.choices
        except Exception as error:  # noqa: BLE001 (every failure becomes a sentence to the organiser)
            text, failed = sentence_for(surface.ref, error), True
        if progress is not None:
            await progress.end()
        await self._end(surface, report, text + hint, choices)
        return failed

    async def _end(self, surface: Surface, report: ProgressReport | None, text: str, choices: Sequence[Choice]) -> None:
        """Replace the progress with the outcome; if the organiser can't be told privately, post its first paragraph.

        The chapters after the first paragraph are for the organiser only.
        """
        if report is not None and await report.edit(text, choices):
            return
        if await surface.tell(text, choices):
            return
        organiser = (await surface.author()).display_name
        summary = f"{surface.escape(organiser)}: {text.partition(chr(10) * 2)[0]}"
        try:
            await surface.post(Post(text=summary, ref=surface.ref))
        except (OutOfReachError, RefusedError) as error:
            _log.warning("The outcome of %s could not be posted: %s", surface.ref, error)


class BookShelf:
    """Imports the files; one per process, so that at most `at_once` run concurrently.

    A member may have five files waiting, and all members together twenty, so that one member's many files delay nobody.
    """

    def __init__(self, books: BookCommands, *, most_bytes: int, at_once: int = 2) -> None:
        self._books = books
        self.most_bytes = most_bytes
        self._slots = asyncio.Semaphore(at_once)
        self._files_of: Counter[str] = Counter()
        _remove_leftover_files()

    def check_may_add(self, request: CommandRequest) -> None:
        """Check the member's permission. Raises NotPermittedError: only organisers add books."""
        self._books.check_may_add(request)

    def check(self, file: OfferedFile, request: CommandRequest) -> None:
        """Check the size of a file before it is downloaded.

        Raises:
            BookError: it is too large.
            ThusfarError: too many files are waiting.
        """
        if file.size > self.most_bytes:
            raise too_large(self.most_bytes)
        self._check_room(request.member.member_id)

    async def take_in(
        self,
        name: str,
        write: Callable[[Path], Awaitable[None]],
        request: CommandRequest,
        *,
        title: str | None,
        on_progress: Progress | None,
    ) -> CommandResponse:
        """Let `write` download a file to a temporary folder, and have core import it.

        Raises:
            ThusfarError: it can't be read as a book, or too many files are waiting.
        """
        member_id = request.member.member_id
        self._check_room(member_id)
        self._files_of[member_id] += 1
        try:
            async with self._slots:
                with tempfile.TemporaryDirectory(prefix=f"{_FOLDER}{os.getpid()}-") as folder:
                    path = Path(folder) / (_UNSAFE.sub("_", name)[-_LONGEST_NAME:].lstrip(".") or "book")
                    await write(path)
                    return await self._books.add(path, request, title=title, on_progress=on_progress)
        finally:
            self._files_of[member_id] -= 1
            if not self._files_of[member_id]:
                del self._files_of[member_id]

    def _check_room(self, member_id: str) -> None:
        if self._files_of[member_id] >= _MOST_PER_MEMBER:
            raise ThusfarError(say("I'm still reading your earlier files. Please send this one afterwards."))
        if self._files_of.total() >= _MOST_IN_TOTAL:
            raise ThusfarError(say("I'm reading many books just now. Please try again in a few minutes."))


def _remove_leftover_files() -> None:
    """Remove the files of processes that died during an import."""
    if os.name == "nt":  # Windows can't be asked whether a process is running
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*-*"):
        number = folder.name.removeprefix(_FOLDER).partition("-")[0]
        if number.isdigit() and (int(number) == os.getpid() or not _is_running(int(number))):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
