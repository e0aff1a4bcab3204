"""Importing a book with a progress bar, for every command that can."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bot.home import sample_book
from core.domain.errors import BookError, BookErrorCode, LLMError

if TYPE_CHECKING:
    from bot.wiring import Application
    from core.answering.dense import Progress
    from core.domain.book import Book
    from core.library.library import ImportedBook

SAMPLE = "sample"
_log = logging.getLogger(__name__)


async def import_with_progress(
    application: "Application", path: Path, *, scope: str, title: str | None = None, author: str | None = None
) -> "ImportedBook":
    """Import a file, with a progress bar on stderr in a terminal."""
    with progress_bar(path.name) as on_progress:
        return await application.library.add(path, scope=scope, title=title, author=author, on_progress=on_progress)


async def complete_with_progress(application: "Application", book: "Book") -> None:
    """Make a book's missing vectors, with the same progress bar. Raises LLMError."""
    with progress_bar(book.title) as on_progress:
        await application.library.complete(book.book_id, on_progress=on_progress)


async def take_in_notes_with_progress(application: "Application", book: "Book") -> None:
    """Make the vectors of a book's notes; on failure they are made later, and search uses words until then."""
    with progress_bar(book.title) as on_progress:
        try:
            await application.library.complete_notes(book.book_id, on_progress=on_progress)
        except LLMError as error:
            _log.warning("The notes of %s are searched by words only: %s", book.title, error)


@contextmanager
def progress_bar(what: str) -> "Iterator[Progress]":
    """Show a progress bar on stderr in a terminal."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"Reading {what}", total=None)
        yield lambda doing, done, total: bar.update(
            task, description=f"{doing.capitalize()} {what}", completed=done, total=total
        )


async def find_or_import(application: "Application", name: str, *, scope: str) -> "Book":
    """Return the book for `name`: an existing one, the sample, or a file, which is imported first.

    A name that looks like a file (with a folder or an extension) is tried as a file first.
    """
    path = await asyncio.to_thread(Path(name).expanduser)
    is_file = await asyncio.to_thread(path.is_file)
    looks_like_one = bool(path.suffix) or len(path.parts) > 1
    if is_file and looks_like_one:
        return (await import_with_progress(application, path, scope=scope)).book
    try:
        return await application.library.find(scope=scope, name=name)
    except BookError as error:
        if error.code is not BookErrorCode.NOT_FOUND:
            raise
        not_found = error
    if name.casefold() == SAMPLE:
        return await _sample(application, scope)
    if is_file:
        return (await import_with_progress(application, path, scope=scope)).book
    if looks_like_one:
        raise BookError(BookErrorCode.NOT_FOUND, f"No book or file matches {name[:200]!r}.")
    raise not_found


async def _sample(application: "Application", scope: str) -> "Book":
    """Return the novel that comes with the program; import it only if it is missing or incomplete."""
    from core.domain.book import BookStatus

    sample = sample_book(application.settings.sample_folder)
    for book in await application.library.in_scope(scope=scope):
        if book.content_hash == sample.content_hash and book.status is BookStatus.COMPLETE:
            return book
    from bot.noting import note_sample

    imported = await import_with_progress(
        application, sample.path, scope=scope, title=sample.title, author=sample.author
    )
    await note_sample(application.noted().notes, application.settings.sample_folder, imported)
    return await application.library.get(imported.book.book_id)
