"""Stores and loads the contents of books: pages, chapters, chunks; called by the book repository."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import delete, insert, literal
from sqlalchemy import select as sql_select
from sqlalchemy.orm import aliased
from sqlmodel import Session, SQLModel, col, select

from adapters.persistence.columns import utc_now
from adapters.persistence.notes import take_notes
from adapters.persistence.stored_books import chapters_of, works_of
from adapters.persistence.tables import BookRow, ChapterRow, ChunkRow, ChunkVectorRow, OutsidePartRow, PageRow
from core.domain.book import BookEdit, BookOutline, BookText, Chunk, OutsidePart, PartRole, page_ends

_ID_PREFIX = "b_"
_ID_LENGTH = 12


def book_row(scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> BookRow:
    """Return a book's row; its id comes from scope and content, so that the same text gets the same id."""
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
        works=json.dumps([[each.title, each.first_page, each.last_page] for each in text.works]),
    )


def insert_contents(session: Session, book_id: str, text: BookText, chunks: Sequence[Chunk]) -> None:
    """Store pages, chapters, parts outside the story and chunks, one statement per table."""
    insert_tree(session, book_id, text)
    _insert(session, PageRow, book_id, [asdict(each) for each in text.pages])
    _insert(session, ChunkRow, book_id, [asdict(each) for each in chunks])


def insert_tree(session: Session, book_id: str, text: BookText) -> None:
    """Store chapters and the parts outside the story."""
    chapters = [asdict(each) | {"path": json.dumps(each.path)} for each in text.chapters]
    _insert(session, ChapterRow, book_id, chapters)
    outside = [asdict(each) | {"number": number} for number, each in enumerate(text.outside, 1)]
    _insert(session, OutsidePartRow, book_id, outside)


def _insert(session: Session, table: type[SQLModel], book_id: str, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        session.execute(insert(table), [{"book_id": book_id, **row} for row in rows])


def give_tree(session: Session, row: BookRow, text: BookText) -> None:
    """Give a book that was imported before books were trees what its file says now; its pages are the same."""
    chapters = chapters_of(session, row.book_id)
    if any(each.path for each in chapters) or _outside_of(session, row.book_id) or not (text.outside or text.works):
        return
    session.execute(delete(ChapterRow).where(col(ChapterRow.book_id) == row.book_id))
    insert_tree(session, row.book_id, text)
    fresh = book_row(row.scope, row.content_hash, text, ())
    for name in ("chapter_count", "first_story_page", "last_story_page", "works"):
        setattr(row, name, getattr(fresh, name))
    row.imported_at = utc_now()  # what was made of its text is made again
    session.add(row)


def outline_of(session: Session, row: BookRow) -> BookOutline:
    """Return page count, labels, chapters, page offsets and the parts outside the story."""
    places = select(PageRow.label, PageRow.number, PageRow.start_offset).where(PageRow.book_id == row.book_id)
    pages = session.exec(places.order_by(col(PageRow.number))).all()
    last = session.get(PageRow, (row.book_id, row.page_count))
    starts = [start for _, _, start in pages]
    labelled: defaultdict[str, list[int]] = defaultdict(list)
    for label, number, _ in pages:
        if label:
            labelled[label].append(number)
    return BookOutline(
        pages=row.page_count,
        labels={label: numbers[0] for label, numbers in labelled.items()},
        again={label: tuple(numbers) for label, numbers in labelled.items() if len(numbers) > 1},
        outside=_outside_of(session, row.book_id),
        chapters=chapters_of(session, row.book_id),
        ends=page_ends(starts, starts[-1] + (len(last.text) if last else 0)) if starts else (),
        first_story_page=row.first_story_page or 1,
        last_story_page=row.last_story_page,
        works=works_of(row),
    )


def _outside_of(session: Session, book_id: str) -> tuple[OutsidePart, ...]:
    rows = select(OutsidePartRow).where(OutsidePartRow.book_id == book_id).order_by(col(OutsidePartRow.number))
    return tuple(
        OutsidePart(
            role=PartRole(row.role), title=row.title, first_page=row.first_page, last_page=row.last_page, why=row.why
        )
        for row in session.exec(rows)
    )


def apply_edit(session: Session, row: BookRow, edit: BookEdit) -> None:
    """Apply the given corrections; an empty author means none."""
    before = range(row.first_story_page or 1, (row.last_story_page or row.page_count) + 1)
    row.title = row.title if edit.title is None else edit.title
    row.author = row.author if edit.author is None else edit.author or None
    row.first_story_page = edit.first_story_page or row.first_story_page
    row.last_story_page = edit.last_story_page or row.last_story_page
    session.add(row)
    after = range(row.first_story_page or 1, (row.last_story_page or row.page_count) + 1)
    for part in session.exec(select(OutsidePartRow).where(OutsidePartRow.book_id == row.book_id)):
        # What the story is widened by is story; what lay within it and was left out stays so, unless all of it is said.
        is_said = bool(edit.first_story_page and edit.last_story_page)
        if part.first_page in after and part.last_page in after and (is_said or part.first_page not in before):
            session.delete(part)
    for number, title in edit.chapter_titles.items():
        chapter = session.get(ChapterRow, (row.book_id, number))
        if chapter is not None:
            chapter.title = title
            session.add(chapter)


def with_content(session: Session, scope: str, content_hash: str) -> BookRow | None:
    """Return the row of a text in a scope, if it exists."""
    return session.exec(select(BookRow).where(BookRow.scope == scope, BookRow.content_hash == content_hash)).first()


def copy_book(session: Session, original: BookRow, *, scope: str) -> tuple[BookRow, bool]:
    """Copy a book to another scope within a transaction; return its row there, and whether it is new."""
    existing = with_content(session, scope, original.content_hash)
    if existing is not None:
        return existing, False
    values = original.model_dump(exclude={"book_id", "scope", "imported_at", "noted_at"})
    row = BookRow(book_id=_book_id(scope, original.content_hash), scope=scope, **values)
    session.add(row)
    session.flush()
    _copy_contents(session, original.book_id, row.book_id)
    take_notes(session, original, row, lambda page: page)
    return row, True


def _copy_contents(session: Session, from_id: str, to_id: str) -> None:
    """Copy pages, chapters, chunks and their vectors within the database."""
    for table, columns in (
        (PageRow, ("number", "label", "start_offset", "text")),
        (ChapterRow, ("number", "title", "first_page", "last_page", "path")),
        (OutsidePartRow, ("number", "role", "title", "first_page", "last_page", "why")),
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
