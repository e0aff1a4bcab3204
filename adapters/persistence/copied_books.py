"""Books that are stored in another scope too, within the transaction of whoever asks for it."""

from sqlmodel import Session, select

from adapters.persistence.book_contents import copied_row, copy_contents
from adapters.persistence.notes import take_notes
from adapters.persistence.tables import BookRow


def with_content(session: Session, scope: str, content_hash: str) -> BookRow | None:
    """Return the row of a text in a scope, if it is there."""
    return session.exec(select(BookRow).where(BookRow.scope == scope, BookRow.content_hash == content_hash)).first()


def copy_book(session: Session, original: BookRow, *, scope: str) -> tuple[BookRow, bool]:
    """Store a book in another scope too, within a transaction; return its row there, and whether it is new."""
    existing = with_content(session, scope, original.content_hash)
    if existing is not None:
        return existing, False
    row = copied_row(original, scope)
    session.add(row)
    session.flush()
    copy_contents(session, original.book_id, row.book_id)
    take_notes(session, original, row, lambda page: page)
    return row, True
