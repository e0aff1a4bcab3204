"""Reading notes in SQL: notes by page, and the progress of those being made."""

from collections.abc import Callable, Sequence

from sqlalchemy import delete, func, insert
from sqlmodel import Session, col, select

from adapters.persistence.columns import utc_now
from adapters.persistence.database import SqlStore, changed, reads, writes
from adapters.persistence.tables import BookRow, NoteBatchRow, NoteMakingRow, NoteRow
from core.domain.errors import BookError, BookErrorCode
from core.domain.note import Note, NoteBatch, NoteMaking, NotesSummary, moved_note, numbered
from core.domain.passage import ReadableSpan
from core.domain.tool_use import TokenUsage
from core.ports.notes import NoteRepository


class SqlNoteRepository(SqlStore, NoteRepository):
    """One row per note, one per book whose notes are being made, and one per batch of them."""

    @reads
    def notes(self, session: Session, span: ReadableSpan) -> list[Note]:
        """Return the notes of readable pages in book order."""
        rows = session.exec(
            select(NoteRow)
            .where(NoteRow.book_id == span.book_id, col(NoteRow.page).between(span.first_page, span.last_page))
            .order_by(col(NoteRow.page), col(NoteRow.number))
        )
        return [_note(row) for row in rows]

    @reads
    def summary(self, session: Session, book_id: str) -> NotesSummary:
        """Return the number of notes."""
        of_book = NoteRow.book_id == book_id
        notes, pages = session.exec(select(func.count(), func.count(func.distinct(NoteRow.page))).where(of_book)).one()
        writers = session.exec(select(NoteRow.written_by).where(of_book).distinct()).all()
        return NotesSummary(notes=notes, pages=pages, written_by=tuple(sorted(filter(None, writers))))

    @writes
    def replace(self, session: Session, book_id: str, notes: Sequence[Note]) -> None:
        """Replace all notes of a book. Raises BookError(NOT_FOUND)."""
        book = _book(session, book_id)
        _clear(session, book_id)
        _insert(session, book_id, numbered(notes))
        book.noted_at = utc_now() if notes else None
        session.add(book)

    @writes
    def remove(self, session: Session, book_id: str) -> int:
        """Delete all notes of a book, and those being made; return their number."""
        book = session.get(BookRow, book_id)
        if book is not None:
            book.noted_at = None
            session.add(book)
        return _clear(session, book_id)

    @writes
    def begin(self, session: Session, book_id: str, *, most_tokens: int, asked_in: str = "") -> NoteMaking:
        """Begin to make notes, or continue. Raises BookError(NOT_FOUND)."""
        _book(session, book_id)
        row = session.get(NoteMakingRow, book_id) or NoteMakingRow(book_id=book_id, most_tokens=most_tokens)
        row.most_tokens, row.asked_in = most_tokens, asked_in
        session.add(row)
        session.flush()
        return _making(session, row)

    @reads
    def makings(self, session: Session) -> list[NoteMaking]:
        """Return the jobs that make notes, by book."""
        rows = session.exec(select(NoteMakingRow).order_by(col(NoteMakingRow.book_id))).all()
        return [_making(session, row) for row in rows]

    @writes
    def keep(self, session: Session, book_id: str, batch: NoteBatch) -> NoteMaking | None:
        """Store a finished batch; return the progress, or None if the job was cancelled."""
        making = session.get(NoteMakingRow, book_id)
        if making is None:
            return None
        if not _has_pages_of(session, book_id, batch):
            _insert(session, book_id, _behind(session, book_id, batch.notes))
            session.add(_batch_row(book_id, batch))
            session.flush()
        return _making(session, making)

    @writes
    def finish(self, session: Session, book_id: str) -> None:
        """Publish the finished notes."""
        making, book = session.get(NoteMakingRow, book_id), session.get(BookRow, book_id)
        if making is None or book is None:
            return
        has_notes = session.exec(select(NoteRow.page).where(NoteRow.book_id == book_id).limit(1)).first()
        book.noted_at = None if has_notes is None else utc_now()
        session.add(book)
        session.delete(making)


def _book(session: Session, book_id: str) -> BookRow:
    row = session.get(BookRow, book_id)
    if row is None:
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {book_id}.")
    return row


