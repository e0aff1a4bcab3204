"""Books in SQL: pages, chapters and chunks, stored whole or not at all.

What becomes of clubs that read them is imported where a book goes: a command that looks at books needs none of it.
"""

from collections.abc import Callable, Sequence
from typing import NoReturn

from sqlalchemy import bindparam
from sqlalchemy import select as sql_select
from sqlmodel import Session, select

from adapters.persistence import stored_books
from adapters.persistence.book_contents import (
    apply_edit,
    book_row,
    insert_contents,
    outline_of,
)
from adapters.persistence.copied_books import copy_book, with_content
from adapters.persistence.database import Database
from adapters.persistence.prepared import Prepared, Unit
from adapters.persistence.stored_books import StoredBooks
from adapters.persistence.tables import BookRow, PageRow
from core.domain.book import Book, BookEdit, BookOutline, BookText, Chunk, Page
from core.domain.book_names import named
from core.domain.edition import PlaceMap
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import ReadableSpan
from core.ports.books import BookRepository, ChunkMark, StoredChunk

_books = BookRow.metadata.tables["book"]
_BOOK = Prepared(sql_select(_books).where(_books.c.book_id == bindparam("book_id")))
_OF_SCOPE = sql_select(_books).where(_books.c.scope == bindparam("scope"))
_IN_SCOPE = Prepared(_OF_SCOPE.order_by(_books.c.title, _books.c.book_id))
_LATEST = Prepared(_OF_SCOPE.order_by(_books.c.imported_at.desc()).limit(1))
_page = PageRow.metadata.tables["page"].c
_PAGES = Prepared(
    sql_select(_page.number, _page.text, _page.label, _page.start_offset)
    .where(
        _page.book_id == bindparam("book_id"),
        _page.number >= bindparam("first_page"),
        _page.number <= bindparam("last_page"),
    )
    .order_by(_page.number)
)
_FEW_CHUNKS = 256


class SqlBookRepository(BookRepository):
    """Books by scope and content.

    `embedding_model_id` is the model whose vectors make a book `complete`; None where nothing is embedded.
    """

    def __init__(self, database: Database, *, embedding_model_id: str | None) -> None:
        self._database = database
        self._stored = StoredBooks(embedding_model_id=embedding_model_id)

    async def add(self, *, scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> tuple[Book, bool]:
        """Store a book whole or not at all; return it, and whether it is new."""

        def work(session: Session) -> tuple[Book, bool]:
            existing = with_content(session, scope, content_hash)
            if existing is not None:
                return self._stored.book(Unit.of(session), existing), False
            row = book_row(scope, content_hash, text, chunks)
            session.add(row)
            session.flush()
            insert_contents(session, row.book_id, text, chunks)
            return self._stored.book(Unit.of(session), row), True

        return await self._database.write(work)

    async def get(self, book_id: str) -> Book:
        """Return the book. Raises BookError(NOT_FOUND)."""

        def work(unit: Unit) -> Book:
            return self._stored.book(unit, unit.first(_BOOK, {"book_id": book_id}) or _missing(book_id))

        return await self._database.prepared_read(work)

    async def find(self, *, scope: str, name: str) -> Book:
        """Look a book up by what it is called."""
        return await self._database.prepared_read(
            lambda unit: self._stored.book(unit, named(unit.all(_IN_SCOPE, {"scope": scope}), name))
        )

    async def latest(self, *, scope: str) -> Book | None:
        """Return the book of the scope that was imported last, if any."""

        def work(unit: Unit) -> Book | None:
            row = unit.first(_LATEST, {"scope": scope})
            return None if row is None else self._stored.book(unit, row)

        return await self._database.prepared_read(work)

    async def in_scope(self, *, scope: str) -> list[Book]:
        """Return the books of a scope by title."""
        return await self._database.prepared_read(
            lambda unit: [self._stored.book(unit, row) for row in unit.all(_IN_SCOPE, {"scope": scope})]
        )

    async def edit(self, book_id: str, edit: BookEdit) -> None:
        """Mend what is known of a book, all of it or nothing."""
        await self._database.write(lambda session: apply_edit(session, _row(session, book_id), edit))

    async def copy(self, book_id: str, *, scope: str) -> tuple[Book, bool]:
        """Store a book in another scope too, with its vectors; return that book, and whether it is new there."""

        def work(session: Session) -> tuple[Book, bool]:
            row, is_new = copy_book(session, _row(session, book_id), scope=scope)
            return self._stored.book(Unit.of(session), row), is_new

        return await self._database.write(work)

    async def succeed(self, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        """Let a book take another's place; False where a club reads both, and the old one stays."""
        from adapters.persistence.book_readings import succeed

        return await self._database.write(
            lambda session: succeed(session, _row(session, old_book_id), _row(session, new_book_id), places)
        )

    async def remove(self, book_id: str) -> None:
        """Delete a book with all that hangs on it; clubs that read it remember its title."""
        from adapters.persistence.book_readings import remove

        await self._database.write(lambda session: remove(session, _row(session, book_id)))

    async def outline(self, book_id: str) -> BookOutline:
        """Return page count, labels, chapters and places."""

        def work(unit: Unit) -> BookOutline:
            return outline_of(unit, unit.first(_BOOK, {"book_id": book_id}) or _missing(book_id))

        return await self._database.prepared_read(work)

    async def pages(self, span: ReadableSpan) -> list[Page]:
        """Return the readable pages."""

        def work(session: Session) -> list[Page]:
            bound = {"book_id": span.book_id, "first_page": span.first_page, "last_page": span.last_page}
            rows = Unit.of(session).all(_PAGES, bound)
            return [Page(number=r.number, text=r.text, label=r.label, start_offset=r.start_offset) for r in rows]

        return await self._database.read(work)

    async def chunks(self, book_id: str) -> list[StoredChunk]:
        """Return all chunks in the order of the book, for building an index."""
        return await self._database.read(lambda session: stored_books.all_chunks(Unit.of(session), book_id))

    async def chunk_marks(self, book_id: str) -> list[ChunkMark]:
        """Return the marks of all chunks in the order of the book."""
        return await self._database.read(lambda session: stored_books.chunk_marks(Unit.of(session), book_id))

    async def content_hashes(self) -> set[str]:
        """Return what texts there are, of all scopes."""
        return await self._database.read(lambda session: set(session.exec(select(BookRow.content_hash))))

    async def readable_chunks(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Read chunks again through the gate: what is not readable, or no longer there, is left out."""
        return await self._some_chunks(stored_books.chunks_by_id, span, chunk_ids)

    async def chunks_of_pages(self, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks that begin on some pages, in the order of the book, through the gate."""
        return await self._some_chunks(stored_books.chunks_of_pages, span, pages)

    async def chunks_beside(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return all chunks of the pages on which some chunks begin, in the order of the book, through the gate."""
        return await self._some_chunks(stored_books.chunks_beside, span, chunk_ids)

    async def _some_chunks(
        self,
        read: Callable[[Unit, ReadableSpan, Sequence[int]], list[StoredChunk]],
        span: ReadableSpan,
        wanted: Sequence[int],
    ) -> list[StoredChunk]:
        if len(wanted) <= _FEW_CHUNKS:
            return await self._database.prepared_read(lambda unit: read(unit, span, wanted))
        return await self._database.read(lambda session: read(Unit.of(session), span, wanted))


def _row(session: Session, book_id: str) -> BookRow:
    return session.get(BookRow, book_id) or _missing(book_id)


def _missing(book_id: str) -> NoReturn:
    raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {book_id}.")
