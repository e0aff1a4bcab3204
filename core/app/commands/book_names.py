"""Books that a club may mean, as they are offered while a title is typed: for all commands that take one."""

from core.app.commands.values import CommandRequest, Suggestion
from core.app.library import Library
from core.domain.folding import folded
from core.domain.words import counted


async def suggested_books(library: Library, request: CommandRequest) -> list[Suggestion]:
    """Return the books of a club in whose title stands what was typed, each with how long it is."""
    wanted = folded(request.text)
    books = await library.in_scope(scope=request.thread.scope)
    return [
        Suggestion(label=f"{book.title}, {counted(book.pages, 'page')}", text=book.book_id)
        for book in books
        if wanted in folded(book.title)
    ]
