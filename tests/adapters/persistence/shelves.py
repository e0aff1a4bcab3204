"""A migrated database with its repositories, and small books to put in it."""

import multiprocessing
from collections.abc import Sequence
from multiprocessing.context import ForkServerContext
from pathlib import Path

from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from core.domain.book import Book, BookText, Chapter, OutsidePart, Page, PageSource, PartRole
from core.language.chunking import chunk_pages
from tests.stored import SqlStores


class Store(SqlStores):
    """All repositories over one database."""

    async def add(self, texts: Sequence[str], *, title: str = "Small", scope: str = "local", content: str = "") -> Book:
        """Store a book; its content hash is made from `content`, else from its text."""
        text = small_book(texts, title=title)
        book, _ = await self.books.add(
            scope=scope,
            content_hash=content or "|".join(texts),
            text=text,
            chunks=chunk_pages(text.pages, text.chapters),
        )
        return book


def store(url: str) -> Store:
    """Open a database, its tables made where needed."""
    database = Database(url)
    path = Path(database.engine.url.database or "")
    upgrade(database.engine, lock_path=path.with_suffix(".lock") if url.startswith("sqlite") else None)
    return Store(database)


def processes() -> ForkServerContext:
    """Return a context whose processes start fast: they are forked from one that has done the imports."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def small_book(texts: Sequence[str], *, title: str = "Small") -> BookText:
    """Return a book of these pages in one chapter."""
    return BookText(
        title=title,
        author="A. Nobody",
        pages=tuple(Page(number=number, text=text) for number, text in enumerate(texts, 1)),
        chapters=(Chapter(number=1, title="Chapter 1", first_page=1, last_page=len(texts)),),
        page_source=PageSource.FORM_FEEDS,
        # On a page that the book doesn't have, so that all others are story.
        outside=(OutsidePart(role=PartRole.BACK, title="Index", first_page=len(texts) + 1, last_page=len(texts) + 1),),
    )
