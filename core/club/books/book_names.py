"""Books that a club may mean, as they are offered while a title is typed: for all commands that take one."""

from core.catalogue.sentences import say_count, sentence
from core.club.commands.values import CommandGroup, CommandRequest, Suggestion
from core.domain.folding import folded
from core.library.library import Library

BOOK = CommandGroup(
    name="book", help=sentence("the books of this server, and which one is read here"), for_organisers=True
)


async def suggested_books(library: Library, request: CommandRequest) -> list[Suggestion]:
    """Return the books of a club in whose title stands what was typed, each with how long it is."""
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
