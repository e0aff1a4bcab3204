"""The terminal as a platform: reads lines and runs them in a SoloSession."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from adapters.platform.services import PlatformServices
from adapters.platform.solo import SoloSession, telling
from adapters.platform.surface import Post
from adapters.terminal.lines import Lines
from adapters.terminal.surface import READER, THREAD, TerminalSurface
from core.answering.positions import PositionService
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, say_count, sentence
from core.club.timers.due import DueMessage
from core.domain.book import Book, BookStatus
from core.domain.clean_text import clean
from core.domain.errors import BookError, LLMError, StorageError, ThusfarError
from core.domain.messages import ASK_POSITION
from core.domain.scopes import LOCAL_SCOPE
from core.library.library import Library

_log = logging.getLogger(__name__)

_QUIT = "/quit"
_YES = " --yes"
_HELP = sentence(
    """\
Just write a question about the pages you've read: Who is the man at the door?
/setpage 120 tells me how far you've read. ch 7 done, 45% and end work too.
/who NAME, /cast and /recap remind you of people and of the story so far.
/more shows more passages for the last question, /here the text around its first one.
/1, /2 ... pick one of the choices I offered.
/book list shows the books, /book use TITLE opens one, /book add PATH imports a file.
/help all lists every command. /quit leaves (or Ctrl-D)."""
)
_NO_PATH = sentence("Say which file: /book add PATH.")
_GONE = sentence("gone")


class TerminalChat:
    """One person talking about one book at a time.

    Args:
        services: core's services.
        positions, threads, library: core's, for the prompt and for books that are imported and opened.
        lines: the source of lines.
        say: prints an error.
        folder: where files for the reader are written.
    """

    def __init__(
        self,
        *,
        services: PlatformServices,
        positions: PositionService,
        threads: ThreadService,
        library: Library,
        lines: Lines,
        say: Callable[[str], None],
        folder: Path,
    ) -> None:
        self._services = services
        self._positions = positions
        self._threads = threads
        self._library = library
        self._lines = lines
        self._surface = TerminalSurface(lines, say, folder=folder, stays=services.commands.stays)
        self._flow = SoloSession(
            services,
            threads=threads,
            help_text=_HELP,
            bring=self._add_book,
            ask_again=self._ask_again,
        )
        self._title = ""

    async def run(self, book: Book, *, page: int | None = None) -> None:
        """Read and run lines until there are no more."""
        await self._open(book)
        club = await self._threads.club(self._surface.thread, READER.member_id)
        if page is not None:
            moved = await self._positions.move(club, page, member=READER)
            await self._surface.post(Post(text=moved.announcement, ref=self._surface.ref))
        elif club.page_of_all is None:
            print(say(ASK_POSITION))
        background = asyncio.create_task(self._complete_books()) if self._lines.interactive else None
        try:
            while (line := await self._next_line()) is not None and line.strip().lower() != _QUIT:
                if line.strip():
                    await self._take(line.strip())
        finally:
            if background is not None:
                background.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await background

    async def _next_line(self) -> str | None:
        """Print scheduled messages, then read a line."""
        try:
            await self._services.due.run_due(self)
        except StorageError as error:
            _log.warning("Scheduled messages cannot be read: %s", error)
        return await self._lines.next(await self._prompt())

    def timer_scopes(self) -> Sequence[str]:
        """Return the terminal's own scope."""
        return (LOCAL_SCOPE,)

    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        """Print a scheduled message; one printed before a crash is printed again."""
        await self._surface.tell(message.text, message.choices)

    async def is_posted(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        """Return False: what an earlier run printed is unknown."""
        return False

    async def _take(self, line: str) -> None:
        line = clean(line)
        # A pipe can't be asked: the line itself has to contain the confirmation.
        self._surface.can_be_asked = self._lines.interactive or line.endswith(_YES)
        line = line.removesuffix(_YES) if line.startswith("/") else line
        typed = line.removeprefix("/")
        is_number = line.startswith("/") and typed.isdecimal()
        if not is_number:
            self._surface.take_line()
        async with telling(self._surface):
            if is_number:
                self._surface.choose(int(typed))
            elif self._flow.is_question(line):
                await self._flow.ask(self._surface, line)
            else:
                await self._flow.command(self._surface, line)
            # A chosen button may ask for another choice.
            while (chosen := self._surface.take_chosen()) is not None:
                await self._flow.press(self._surface, chosen)
        if self._surface.opens:
            opened = await self._threads.reading(THREAD)
            self._stay_with(opened.reading_id if opened is not None else "")
        self._surface.opens = False

    def _stay_with(self, reading_id: str) -> None:
        """Stay with this reading, even if another process opens a different one."""
        self._surface.thread = replace(THREAD, about=reading_id)

    async def _ask_again(self, question: str) -> None:
        print(say("You asked: {question}", question=question))
        await self._flow.ask(self._surface, question)

    async def _add_book(self, path: str) -> None:
        if not path:
            raise ThusfarError(say(_NO_PATH))
        imported = await self._library.add(_path(path), scope=LOCAL_SCOPE)
        await self._open(imported.book)

    async def _open(self, book: Book) -> None:
        self._stay_with((await self._threads.open(THREAD, book_id=book.book_id)).reading_id)
        pages = say_count("{number} page", "{number} pages", book.pages)
        told = {"title": book.title, "author": book.author, "pages": pages}
        if book.author:
            print(say("{title} by {author}, {pages}. /help shows what you can do.", **told))
        else:
            print(say("{title}, {pages}. /help shows what you can do.", **told))

    async def _prompt(self) -> str:
        try:
            club = await self._threads.club(self._surface.thread)
            self._title = club.book.title
        except StorageError:  # the database can't be used for a while; the next command reports that
            return f"{self._title} > "
        except (BookError, ThusfarError):
            return f"{self._title} [{say(_GONE)}] > "
        return f"{self._title} [{club.footer(club.page_of_all)}] > "

    async def _complete_books(self) -> None:
        """Finish interrupted imports, and load the vector index before the first question."""
        try:
            reading = await self._threads.reading(self._surface.thread)
            for book in await self._library.in_scope(scope=LOCAL_SCOPE):
                if book.status is BookStatus.SEARCHABLE or (reading and book.book_id == reading.book_id):
                    await self._library.complete(book.book_id)
        except (LLMError, ThusfarError) as error:
            _log.warning("A book could not be completed: %s", error)


def _path(typed: str) -> Path:
    return Path(typed).expanduser()
