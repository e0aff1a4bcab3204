"""Books from their rows, for every repository that reads them."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final

from sqlalchemy import bindparam, func, select

from adapters.persistence.prepared import Prepared, Record, Unit
from adapters.persistence.tables import BookRow, ChapterRow, ChunkRow, ChunkVectorRow, PageRow
from core.domain.book import Book, BookStatus, Chapter, PageSource

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


class StoredBooks:
    """Makes books of rows; one is `complete` when every chunk has its vector of one model, or where there is none."""

    def __init__(self, *, embedding_model_id: str | None) -> None:
        self._model_id = embedding_model_id
        # An import's pages and chunks never change and its vectors are never taken away: once complete is complete.
        self._complete: set[tuple[str, datetime]] = set()
        self._labels: dict[tuple[str, str], Mapping[str, int]] = {}

    def book(self, unit: Unit, row: BookRow | Record) -> Book:
        """Return the book of a row that has the columns of one."""
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
            import_id=row.imported_at.isoformat(),
            notes_id=row.noted_at.isoformat() if row.noted_at else "",
        )

    def labels(self, unit: Unit, book: Book) -> Mapping[str, int]:
        """Return the printed labels of a book's pages; of two pages with the same label the earlier."""
        this_import = (book.book_id, book.import_id)
        labels = self._labels.get(this_import)
        if labels is None:
            rows = unit.all(_LABELS, {"book_id": book.book_id})
            labels = MappingProxyType({row.label: row.number for row in rows})
            while len(self._labels) >= _MOST_LABELLED:
                self._labels.pop(next(iter(self._labels)), None)
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
