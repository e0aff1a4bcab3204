"""A book on its way into the tables: its row, its pages, chapters and chunks."""

import hashlib
from collections.abc import Sequence

from sqlalchemy import insert
from sqlmodel import Session

from adapters.persistence.tables import BookRow, ChapterRow, ChunkRow, PageRow
from core.domain.book import BookText, Chunk

_ID_PREFIX = "b_"
_ID_LENGTH = 12


def book_row(scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> BookRow:
    """Return a book's row; its id is made of scope and content, so that the same text gets the same id."""
    digest = hashlib.sha256(f"{scope}\n{content_hash}".encode()).hexdigest()
    return BookRow(
        book_id=_ID_PREFIX + digest[:_ID_LENGTH],
        scope=scope,
        content_hash=content_hash,
        title=text.title,
        author=text.author,
        page_source=text.page_source,
        page_count=len(text.pages),
        chapter_count=len(text.chapters),
        chunk_count=len(chunks),
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
