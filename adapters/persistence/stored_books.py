"""Books and their chunks from their rows, in prepared statements, since every answer reads several."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from threading import Lock
from types import MappingProxyType
from typing import Any, Final

from cachetools import LRUCache
from sqlalchemy import Column, ColumnElement, Integer, Select, and_, bindparam, func, select

from adapters.persistence.prepared import Prepared, Record, Unit
from adapters.persistence.tables import BookRow, ChapterRow, ChunkRow, ChunkVectorRow, PageRow
from core.domain.book import Book, BookStatus, Chapter, PageSource
from core.domain.passage import ReadableSpan
from core.ports.books import ChunkMark, StoredChunk

_chunk, _vector = ChunkRow.metadata.tables["chunk"].c, ChunkVectorRow.metadata.tables["chunk_vector"].c
_VECTORS = Prepared(
    select(func.count().label("held"))
    .select_from(ChunkVectorRow)
    .join(ChunkRow, _chunk.chunk_id == _vector.chunk_id)
    .where(_chunk.book_id == bindparam("book_id"), _vector.model_id == bindparam("model_id"))
)

_page = PageRow.metadata.tables["page"]
_LABELS = Prepared(
    select(_page.c.label, _page.c.number)
    .where(_page.c.book_id == bindparam("book_id"), _page.c.label.is_not(None), _page.c.label != "")
    .order_by(_page.c.number.desc())
)
_chapter = ChapterRow.metadata.tables["chapter"].c
_BEGUN = Prepared(
    select(_chapter.number, _chapter.title, _chapter.first_page, _chapter.last_page)
    .where(_chapter.book_id == bindparam("book_id"), _chapter.first_page <= bindparam("position"))
    .order_by(_chapter.number)
)
_MOST_LABELLED: Final = 32

MOST_VARIABLES: Final = 8_192
"""What a database takes as variables of one statement (SQLite has the lowest limit, 32,766); a power of two."""

_in = ChunkRow.metadata.tables["chunk"].c
_OF_BOOK = _in.book_id == bindparam("book_id")
# SQLite would rather go through all chunks of a book than look a few of them up by their ids.
_OF_THE_SAME_BOOK = _in.book_id.concat("") == bindparam("book_id")
_READ = and_(_in.start_page >= bindparam("first_page"), _in.end_page <= bindparam("last_page"))
_book = BookRow.metadata.tables["book"].c
_BEGINS = select(func.coalesce(_book.first_story_page, 1)).where(_book.book_id == bindparam("book_id"))
_STORY = and_(_OF_BOOK, _in.start_page >= _BEGINS.scalar_subquery())
# Nor is anything ordered there: a book in its order is the longest way to a few of its chunks.
_CHUNKS: Final[Select[*tuple[Any, ...]]] = select(_in.chunk_id, _in.number, _in.start_page, _in.end_page, _in.text)
_ALL: Final = Prepared(_CHUNKS.where(_STORY))
_MARKS: Final = Prepared(
    select(_in.chunk_id, _in.end_page, func.length(_in.text).label("length")).where(_STORY).order_by(_in.number)
)


class StoredBooks:
    """Makes books of rows; one is `complete` when every chunk has its vector of one model, or where there is none."""

    def __init__(self, *, embedding_model_id: str | None) -> None:
        self._model_id = embedding_model_id
        # An import's pages and chunks never change and its vectors are never taken away: once complete is complete.
        self._complete: set[tuple[str, datetime]] = set()
        self._labels: LRUCache[tuple[str, str], Mapping[str, int]] = LRUCache(maxsize=_MOST_LABELLED)
        self._lock = Lock()  # of the labels: several threads read books

    def book(self, unit: Unit, row: BookRow | Record) -> Book:
        """Return the book of a row that has the columns of one."""
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
            status=self._status(unit, row),
            import_id=row.imported_at.isoformat() + begins,
            notes_id=row.noted_at.isoformat() + begins if row.noted_at else "",
            first_story_page=first_story_page,
        )

    def labels(self, unit: Unit, book: Book) -> Mapping[str, int]:
        """Return the printed labels of a book's pages; of two pages with the same label the earlier."""
        this_import = (book.book_id, book.import_id)
        with self._lock:
            labels = self._labels.get(this_import)
        if labels is None:
            rows = unit.all(_LABELS, {"book_id": book.book_id})
            labels = MappingProxyType({row.label: row.number for row in rows})
            with self._lock:
                self._labels[this_import] = labels
        return labels

    def chapters(self, unit: Unit, book: Book, *, position: int) -> tuple[Chapter, ...]:
        """Return the chapters begun at a position, by the titles that they have now: titles may be mended."""
        rows = unit.all(_BEGUN, {"book_id": book.book_id, "position": position})
        return tuple(
            Chapter(number=row.number, title=row.title, first_page=row.first_page, last_page=row.last_page)
            for row in rows
        )

    def _status(self, unit: Unit, row: BookRow | Record) -> BookStatus:
        this_import = (row.book_id, row.imported_at)
        if self._model_id is None or this_import in self._complete:
            return BookStatus.COMPLETE
        held = unit.one(_VECTORS, {"book_id": row.book_id, "model_id": self._model_id}).held
        if held < row.chunk_count:
            return BookStatus.SEARCHABLE
        self._complete.add(this_import)
        return BookStatus.COMPLETE


