"""Finds the book of a title that a member types, and suggests titles, for all commands that take one."""

from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import CommandGroup, CommandRequest, Suggestion
from core.domain.book import Book
from core.domain.errors import BookError, BookErrorCode
from core.domain.folding import folded
from core.domain.messages import plain_name
from core.library.library import Library

BOOK = CommandGroup(
    name="book", help=sentence("the books of this server, and which one is read here"), for_organisers=True
)


async def found_here(library: Library, request: CommandRequest) -> Book:
    """Return the named book. Raises BookError if there is none, or several match."""
    name = request.text.strip()
    try:
        return await library.find(scope=request.thread.scope, name=name)
    except BookError as error:
        if error.code is not BookErrorCode.NOT_FOUND:
            raise
        message = say("There's no book {title!r} here. `/book list` shows what there is.", title=plain_name(name)[:80])
        raise BookError(BookErrorCode.NOT_FOUND, message) from error


async def suggested_books(library: Library, request: CommandRequest) -> list[Suggestion]:
    """Return the books of a club whose title contains the typed text, each with its length."""
    wanted = folded(request.text)
    books = await library.in_scope(scope=request.thread.scope)
    return [
        Suggestion(
            label=say_count("{title}, {number} page", "{title}, {number} pages", book.pages, title=book.title),
            text=book.book_id,
        )
        for book in books
        if wanted in folded(book.title)
    ]
