"""Chunks as searches and prompts read them: statements that are built once, since every answer reads several."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, select
from sqlmodel import Session

from adapters.persistence.tables import ChunkRow
from core.domain.passage import ReadableSpan
from core.ports.books import StoredChunk

MOST_VARIABLES = 10_000
"""What a database takes as variables of one statement (SQLite has the lowest limit, 32,766)."""

_Stored = Select[*tuple[Any, ...]]
_in = ChunkRow.metadata.tables["chunk"].c
_ALL: _Stored = (
    select(_in.chunk_id, _in.start_page, _in.end_page, _in.text)
    .where(_in.book_id == bindparam("book_id"))
    .order_by(_in.number)
)
_READABLE = _ALL.where(_in.end_page <= bindparam("last_page"))
_WANTED: BindParameter[Any] = bindparam("wanted", expanding=True)
_BY_ID = _READABLE.where(_in.chunk_id.in_(_WANTED))
_OF_PAGES = _READABLE.where(_in.start_page.in_(_WANTED))
_BESIDE = _READABLE.where(
    _in.start_page.in_(select(_in.start_page).where(_in.book_id == bindparam("book_id"), _in.chunk_id.in_(_WANTED)))
)


def all_chunks(session: Session, book_id: str) -> list[StoredChunk]:
    """Return all chunks of a book, in its order."""
    return _stored(session, _ALL, {"book_id": book_id})


def chunks_by_id(session: Session, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
    """Return those of the chunks that are readable."""
    return _readable(session, _BY_ID, span, chunk_ids)


def chunks_of_pages(session: Session, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
    """Return the readable chunks that begin on some pages."""
    return _readable(session, _OF_PAGES, span, pages)


def chunks_beside(session: Session, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
    """Return the readable chunks that begin on the pages on which some chunks begin."""
    return _readable(session, _BESIDE, span, chunk_ids)


def _readable(session: Session, statement: _Stored, span: ReadableSpan, wanted: Sequence[int]) -> list[StoredChunk]:
    bound = {"book_id": span.book_id, "last_page": span.last_page}
    return [chunk for some in _batched(wanted) for chunk in _stored(session, statement, bound | {"wanted": some})]


def _stored(session: Session, statement: _Stored, parameters: dict[str, object]) -> list[StoredChunk]:
    rows = session.connection().execute(statement, parameters)
    return [StoredChunk(chunk_id=each, start_page=start, end_page=end, text=text) for each, start, end, text in rows]


def _batched(wanted: Sequence[int]) -> Iterator[list[int]]:
    for start in range(0, len(wanted), MOST_VARIABLES):
        yield list(wanted[start : start + MOST_VARIABLES])