def all_chunks(unit: Unit, book_id: str) -> list[StoredChunk]:
    """Return all chunks of a book from where its story begins, in its order."""
    return _in_order(unit.all(_ALL, {"book_id": book_id}))


def chunk_marks(unit: Unit, book_id: str) -> list[ChunkMark]:
    """Return the marks of all chunks of a book from where its story begins, in its order."""
    rows = unit.all(_MARKS, {"book_id": book_id})
    return [ChunkMark(chunk_id=row.chunk_id, end_page=row.end_page, length=row.length) for row in rows]


def chunks_by_id(unit: Unit, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
    """Return those of the chunks that are readable, in the order of the book."""
    return _readable(unit, _by_id, span, chunk_ids)


def chunks_of_pages(unit: Unit, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
    """Return the readable chunks that begin on some pages, in the order of the book."""
    return _readable(unit, _of_pages, span, pages)


def chunks_beside(unit: Unit, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
    """Return the readable chunks that begin on the pages on which some chunks begin, in the order of the book."""
    return _readable(unit, _beside, span, chunk_ids)


def _readable(
    unit: Unit, statement: Callable[[int], Prepared], span: ReadableSpan, wanted: Sequence[int]
) -> list[StoredChunk]:
    found: list[Record] = []
    for some in _batched(list(dict.fromkeys(wanted))):
        bound = {"book_id": span.book_id, "first_page": span.first_page, "last_page": span.last_page}
        found += unit.all(statement(len(some)), bound | {_name(index): each for index, each in enumerate(some)})
    return _in_order(found)


def _in_order(rows: list[Record]) -> list[StoredChunk]:
    return [
        StoredChunk(chunk_id=row.chunk_id, start_page=row.start_page, end_page=row.end_page, text=row.text)
        for row in sorted(rows, key=lambda row: row.number)
    ]


def _batched(wanted: list[int]) -> Iterator[list[int]]:
    """Cut what is wanted, the last of each part repeated up to a power of two: so few different statements are made."""
    for start in range(0, len(wanted), MOST_VARIABLES):
        some = wanted[start : start + MOST_VARIABLES]
        yield some + some[-1:] * ((1 << (len(some) - 1).bit_length()) - len(some))


def _name(index: int) -> str:
    return f"wanted_{index}"


def _among(column: Column[int], count: int) -> ColumnElement[bool]:
    return column.in_([bindparam(_name(index), type_=Integer()) for index in range(count)])


@cache
def _by_id(count: int) -> Prepared:
    return Prepared(_CHUNKS.where(_OF_THE_SAME_BOOK, _READ, _among(_in.chunk_id, count)))


@cache
def _of_pages(count: int) -> Prepared:
    return Prepared(_CHUNKS.where(_OF_BOOK, _READ, _among(_in.start_page, count)))


@cache
def _beside(count: int) -> Prepared:
    pages = select(_in.start_page).where(_OF_THE_SAME_BOOK, _among(_in.chunk_id, count))
    return Prepared(_CHUNKS.where(_OF_BOOK, _READ, _in.start_page.in_(pages)))
