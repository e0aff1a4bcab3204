"""Books in SQL: pages, chapters and chunks, stored whole or not at all.

The code for clubs' readings is imported only when a book is replaced or removed: other commands don't need it.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import func
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from adapters.persistence.book_contents import (
    apply_edit,
    book_row,
    copy_book,
    give_tree,
    insert_contents,
    outline_of,
    with_content,
)
from adapters.persistence.database import Database, SqlStore, reads, writes
from adapters.persistence.notes import join_notes
from adapters.persistence.reading_states import reading_row
from adapters.persistence.stored_books import (
    CHUNK,
    CHUNKS,
    StoredBooks,
    in_order,
    in_story,
    of_story,
    on_pages,
    readable_chunks,
    with_ids,
)
from adapters.persistence.tables import BookRow, PageRow
from core.domain.book import Book, BookEdit, BookOutline, BookText, Chunk, Page
from core.domain.book_names import named
from core.domain.edition import PlaceMap
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import ReadableSpan
from core.ports.books import BookRepository, ChunkMark, StoredChunk


class SqlBookRepository(SqlStore, BookRepository):
    """Books by scope and content.

    `embedding_model_id` is the model whose vectors make a book `complete`; None if nothing is embedded.
    """

    def __init__(self, database: Database, *, embedding_model_id: str | None) -> None:
        super().__init__(database)
        self._stored = StoredBooks(embedding_model_id=embedding_model_id)

    @writes
    def add(
        self, session: Session, *, scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]
    ) -> tuple[Book, bool]:
        """Store a book whole or not at all; return it, and whether it is new."""
        existing = with_content(session, scope, content_hash)
        if existing is not None:
            give_tree(session, existing, text)
            return self._stored.book(session, existing), False
        row = book_row(scope, content_hash, text, chunks)
        session.add(row)
        session.flush()
        insert_contents(session, row.book_id, text, chunks)
        return self._stored.book(session, row), True

    @reads
    def get(self, session: Session, book_id: str) -> Book:
        """Return the book. Raises BookError(NOT_FOUND)."""
        return self._stored.book(session, _row(session, book_id))

    @reads
    def find(self, session: Session, *, scope: str, name: str) -> Book:
        """Return the book with this title or name."""
        return self._stored.book(session, named(session.exec(_in_scope(scope)).all(), name))

    @reads
    def latest(self, session: Session, *, scope: str) -> Book | None:
        """Return the most recently imported book of the scope, or None."""
        newest = select(BookRow).where(BookRow.scope == scope).order_by(col(BookRow.imported_at).desc()).limit(1)
        row = session.exec(newest).first()
        return None if row is None else self._stored.book(session, row)

    @reads
    def in_scope(self, session: Session, *, scope: str) -> list[Book]:
        """Return the books of a scope by title."""
        return [self._stored.book(session, row) for row in session.exec(_in_scope(scope)).all()]

    @writes
    def edit(self, session: Session, book_id: str, edit: BookEdit) -> None:
        """Apply corrections to a book, all or none."""
        apply_edit(session, _row(session, book_id), edit)

    @writes
    def copy(self, session: Session, book_id: str, *, scope: str) -> tuple[Book, bool]:
        """Copy a book with its vectors to another scope; return that book, and whether it is new there."""
        row, is_new = copy_book(session, _row(session, book_id), scope=scope)
        return self._stored.book(session, row), is_new

    @writes
    def succeed(self, session: Session, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        """Replace a book with another; return False if a club reads both, so that the old one stays."""
        from adapters.persistence.book_readings import succeed

        return succeed(session, _row(session, old_book_id), _row(session, new_book_id), places)

    @writes
    def continue_in(self, session: Session, reading_id: str, book_id: str, places: PlaceMap) -> bool:
        """Let one reading continue in another book; return False if its club reads both."""
        from adapters.persistence.book_readings import continue_in

        return continue_in(session, reading_row(session, reading_id), _row(session, book_id), places)

    @writes
    def join_notes(self, session: Session, book_id: str, parts: Mapping[str, int]) -> None:
        """Give a series the notes of its books, if all of them have notes."""
        books = [(_row(session, part), before) for part, before in parts.items()]
        join_notes(session, books, _row(session, book_id))

    @writes
    def remove(self, session: Session, book_id: str) -> None:
        """Delete a book with everything that depends on it; clubs that read it keep its title."""
        from adapters.persistence.book_readings import remove

        remove(session, _row(session, book_id))

    @reads
    def outline(self, session: Session, book_id: str) -> BookOutline:
        """Return page count, labels, chapters and page offsets."""
        return outline_of(session, _row(session, book_id))

    @reads
    def pages(self, session: Session, span: ReadableSpan) -> list[Page]:
        """Return the readable pages."""
        row = PageRow
        readable = select(row.number, row.text, row.label, row.start_offset).where(
            row.book_id == span.book_id, col(row.number).between(span.first_page, span.last_page)
        )
        if not span.is_whole:
            readable = readable.where(in_story(col(row.book_id), col(row.number)))
        return [
            Page(number=number, text=text, label=label, start_offset=start)
            for number, text, label, start in session.exec(readable.order_by(col(row.number)))
        ]

    @reads
    def chunks(self, session: Session, book_id: str) -> list[StoredChunk]:
        """Return all chunks in book order, to build an index."""
        return in_order(session.execute(CHUNKS.where(of_story(book_id))).all())

    @reads
    def chunk_marks(self, session: Session, book_id: str) -> list[ChunkMark]:
        """Return the marks of all chunks in book order."""
        own, length = CHUNK, func.length(CHUNK.text).label("length")
        marks = sql_select(own.chunk_id, own.end_page, length).where(of_story(book_id)).order_by(own.number)
        rows = session.execute(marks)
        return [ChunkMark(chunk_id=row.chunk_id, end_page=row.end_page, length=row.length) for row in rows]

    @reads
    def content_hashes(self, session: Session) -> set[str]:
        """Return the content hashes of all texts in all scopes."""
        return set(session.exec(select(BookRow.content_hash)))

    @reads
    def readable_chunks(self, session: Session, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks that are readable and still exist."""
        return readable_chunks(session, span, chunk_ids, lambda some: with_ids(span, some))

    @reads
    def chunks_of_pages(self, session: Session, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
        """Return the readable chunks that begin on some pages, in book order."""
        return readable_chunks(session, span, pages, lambda some: on_pages(span, some))


def _in_scope(scope: str) -> SelectOfScalar[BookRow]:
    return select(BookRow).where(BookRow.scope == scope).order_by(BookRow.title, BookRow.book_id)


def _row(session: Session, book_id: str) -> BookRow:
    row = session.get(BookRow, book_id)
    if row is None:
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {book_id}.")
    return row
