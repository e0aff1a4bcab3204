"""The books in the browser: listing them, importing a dropped file, and correcting an import."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from adapters.platform.fetching import write_pieces
from adapters.platform.solo import telling
from adapters.platform.surface import OfferedFile
from adapters.platform.uploads import BookShelf
from adapters.web import pages
from adapters.web.requests import given_in
from adapters.web.room import Room
from adapters.web.talk import Where
from core.answering.dense import Progress
from core.catalogue.sentences import say, sentence
from core.club.browser.reader_view import ReadSoFar
from core.domain.book import Book, BookEdit
from core.domain.clean_text import clean
from core.domain.errors import BookError, BookErrorCode
from core.domain.messages import plain_name
from core.domain.scopes import LOCAL_SCOPE

_LONGEST_TITLE: Final = 300
_NO_NUMBER: Final = sentence("I need numbers for the story's first and last page.")


class Bookshelf:
    """The routes about the books of one scope."""

    def __init__(self, room: Room, shelf: BookShelf) -> None:
        self._room = room
        self._library = room.services.library
        self._view = room.services.reader_view
        self._shelf = shelf

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/books", self._list, methods=["GET"]),
            Route("/books", self._import_file, methods=["PUT"]),
            Route("/books/{book_id}", self._show, methods=["GET"]),
            Route("/books/{book_id}", self._edit, methods=["POST"]),
        ]

    async def _list(self, request: Request) -> Response:
        seen = await self._room.look(afresh=True)
        books = [await self._seen(book, seen) for book in await self._library.in_scope(scope=LOCAL_SCOPE)]
        said = self._room.talk.everything(Where.BOOKS)
        return HTMLResponse(
            pages.page(
                "books",
                books=books,
                seen=seen,
                said="".join(self._room.html_of(entry) for entry in said[-1:]),
                most_bytes=self._shelf.most_bytes,
                epoch=self._room.talk.epoch,
                version=self._room.talk.version,
                here="books",
            )
        )

    async def _show(self, request: Request) -> Response:
        book = await self._book(request)
        outline = await self._library.outline(book.book_id)
        return HTMLResponse(
            pages.page(
                "book",
                shown=await self._seen(book, await self._room.look()),
                first_page=outline.first_story_page,
                last_page=outline.story_end,
                all_pages=outline.pages,
                here="books",
            )
        )

    async def _edit(self, request: Request) -> Response:
        book = await self._book(request)
        await self._library.edit(book.book_id, _edit_of(await given_in(request)))
        await self._room.look(afresh=True)
        return JSONResponse({})

    async def _import_file(self, request: Request) -> Response:
        """Import an uploaded file; the outcome is shown in an entry, even if it is no book."""
        name = clean(request.query_params.get("name"))
        entry, surface = await self._room.open_on(Where.BOOKS)
        async with telling(surface):
            asked = await self._room.flow.commands.request(surface)
            size = clean(request.headers.get("content-length"))
            self._shelf.check_may_add(asked)
            self._shelf.check(OfferedFile(name=name, size=int(size) if size.isdecimal() else 0, url=""), asked)

            async def write(path: Path) -> None:
                await write_pieces(request.stream(), path, self._shelf.most_bytes)

            told = await self._shelf.take_in(name, write, asked, title=None, on_progress=self._progress(name))
            await surface.tell(told.text, told.choices)
        return JSONResponse({"id": entry.entry_id, "html": self._room.html_of(entry)})

    def _progress(self, name: str) -> Progress:
        """Return a callback that sends an import's progress to the tabs, once per percent."""
        told: list[tuple[str, int]] = []

        def tell(what: str, done: int, total: int) -> None:
            now = what, done * 100 // max(total, 1)
            if now not in told[-1:]:
                told.append(now)
                self._room.talk.publish("import", {"name": name, "what": say(what), "percent": now[1]})

        return tell

    async def _book(self, request: Request) -> Book:
        """Return the book that an address names, if it is in this scope. Raises BookError."""
        book_id = request.path_params["book_id"]
        for book in await self._library.in_scope(scope=LOCAL_SCOPE):
            if book.book_id == book_id:
                return book
        raise BookError(BookErrorCode.NOT_FOUND, say("There's no such book here."))

    async def _seen(self, book: Book, seen: ReadSoFar | None) -> ReadSoFar:
        """Return the book up to the read page; for a book that isn't open, as if nothing were read."""
        return seen if seen is not None and seen.book.book_id == book.book_id else await self._view.up_to(book, None)


def _edit_of(given: Mapping[str, object]) -> BookEdit:
    """Return the corrections to a book; empty chapter titles stay unchanged. Raises BookError."""
    chapters = given.get("chapters")
    titles = chapters if isinstance(chapters, dict) else {}
    author = given.get("author")
    return BookEdit(
        title=_line(given.get("title")),
        author=None if author is None else _line(author) or "",
        first_story_page=_number(given.get("first_page")),
        last_story_page=_number(given.get("last_page")),
        chapter_titles={
            int(number): title
            for number, text in ((clean(number), text) for number, text in titles.items())
            if number.isdecimal() and (title := _line(text)) is not None and title
        },
    )


def _line(text: object) -> str | None:
    return plain_name(text)[:_LONGEST_TITLE] if isinstance(text, str) else None


def _number(text: object) -> int | None:
    if text is None or text == "":
        return None
    number = clean(str(text))
    if not number.isdecimal():
        raise BookError(BookErrorCode.PAGE_OUT_OF_RANGE, say(_NO_NUMBER))
    return int(number)
