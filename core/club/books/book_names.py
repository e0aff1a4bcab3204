"""Suggests a club's books while a member types a title, for all commands that take one."""

from core.catalogue.sentences import say_count, sentence
from core.club.commands.values import CommandGroup, CommandRequest, Suggestion
from core.domain.folding import folded
from core.library.library import Library

BOOK = CommandGroup(
    name="book", help=sentence("the books of this server, and which one is read here"), for_organisers=True
)


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
