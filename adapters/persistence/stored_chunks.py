"""Chunks as searches and prompts read them, in prepared statements, since every answer reads several."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Integer, Select, bindparam, func, select

from adapters.persistence.prepared import Prepared, Record, Unit
from adapters.persistence.tables import ChunkRow
from core.domain.passage import ReadableSpan
from core.ports.books import ChunkMark, StoredChunk

MOST_VARIABLES: Final = 8_192
"""What a database takes as variables of one statement (SQLite has the lowest limit, 32,766); a power of two."""

_in = ChunkRow.metadata.tables["chunk"].c
_OF_BOOK = _in.book_id == bindparam("book_id")
# SQLite would rather go through all chunks of a book than look a few of them up by their ids.
_OF_THE_SAME_BOOK = _in.book_id.concat("") == bindparam("book_id")
_READ = _in.end_page <= bindparam("last_page")
# Nor is anything ordered there: a book in its order is the longest way to a few of its chunks.
_CHUNKS: Final[Select[*tuple[Any, ...]]] = select(_in.chunk_id, _in.number, _in.start_page, _in.end_page, _in.text)
_ALL: Final = Prepared(_CHUNKS.where(_OF_BOOK))
_MARKS: Final = Prepared(
    select(_in.chunk_id, _in.end_page, func.length(_in.text).label("length")).where(_OF_BOOK).order_by(_in.number)
)


def all_chunks(unit: Unit, book_id: str) -> list[StoredChunk]:
    """Return all chunks of a book, in its order."""
    return _in_order(unit.all(_ALL, {"book_id": book_id}))


def chunk_marks(unit: Unit, book_id: str) -> list[ChunkMark]:
    """Return the marks of all chunks of a book, in its order."""
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
        bound = {"book_id": span.book_id, "last_page": span.last_page}
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
