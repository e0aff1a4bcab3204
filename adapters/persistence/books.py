"""Books in SQL: pages, chapters and chunks, stored whole or not at all."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from adapters.persistence.book_contents import (
    apply_edit,
    book_row,
    copied_row,
    copy_contents,
    insert_contents,
    outline_of,
)
from adapters.persistence.book_names import named
from adapters.persistence.carrying_over import carry_over
from adapters.persistence.database import Database
from adapters.persistence.tables import BookRow, ChunkRow, ChunkVectorRow, ClubRow, PageRow, ReadingRow
from core.domain.book import Book, BookEdit, BookOutline, BookStatus, BookText, Chunk, Page, PageSource
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import ReadableSpan
from core.domain.place_map import PlaceMap
from core.ports.repositories import BookRepository, StoredChunk

_MOST_VARIABLES = 10_000


class SqlBookRepository(BookRepository):
    """Books by scope and content.

    `embedding_model_id` is the model whose vectors make a book `complete`; None where nothing is embedded.
    """

    def __init__(self, database: Database, *, embedding_model_id: str | None) -> None:
        self._database = database
        self._model_id = embedding_model_id
        # An import's chunks never change and its vectors are never taken away: once complete is complete.
        self._complete: set[tuple[str, datetime]] = set()

    async def add(self, *, scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> tuple[Book, bool]:
        """Store a book whole or not at all; return it, and whether it is new."""

        def work(session: Session) -> tuple[Book, bool]:
            existing = _with_content(session, scope, content_hash)
            if existing is not None:
                return self._book(session, existing), False
            row = book_row(scope, content_hash, text, chunks)
            session.add(row)
            session.flush()
            insert_contents(session, row.book_id, text, chunks)
            return self._book(session, row), True

        return await self._database.write(work)

    async def get(self, book_id: str) -> Book:
        """Return the book. Raises BookError(NOT_FOUND)."""
        return await self._database.read(lambda session: self._book(session, _row(session, book_id)))

    async def find(self, *, scope: str, name: str) -> Book:
        """Look a book up by id, title or unique prefix of a title, case-insensitively."""

        def work(session: Session) -> Book:
            rows = session.exec(select(BookRow).where(BookRow.scope == scope).order_by(BookRow.title)).all()
            return self._book(session, named(list(rows), name))

        return await self._database.read(work)

    async def latest(self, *, scope: str) -> Book | None:
        """Return the book of the scope that was imported last, if any."""

        def work(session: Session) -> Book | None:
            row = session.exec(
                select(BookRow).where(BookRow.scope == scope).order_by(col(BookRow.imported_at).desc())
            ).first()
            return self._book(session, row) if row else None

        return await self._database.read(work)

    async def in_scope(self, *, scope: str) -> list[Book]:
        """Return the books of a scope by title."""

        def work(session: Session) -> list[Book]:
            rows = session.exec(select(BookRow).where(BookRow.scope == scope).order_by(BookRow.title, BookRow.book_id))
            return [self._book(session, row) for row in rows]

        return await self._database.read(work)

    async def edit(self, book_id: str, edit: BookEdit) -> None:
        """Mend what is known of a book, all of it or nothing."""
        await self._database.write(lambda session: apply_edit(session, _row(session, book_id), edit))

    async def copy(self, book_id: str, *, scope: str) -> tuple[Book, bool]:
        """Store a book in another scope too, with its vectors; return that book, and whether it is new there."""

        def work(session: Session) -> tuple[Book, bool]:
            original = _row(session, book_id)
            existing = _with_content(session, scope, original.content_hash)
            if existing is not None:
                return self._book(session, existing), False
            row = copied_row(original, scope)
            session.add(row)
            session.flush()
            copy_contents(session, book_id, row.book_id)
            return self._book(session, row), True

        return await self._database.write(work)

    async def succeed(self, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        """Let a book take another's place; False where a club reads both, and the old one stays."""

        def work(session: Session) -> bool:
            old = _row(session, old_book_id)
            if carry_over(session, old_book_id, _row(session, new_book_id).book_id, places):
                return False
            session.flush()
            session.delete(old)
            return True

        return await self._database.write(work)

    async def remove(self, book_id: str) -> None:
        """Delete a book with all that hangs on it; clubs that read it remember its title."""

        def work(session: Session) -> None:
            row = _row(session, book_id)
            readers = select(ReadingRow.club_id).where(ReadingRow.book_id == book_id)
            session.execute(update(ClubRow).where(col(ClubRow.club_id).in_(readers)).values(removed_title=row.title))
            session.delete(row)

        await self._database.write(work)

    async def outline(self, book_id: str) -> BookOutline:
        """Return page count, labels, chapters and places."""
        return await self._database.read(lambda session: outline_of(session, _row(session, book_id)))

    async def pages(self, span: ReadableSpan) -> list[Page]:
        """Return the readable pages."""

        def work(session: Session) -> list[Page]:
            rows = session.exec(
                select(PageRow)
                .where(PageRow.book_id == span.book_id, PageRow.number <= span.last_page)
                .order_by(col(PageRow.number))
            )
            return [Page(number=r.number, text=r.text, label=r.label, start_offset=r.start_offset) for r in rows]

        return await self._database.read(work)

    async def chunks(self, book_id: str) -> list[StoredChunk]:
        """Return all chunks in the order of the book, for building an index."""

        def work(session: Session) -> list[StoredChunk]:
            return _stored(session, ChunkRow.book_id == book_id)

        return await self._database.read(work)

    async def readable_chunks(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Read chunks again through the gate: what is not readable, or no longer there, is left out."""

        def work(session: Session) -> list[StoredChunk]:
            found: list[StoredChunk] = []
            for some in _batched(chunk_ids, _MOST_VARIABLES):
                found += _stored(
                    session,
                    ChunkRow.book_id == span.book_id,
                    ChunkRow.end_page <= span.last_page,
                    col(ChunkRow.chunk_id).in_(some),
                )
            return found

        return await self._database.read(work)

    async def chunks_of_pages(self, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks that begin on some pages, in the order of the book, through the gate."""

        def work(session: Session) -> list[StoredChunk]:
            return _stored(
                session,
                ChunkRow.book_id == span.book_id,
                ChunkRow.end_page <= span.last_page,
                col(ChunkRow.start_page).in_(pages[:_MOST_VARIABLES]),
            )

        return await self._database.read(work)

    def _book(self, session: Session, row: BookRow) -> Book:
        return Book(
            book_id=row.book_id,
            scope=row.scope,
            title=row.title,
            author=row.author,
            content_hash=row.content_hash,
            pages=row.page_count,
            chapters=row.chapter_count,
            chunks=row.chunk_count,
            page_source=PageSource(row.page_source),
            status=self._status(session, row),
            import_id=row.imported_at.isoformat(),
        )

    def _status(self, session: Session, row: BookRow) -> BookStatus:
        this_import = (row.book_id, row.imported_at)
        if self._model_id is None or this_import in self._complete:
            return BookStatus.COMPLETE
        vectors = session.exec(
            select(func.count())
            .select_from(ChunkVectorRow)
            .join(ChunkRow, col(ChunkRow.chunk_id) == ChunkVectorRow.chunk_id)
            .where(ChunkRow.book_id == row.book_id, ChunkVectorRow.model_id == self._model_id)
        ).one()
        if vectors < row.chunk_count:
            return BookStatus.SEARCHABLE
        self._complete.add(this_import)
        return BookStatus.COMPLETE


def _row(session: Session, book_id: str) -> BookRow:
    row = session.get(BookRow, book_id)
    if row is None:
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {book_id}.")
    return row


def _with_content(session: Session, scope: str, content_hash: str) -> BookRow | None:
    return session.exec(select(BookRow).where(BookRow.scope == scope, BookRow.content_hash == content_hash)).first()


def _stored(session: Session, *conditions: object) -> list[StoredChunk]:
    rows = session.execute(
        select(ChunkRow.chunk_id, ChunkRow.start_page, ChunkRow.end_page, ChunkRow.text)
        .where(*conditions)  # type: ignore[arg-type]
        .order_by(col(ChunkRow.number))
    )
    return [
        StoredChunk(chunk_id=chunk_id, start_page=start, end_page=end, text=text)
        for chunk_id, start, end, text in rows
        if chunk_id is not None
    ]


def _batched(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Give the ids in runs that a database takes as variables of one statement."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
