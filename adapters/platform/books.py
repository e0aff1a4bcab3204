"""Takes in the book files that organisers give: a few at a time, in a folder of their own, with their progress told."""

import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from adapters.platform.fetching import FileHost, fetch, too_large
from core.app.commands.book_commands import BookCommands
from core.app.commands.values import CommandRequest, CommandResponse
from core.domain.errors import ThusfarError

_ODD: Final = re.compile(r"[^\w .()-]")
_LONGEST_NAME: Final = 60
_MOST_OF_ONE: Final = 5
_MOST_OF_ALL: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFile:
    """A file as the platform tells of it; its size is in bytes."""

    name: str
    size: int
    url: str


class ProgressMessage:
    """Edits one message as an import goes on, no more often than every `pause` seconds.

    `edit` returns False where the message cannot be edited any more.
    """

    def __init__(self, name: str, edit: Callable[[str], Awaitable[bool]], *, pause: float) -> None:
        self._name = name
        self._edit = edit
        self._pause = pause
        self._latest = ""
        self._came = asyncio.Event()
        self._ended = asyncio.Event()
        self._showing: asyncio.Task[None] | None = None

    @property
    def beginning(self) -> str:
        """What the message says at first."""
        return f"Reading {self._name} …"

    def begin(self) -> None:
        """Follow what is told from now on."""
        self._showing = asyncio.create_task(self._keep_showing())

    def tell(self, what: str, done: int, total: int) -> None:
        """Take what core tells; it is shown when the message may be edited again."""
        self._latest = f"Reading {self._name}: {what}, {done * 100 // max(total, 1)} % …"
        self._came.set()

    async def end(self) -> None:
        """Show no more; afterwards no edit is under way."""
        if self._showing is not None:
            self._ended.set()
            self._came.set()
            await self._showing

    async def _keep_showing(self) -> None:
        while True:
            await self._came.wait()
            self._came.clear()
            if self._ended.is_set() or not await self._edit(self._latest):
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._ended.wait()


class BookShelf:
    """Imports the files; one for the whole process, so that no more than `at_once` are at work.

    A member has no more than five files there, and all of them no more than twenty: whoever sends a hundred holds up
    nobody else.
    """

    def __init__(self, books: BookCommands, *, most_bytes: int, at_once: int = 2) -> None:
        self._books = books
        self._most_bytes = most_bytes
        self._turns = asyncio.Semaphore(at_once)
        self._givers: Counter[str] = Counter()

    def check(self, file: OfferedFile, request: CommandRequest) -> None:
        """Look whose file it is, and how large, before it is fetched.

        Raises:
            NotPermittedError: only organisers add books.
            BookError: it is too large.
            ThusfarError: there is enough to do already.
        """
        self._books.check_may_add(request)
        if file.size > self._most_bytes:
            raise too_large(self._most_bytes)
        self._check_room(request.member.member_id)

    async def take(
        self,
        file: OfferedFile,
        request: CommandRequest,
        *,
        host: FileHost,
        title: str | None,
        progress: ProgressMessage,
    ) -> CommandResponse:
        """Fetch the file and have core import it.

        Raises:
            ThusfarError: the file does not come, or cannot be read as a book; or there is enough to do already.
        """
        member_id = request.member.member_id
        self._check_room(member_id)
        self._givers[member_id] += 1
        try:
            async with self._turns:
                with tempfile.TemporaryDirectory(prefix="thusfar-") as folder:
                    path = Path(folder) / (_ODD.sub("_", file.name)[-_LONGEST_NAME:].lstrip(".") or "book")
                    await fetch(file.url, path, host=host, most=self._most_bytes)
                    return await self._books.add(path, request, title=title, on_progress=progress.tell)
        finally:
            self._givers[member_id] -= 1
            if not self._givers[member_id]:
                del self._givers[member_id]

    def _check_room(self, member_id: str) -> None:
        if self._givers[member_id] >= _MOST_OF_ONE:
            raise ThusfarError("I am still reading the files before this one; please give me this one afterwards.")
        if self._givers.total() >= _MOST_OF_ALL:
            raise ThusfarError("Many books are being read just now; please try that again in a few minutes.")
