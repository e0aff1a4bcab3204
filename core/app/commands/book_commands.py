"""Commands about which book a club reads."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from core.app.commands.values import Choice, Command, CommandRequest, CommandResponse, Who
from core.app.dense import Progress
from core.app.library import ImportedBook, Library
from core.app.threads import ThreadService
from core.domain.book import Book, PageSource

SAMPLE = "sample"
AddSample = Callable[[str], Awaitable[Book]]
"""Imports the novel that comes with the program into a scope."""


class BookCommands:
    """`book list`, `book use`, `book remove`; `book add` is a method of its own, since it takes a file."""

    def __init__(self, *, library: Library, threads: ThreadService, add_sample: AddSample) -> None:
        self._library = library
        self._threads = threads
        self._add_sample = add_sample

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        organisers = Who.ORGANISERS
        return [
            Command(words="book list", takes="", who=Who.EVERYONE, help="list the books here", run=self._list),
            Command(
                words="book use", takes="TITLE, or sample", who=organisers, help="choose what is read", run=self._use
            ),
            Command(words="book remove", takes="TITLE", who=organisers, help="remove a book", run=self._remove),
            Command(words=".remove", takes="", who=organisers, help="", run=self._removed),
        ]

    async def add(
        self, path: Path, request: CommandRequest, *, title: str | None = None, on_progress: Progress | None = None
    ) -> CommandResponse:
        """Import a file that an organiser gave; its chapters are told to them alone, by pages. Raises BookError."""
        imported = await self._library.add(path, scope=request.thread.scope, title=title, on_progress=on_progress)
        return CommandResponse(text=await self._imported(imported))

    async def titles(self, scope: str, beginning: str, *, most: int = 25) -> list[str]:
        """Return the titles of a scope that begin so, for autocomplete."""
        books = await self._library.in_scope(scope=scope)
        wanted = beginning.strip().casefold()
        return [book.title for book in books if book.title.casefold().startswith(wanted)][:most]

    async def _list(self, request: CommandRequest) -> CommandResponse:
        books = await self._library.in_scope(scope=request.thread.scope)
        reading = await self._threads.reading(request.thread)
        lines = [
            f"{'▸ ' if reading and reading.book_id == book.book_id else ''}{book.title}, {book.pages} pages"
            for book in books
        ]
        return CommandResponse(text="\n".join(lines) or "There are no books here yet; `book add` brings one.")

    async def _use(self, request: CommandRequest) -> CommandResponse:
        name = request.text.strip()
        scope = request.thread.scope
        if name.casefold() == SAMPLE:
            book = await self._add_sample(scope)
        else:
            book = await self._library.find(scope=scope, name=name)
        await self._threads.use(request.thread, book_id=book.book_id)
        by = f" by {book.author}" if book.author else ""
        return CommandResponse(
            announcement=f"{request.member.display_name} opened {book.title}{by}, {book.pages} pages."
        )

    async def _remove(self, request: CommandRequest) -> CommandResponse:
        book = await self._library.find(scope=request.thread.scope, name=request.text.strip())
        return CommandResponse(
            text=f"Remove {book.title} with all its positions and conversations, in every channel?",
            choices=(Choice(label="Remove it", command=".remove", text=book.book_id),),
        )

    async def _removed(self, request: CommandRequest) -> CommandResponse:
        book = await self._library.find(scope=request.thread.scope, name=request.text)
        await self._library.remove(book.book_id)
        return CommandResponse(text=f"{book.title} is gone.")

    async def _imported(self, imported: ImportedBook) -> str:
        book = imported.book
        chapters = (await self._library.outline(book.book_id)).chapters
        spans = ", ".join(f"{c.number}: p. {c.first_page}-{c.last_page}" for c in chapters)
        known = "" if imported.is_new else " This text was here already."
        pages = "estimated pages" if book.page_source is PageSource.ESTIMATED else "pages"
        listed = f" Chapters {spans}." if spans else " No chapters were found."
        return f"{book.title}: {book.pages} {pages}.{known}{listed} `book use {book.title}` opens it."
