"""Books and their chunks from their rows, since every answer reads several."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from threading import Lock
from types import MappingProxyType
from typing import Any, Final

from cachetools import LRUCache
from sqlalchemy import ColumnElement, Row, Select, and_, func
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select

from adapters.persistence.tables import BookRow, ChapterRow, ChunkRow, ChunkVectorRow, PageRow
from core.domain.book import Book, BookStatus, Chapter, PageSource
from core.domain.passage import ReadableSpan
from core.ports.books import ChunkMark, StoredChunk

_MOST_LABELLED: Final = 32
_MOST_VARIABLES: Final = 8_192
"""What a database takes as variables of one statement (SQLite has the lowest limit, 32,766)."""
_in = ChunkRow.metadata.tables["chunk"].c
_CHUNKS: Final = sql_select(_in.chunk_id, _in.number, _in.start_page, _in.end_page, _in.text)


class StoredBooks:
    """Makes books of rows; one is `complete` when every chunk has its vector of one model, or where there is none."""

    def __init__(self, *, embedding_model_id: str | None) -> None:
        self._model_id = embedding_model_id
        # An import's pages and chunks never change and its vectors are never taken away: once complete is complete.
        self._complete: set[tuple[str, datetime]] = set()
        self._labels: LRUCache[tuple[str, str], Mapping[str, int]] = LRUCache(maxsize=_MOST_LABELLED)
        self._lock = Lock()  # of the labels: several threads read books

    def book(self, session: Session, row: BookRow) -> Book:
        """Return the book of a row."""
        first_story_page = row.first_story_page or 1
        # What is held of a book's text and notes is made again when its story begins on another page.
        begins = f" from {first_story_page}" if first_story_page > 1 else ""
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
            import_id=row.imported_at.isoformat() + begins,
            notes_id=row.noted_at.isoformat() + begins if row.noted_at else "",
            first_story_page=first_story_page,
        )

    def labels(self, session: Session, book: Book) -> Mapping[str, int]:
        """Return the printed labels of a book's pages; of two pages with the same label the earlier."""
        this_import = (book.book_id, book.import_id)
        with self._lock:
            labels = self._labels.get(this_import)
        if labels is None:
            pages = select(PageRow.label, PageRow.number).where(PageRow.book_id == book.book_id)
            rows = session.exec(pages.order_by(col(PageRow.number).desc()))
            labels = MappingProxyType({label: number for label, number in rows if label})
            with self._lock:
                self._labels[this_import] = labels
        return labels

    def _status(self, session: Session, row: BookRow) -> BookStatus:
        this_import = (row.book_id, row.imported_at)
        if self._model_id is None or this_import in self._complete:
            return BookStatus.COMPLETE
        vectors = (
            select(func.count())
            .select_from(ChunkVectorRow)
            .join(ChunkRow, col(ChunkRow.chunk_id) == ChunkVectorRow.chunk_id)
            .where(ChunkRow.book_id == row.book_id, ChunkVectorRow.model_id == self._model_id)
        )
        if session.exec(vectors).one() < row.chunk_count:
            return BookStatus.SEARCHABLE
        self._complete.add(this_import)
        return BookStatus.COMPLETE


def chapters_of(session: Session, book_id: str, *, begun_by: int | None = None) -> tuple[Chapter, ...]:
    """Return the chapters of a book, or those begun by a page, by the titles that they have now: titles may change."""
    row = ChapterRow
    chapters = select(row.number, row.title, row.first_page, row.last_page).where(row.book_id == book_id)
    if begun_by is not None:
        chapters = chapters.where(row.first_page <= begun_by)
    return tuple(
        Chapter(number=number, title=title, first_page=first_page, last_page=last_page)
        for number, title, first_page, last_page in session.exec(chapters.order_by(col(row.number)))
    )


def all_chunks(session: Session, book_id: str) -> list[StoredChunk]:
    """Return all chunks of a book from where its story begins, in its order."""
    return _in_order(session.execute(_CHUNKS.where(_story(book_id))).all())


def chunk_marks(session: Session, book_id: str) -> list[ChunkMark]:
    """Return the marks of all chunks of a book from where its story begins, in its order."""
    marks = sql_select(_in.chunk_id, _in.end_page, func.length(_in.text).label("length")).where(_story(book_id))
    rows = session.execute(marks.order_by(_in.number))
    return [ChunkMark(chunk_id=row.chunk_id, end_page=row.end_page, length=row.length) for row in rows]


def chunks_by_id(session: Session, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
    """Return those of the chunks that are readable, in the order of the book."""
    return _readable(session, span, chunk_ids, lambda some: _with_ids(span, some))


def chunks_of_pages(session: Session, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
    """Return the readable chunks that begin on some pages, in the order of the book."""
    return _readable(session, span, pages, lambda some: _on_pages(span, some))


def chunks_beside(session: Session, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
    """Return the readable chunks that begin on the pages on which some chunks begin, in the order of the book."""
    return _readable(
        session,
        span,
        chunk_ids,
        lambda some: _on_pages(span, sql_select(_in.start_page).where(_with_ids(span, some))),
    )


def _readable(
    session: Session, span: ReadableSpan, wanted: Sequence[int], among: Callable[[list[int]], ColumnElement[bool]]
) -> list[StoredChunk]:
    found: list[Row[Any]] = []
    distinct = list(dict.fromkeys(wanted))
    for start in range(0, len(distinct), _MOST_VARIABLES):
        some = among(distinct[start : start + _MOST_VARIABLES])
        found += session.execute(_CHUNKS.where(some, _in.start_page >= span.first_page, _in.end_page <= span.last_page))
    return _in_order(found)


def _story(book_id: str) -> ColumnElement[bool]:
    begins = sql_select(func.coalesce(BookRow.first_story_page, 1)).where(col(BookRow.book_id) == book_id)
    return and_(_in.book_id == book_id, _in.start_page >= begins.scalar_subquery())


def _with_ids(span: ReadableSpan, chunk_ids: list[int]) -> ColumnElement[bool]:
    # SQLite would rather go through all chunks of a book than look a few of them up by their ids.
    return and_(_in.book_id.concat("") == span.book_id, _in.chunk_id.in_(chunk_ids))


def _on_pages(span: ReadableSpan, pages: list[int] | Select[Any]) -> ColumnElement[bool]:
    return and_(_in.book_id == span.book_id, _in.start_page.in_(pages))


def _in_order(rows: Sequence[Row[Any]]) -> list[StoredChunk]:
    """Return the chunks of rows; the database does not order them: that is its longest way to a few chunks."""
    return [
        StoredChunk(chunk_id=row.chunk_id, start_page=row.start_page, end_page=row.end_page, text=row.text)
        for row in sorted(rows, key=lambda row: row.number)
    ]
