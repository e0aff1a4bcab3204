"""What a book is made of, on its way into the tables and out of them; called by the books."""

import hashlib
from collections.abc import Sequence

from sqlalchemy import bindparam, func, insert, literal
from sqlalchemy import select as sql_select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from adapters.persistence.prepared import Prepared, Record, Unit
from adapters.persistence.tables import BookRow, ChapterRow, ChunkRow, ChunkVectorRow, PageRow
from core.domain.book import BookEdit, BookOutline, BookText, Chapter, Chunk, page_ends

# Built once: every answer asks for the labels of its pages.
_page, _chapter = PageRow.metadata.tables["page"].c, ChapterRow.metadata.tables["chapter"].c
_PLACES = Prepared(
    sql_select(_page.label, _page.number, _page.start_offset)
    .where(_page.book_id == bindparam("book_id"))
    .order_by(_page.number)
)
_LENGTH = Prepared(
    sql_select(func.length(_page.text).label("length")).where(
        _page.book_id == bindparam("book_id"), _page.number == bindparam("number")
    )
)
_CHAPTERS = Prepared(
    sql_select(_chapter.number, _chapter.title, _chapter.first_page, _chapter.last_page)
    .where(_chapter.book_id == bindparam("book_id"))
    .order_by(_chapter.number)
)
_ID_PREFIX = "b_"
_ID_LENGTH = 12


def book_row(scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> BookRow:
    """Return a book's row; its id is made of scope and content, so that the same text gets the same id."""
    return BookRow(
        book_id=_book_id(scope, content_hash),
        scope=scope,
        content_hash=content_hash,
        title=text.title,
        author=text.author,
        page_source=text.page_source,
        page_count=len(text.pages),
        chapter_count=len(text.chapters),
        chunk_count=len(chunks),
        first_story_page=text.first_story_page,
        last_story_page=text.last_story_page,
    )


def insert_contents(session: Session, book_id: str, text: BookText, chunks: Sequence[Chunk]) -> None:
    """Store pages, chapters and chunks, a statement a table."""
    pages = [
        {"book_id": book_id, "number": p.number, "label": p.label, "start_offset": p.start_offset, "text": p.text}
        for p in text.pages
    ]
    chapters = [
        {"book_id": book_id, "number": c.number, "title": c.title, "first_page": c.first_page, "last_page": c.last_page}
        for c in text.chapters
    ]
    pieces = [
        {
            "book_id": book_id,
            "number": c.number,
            "start_page": c.start_page,
            "end_page": c.end_page,
            "chapter_number": c.chapter_number,
            "text": c.text,
        }
        for c in chunks
    ]
    for table, rows in ((PageRow, pages), (ChapterRow, chapters), (ChunkRow, pieces)):
        if rows:
            session.execute(insert(table), rows)


def outline_of(unit: Unit, row: Record) -> BookOutline:
    """Return page count, labels, chapters and the places of pages."""
    bound = {"book_id": row.book_id}
    pages, chapters = unit.all(_PLACES, bound), unit.all(_CHAPTERS, bound)
    last = unit.first(_LENGTH, bound | {"number": row.page_count})
    starts = [page.start_offset for page in pages]
    return BookOutline(
        pages=row.page_count,
        labels={page.label: page.number for page in reversed(pages) if page.label},  # the earlier of two wins
        chapters=tuple(
            Chapter(number=each.number, title=each.title, first_page=each.first_page, last_page=each.last_page)
            for each in chapters
        ),
        ends=page_ends(starts, starts[-1] + (last.length if last else 0)) if starts else (),
        first_story_page=row.first_story_page or 1,
        last_story_page=row.last_story_page,
    )


def apply_edit(session: Session, row: BookRow, edit: BookEdit) -> None:
    """Change what is given; an empty author is none."""
    row.title = row.title if edit.title is None else edit.title
    row.author = row.author if edit.author is None else edit.author or None
    row.first_story_page = edit.first_story_page or row.first_story_page
    row.last_story_page = edit.last_story_page or row.last_story_page
    session.add(row)
    for number, title in edit.chapter_titles.items():
        chapter = session.get(ChapterRow, (row.book_id, number))
        if chapter is not None:
            chapter.title = title
            session.add(chapter)


def copied_row(row: BookRow, scope: str) -> BookRow:
    """Return the row of the same book in another scope."""
    values = row.model_dump(exclude={"book_id", "scope", "imported_at", "noted_at"})
    return BookRow(book_id=_book_id(scope, row.content_hash), scope=scope, **values)


def copy_contents(session: Session, from_id: str, to_id: str) -> None:
    """Copy pages, chapters, chunks and their vectors, within the database."""
    for table, columns in (
        (PageRow, ("number", "label", "start_offset", "text")),
        (ChapterRow, ("number", "title", "first_page", "last_page")),
        (ChunkRow, ("number", "start_page", "end_page", "chapter_number", "text")),
    ):
        copied = (
            sql_select(literal(to_id), *(getattr(table, name) for name in columns))
            .where(col(table.book_id) == from_id)
            .order_by(col(table.number))
        )
        session.execute(insert(table).from_select(["book_id", *columns], copied))
    old, new = aliased(ChunkRow), aliased(ChunkRow)
    vectors = (
        sql_select(col(new.chunk_id), col(ChunkVectorRow.model_id), col(ChunkVectorRow.vector))
        .select_from(ChunkVectorRow)
        .join(old, col(old.chunk_id) == col(ChunkVectorRow.chunk_id))
        .join(new, col(new.number) == col(old.number))
        .where(col(old.book_id) == from_id, col(new.book_id) == to_id)
    )
    session.execute(insert(ChunkVectorRow).from_select(["chunk_id", "model_id", "vector"], vectors))


def _book_id(scope: str, content_hash: str) -> str:
    return _ID_PREFIX + hashlib.sha256(f"{scope}\n{content_hash}".encode()).hexdigest()[:_ID_LENGTH]
