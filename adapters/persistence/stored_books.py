"""Builds books and chunks from their rows; caches what every answer reads."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from threading import Lock
from types import MappingProxyType
from typing import Any, Final

from cachetools import LRUCache
from sqlalchemy import ColumnElement, Row, and_, exists, func
from sqlalchemy import select as sql_select
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, select

from adapters.persistence.tables import BookRow, ChapterRow, ChunkRow, ChunkVectorRow, OutsidePartRow, PageRow
from core.domain.book import Book, BookStatus, Chapter, PageSource, Work
from core.domain.passage import ReadableSpan
from core.ports.books import StoredChunk

_MOST_LABELLED: Final = 32
_MOST_VARIABLES: Final = 8_192
"""The number of variables in one statement (SQLite has the lowest limit, 32,766)."""
CHUNK = ChunkRow.metadata.tables["chunk"].c
CHUNKS: Final = sql_select(CHUNK.chunk_id, CHUNK.number, CHUNK.start_page, CHUNK.end_page, CHUNK.text)


class StoredBooks:
    """Builds books from rows; one is `complete` when every chunk has vectors of the model, or if there is no model."""

    def __init__(self, *, embedding_model_id: str | None) -> None:
        self._model_id = embedding_model_id
        # An import's pages and chunks never change and its vectors are never deleted: once complete, always complete.
        self._complete: set[tuple[str, datetime]] = set()
        self._labels: LRUCache[tuple[str, str], Mapping[str, int]] = LRUCache(maxsize=_MOST_LABELLED)
        self._lock = Lock()  # protects the labels: several threads read books

    def book(self, session: Session, row: BookRow) -> Book:
        """Return the book of a row."""
        first_story_page = row.first_story_page or 1
        # Caches of a book's text and notes are rebuilt when its story's pages change.
        pages = f" from {first_story_page}" if first_story_page > 1 else ""
        pages += f" to {row.last_story_page}" if row.last_story_page else ""
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
            import_id=row.imported_at.isoformat() + pages,
            notes_id=row.noted_at.isoformat() + pages if row.noted_at else "",
            first_story_page=first_story_page,
            last_story_page=row.last_story_page,
            works=works_of(row),
        )

    def labels(self, session: Session, book: Book) -> Mapping[str, int]:
        """Return the printed labels of a book's pages; of two pages with the same label, the earlier."""
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


def works_of(row: BookRow) -> tuple[Work, ...]:
    """Return the books of a series that a row holds; none for a single book."""
    return tuple(Work(title=title, first_page=first, last_page=last) for title, first, last in json.loads(row.works))


def chapters_of(session: Session, book_id: str, *, begun_by: int | None = None) -> tuple[Chapter, ...]:
    """Return a book's chapters, or those begun by a page, with their current titles, which may change."""
    chapters = select(ChapterRow).where(ChapterRow.book_id == book_id).order_by(col(ChapterRow.number))
    if begun_by is not None:
        chapters = chapters.where(ChapterRow.first_page <= begun_by)
    return tuple(
        Chapter(
            number=row.number,
            title=row.title,
            first_page=row.first_page,
            last_page=row.last_page,
            path=tuple(json.loads(row.path)),
        )
        for row in session.exec(chapters)
    )


def readable_chunks(
    session: Session, span: ReadableSpan, wanted: Sequence[int], among: Callable[[list[int]], ColumnElement[bool]]
) -> list[StoredChunk]:
    """Return the readable chunks that a condition finds among so many wanted ids or pages, in book order."""
    found: list[Row[Any]] = []
    distinct = list(dict.fromkeys(wanted))
    for start in range(0, len(distinct), _MOST_VARIABLES):
        some = among(distinct[start : start + _MOST_VARIABLES])
        in_span = (CHUNK.start_page >= span.first_page, CHUNK.end_page <= span.last_page)
        found += session.execute(CHUNKS.where(some, *in_span, in_story(CHUNK.book_id, CHUNK.start_page)))
    return in_order(found)


def of_story(book_id: str) -> ColumnElement[bool]:
    """Return the condition that a chunk belongs to a book's story."""
    book = sql_select(BookRow).where(col(BookRow.book_id) == book_id)
    begins = book.with_only_columns(func.coalesce(BookRow.first_story_page, 1)).scalar_subquery()
    ends = book.with_only_columns(func.coalesce(BookRow.last_story_page, BookRow.page_count)).scalar_subquery()
    pages = CHUNK.start_page.between(begins, ends)
    return and_(CHUNK.book_id == book_id, pages, in_story(CHUNK.book_id, CHUNK.start_page))


def in_story(book_id: ColumnElement[str] | Mapped[str], page: ColumnElement[int] | Mapped[int]) -> ColumnElement[bool]:
    """Return the condition that a page stands in no part of its book that is no story."""
    part = OutsidePartRow
    holds = (col(part.book_id) == book_id, page.between(col(part.first_page), col(part.last_page)))
    return ~exists().where(*holds)


def with_ids(span: ReadableSpan, chunk_ids: list[int]) -> ColumnElement[bool]:
    """Return the condition that a chunk of a span's book has one of these ids."""
    # Otherwise SQLite would scan all chunks of the book instead of looking up a few by id.
    return and_(CHUNK.book_id.concat("") == span.book_id, CHUNK.chunk_id.in_(chunk_ids))


def on_pages(span: ReadableSpan, pages: list[int]) -> ColumnElement[bool]:
    """Return the condition that a chunk of a span's book begins on one of these pages."""
    return and_(CHUNK.book_id == span.book_id, CHUNK.start_page.in_(pages))


def in_order(rows: Sequence[Row[Any]]) -> list[StoredChunk]:
    """Return the chunks of rows, in book order."""
    """Return the chunks of rows in order; the database doesn't sort them, which would take it longest."""
    return [
        StoredChunk(chunk_id=row.chunk_id, start_page=row.start_page, end_page=row.end_page, text=row.text)
        for row in sorted(rows, key=lambda row: row.number)
    ]
