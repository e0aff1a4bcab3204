"""Threads in SQL: loads what a message or a command needs about its thread or place, in one transaction.

The tables of a club's life take a twentieth of a second to import, so they are imported only for commands.
"""

from datetime import datetime

from sqlmodel import Session, col, select

from adapters.persistence.database import Database, SqlStore, reads
from adapters.persistence.reading_states import conversation_of, current_thread, hearing_of, standing_of
from adapters.persistence.stored_books import StoredBooks
from adapters.persistence.tables import BookRow, ClubRow, ReadingRow
from core.domain.club_state import ClubState
from core.domain.thread import PlaceState, Thread, ThreadState
from core.ports.threads import ThreadRepository


class SqlThreadRepository(SqlStore, ThreadRepository):
    """Reads club, reading, conversation and members together."""

    def __init__(self, database: Database, *, embedding_model_id: str | None) -> None:
        super().__init__(database)
        self._books = StoredBooks(embedding_model_id=embedding_model_id)

    @reads
    def current(
        self, session: Session, *, scope: str, place: str, session_of: str, about: str = ""
    ) -> ThreadState | None:
        """Return the state of a thread with its reading."""
        found = current_thread(session, scope=scope, place=place, session_of=session_of, about=about)
        if found is None:
            return None
        reading, thread, club = found
        if thread is None:
            return None
        return ThreadState(
            conversation=conversation_of(thread, reading),
            standing=standing_of(session, reading, thread),
            hearing=hearing_of(thread.listen, club.listen),
            is_watched=club.is_watched,
        )

    @reads
    def club(
        self, session: Session, thread: Thread, *, member_id: str, now: datetime, of_club: bool = False
    ) -> ClubState | None:
        """Return everything that a member's command needs."""
        from adapters.persistence.club_states import club_state

        found = current_thread(
            session, scope=thread.scope, place=thread.place, session_of=thread.session, about=thread.about
        )
        if found is None:
            return None
        reading, talk, _ = found
        if talk is None and thread.thread and not of_club:
            return None
        of_thread = talk if thread.thread and not of_club else None
        book = session.get_one(BookRow, reading.book_id)
        return club_state(
            session, reading, of_thread, talk, book=self._books.book(session, book), member_id=member_id, now=now
        )

    @reads
    def place(self, session: Session, *, scope: str, place: str) -> PlaceState | None:
        """Return the state of a place."""
        used_last = (
            select(ReadingRow, BookRow)
            .join(ClubRow, col(ClubRow.club_id) == ReadingRow.club_id)
            .join(BookRow, col(BookRow.book_id) == ReadingRow.book_id)
            .where(ClubRow.scope == scope, ClubRow.place == place)
            .order_by(col(ReadingRow.last_used_at).desc())
            .limit(1)
        )
        found = session.exec(used_last).first()
        if found is None:
            return None
        reading, row = found
        book = self._books.book(session, row)
        return PlaceState(book=book, standing=standing_of(session, reading), labels=self._books.labels(session, book))