def _clear(session: Session, book_id: str) -> int:
    session.execute(delete(NoteMakingRow).where(col(NoteMakingRow.book_id) == book_id))
    return changed(session, delete(NoteRow).where(col(NoteRow.book_id) == book_id))


def _has_pages_of(session: Session, book_id: str, batch: NoteBatch) -> bool:
    shared = select(NoteBatchRow.first_page).where(
        NoteBatchRow.book_id == book_id,
        NoteBatchRow.first_page <= batch.last_page,
        NoteBatchRow.last_page >= batch.first_page,
    )
    return session.exec(shared.limit(1)).first() is not None


def _behind(session: Session, book_id: str, notes: Sequence[Note]) -> list[tuple[int, Note]]:
    """Return notes with their numbers, continuing after those already on their pages."""
    there = select(NoteRow.page, func.max(NoteRow.number)).where(NoteRow.book_id == book_id).group_by(col(NoteRow.page))
    last: dict[int, int] = {page: number for page, number in session.exec(there)}  # noqa: C416 (rows are not tuples)
    return [(last.get(note.page, 0) + number, note) for number, note in numbered(notes)]


def _insert(session: Session, book_id: str, notes: Sequence[tuple[int, Note]]) -> None:
    rows = [
        {
            "book_id": book_id,
            "page": note.page,
            "number": number,
            "text": note.text,
            "written_by": note.written_by,
            "written_at": note.written_at,
            "moved_from": note.moved_from,
        }
        for number, note in notes
    ]
    if rows:
        session.execute(insert(NoteRow), rows)


def _batch_row(book_id: str, batch: NoteBatch) -> NoteBatchRow:
    return NoteBatchRow(
        book_id=book_id,
        first_page=batch.first_page,
        last_page=batch.last_page,
        input_tokens=batch.usage.input_tokens,
        output_tokens=batch.usage.output_tokens,
        cache_read_tokens=batch.usage.cache_read_tokens,
        cache_write_tokens=batch.usage.cache_write_tokens,
    )


def _making(session: Session, row: NoteMakingRow) -> NoteMaking:
    batches = session.exec(
        select(NoteBatchRow).where(NoteBatchRow.book_id == row.book_id).order_by(col(NoteBatchRow.first_page))
    ).all()
    usage = TokenUsage()
    for batch in batches:
        usage += TokenUsage(
            input_tokens=batch.input_tokens,
            output_tokens=batch.output_tokens,
            cache_read_tokens=batch.cache_read_tokens,
            cache_write_tokens=batch.cache_write_tokens,
        )
    return NoteMaking(
        book_id=row.book_id,
        most_tokens=row.most_tokens,
        asked_in=row.asked_in,
        done=tuple((batch.first_page, batch.last_page) for batch in batches),
        usage=usage,
    )


def take_notes(session: Session, old: BookRow, new: BookRow, moved: Callable[[int], int | None]) -> None:
    """Give a book without notes those of another that are published, each on its page in the new import."""
    if old.noted_at is None or new.noted_at is not None:
        return
    taken = [moved_note(note, moved) for note in _notes_of(session, old)]
    _clear(session, new.book_id)
    _insert(session, new.book_id, numbered(taken))
    new.noted_at = old.noted_at
    session.add(new)


def join_notes(session: Session, books: Sequence[tuple[BookRow, int]], series: BookRow) -> None:
    """Give a series without notes those of its books, each with the pages before it, if all of them have notes."""
    noted_at = [row.noted_at for row, _ in books if row.noted_at is not None]
    if len(noted_at) < len(books) or series.noted_at is not None:
        return
    taken = [moved_note(note, before.__add__) for row, before in books for note in _notes_of(session, row)]
    _clear(session, series.book_id)
    _insert(session, series.book_id, numbered(taken))
    series.noted_at = max(noted_at)
    session.add(series)


def _notes_of(session: Session, book: BookRow) -> list[Note]:
    rows = select(NoteRow).where(NoteRow.book_id == book.book_id).order_by(col(NoteRow.page), col(NoteRow.number))
    return [_note(row) for row in session.exec(rows)]


def _note(row: NoteRow) -> Note:
    return Note(
        page=row.page,
        number=row.number,
        text=row.text,
        written_by=row.written_by,
        written_at=row.written_at,
        moved_from=row.moved_from,
    )
