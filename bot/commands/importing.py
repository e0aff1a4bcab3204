"""Importing a book with a progress bar, for every command that can."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from bot.sample import sample_book

if TYPE_CHECKING:
    from bot.wiring import Application
    from core.app.library import ImportedBook
    from core.domain.book import Book

SAMPLE = "sample"


async def import_with_progress(
    application: "Application", path: Path, *, scope: str, title: str | None = None, author: str | None = None
) -> "ImportedBook":
    """Import a file; a bar on stderr shows how far it is, where somebody watches."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"Reading {path.name}", total=None)

        def on_progress(doing: str, done: int, total: int) -> None:
            bar.update(task, description=f"{doing.capitalize()} {path.name}", completed=done, total=total)

        return await application.library.add(path, scope=scope, title=title, author=author, on_progress=on_progress)


async def find_or_import(application: "Application", name: str, *, scope: str) -> "Book":
    """Return the book that `name` means: a file, which is imported first, `sample`, or a book that is there."""
    if await asyncio.to_thread(Path(name).is_file):
        return (await import_with_progress(application, Path(name), scope=scope)).book
    if name.casefold() == SAMPLE:
        sample = sample_book(application.settings.sample_folder)
        imported = await import_with_progress(
            application, sample.path, scope=scope, title=sample.title, author=sample.author
        )
        return imported.book
    return await application.library.find(scope=scope, name=name)
