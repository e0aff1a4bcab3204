"""Threads in SQL: what a message needs to know of its thread or place, in one transaction."""

from sqlmodel import Session, col, select

from adapters.persistence.database import Database
from adapters.persistence.reading_states import current_thread, hearing_of, standing_of
from adapters.persistence.stored_books import StoredBooks
from adapters.persistence.tables import BookRow, ClubRow, ReadingRow
from core.domain.conversation import Conversation
from core.domain.thread import PlaceState, ThreadState
from core.ports.threads import ThreadRepository


class SqlThreadRepository(ThreadRepository):
    """Reads club, reading, conversation and members together."""

    def __init__(self, database: Database, *, embedding_model_id: str | None) -> None:
        self._database = database
        self._books = StoredBooks(embedding_model_id=embedding_model_id)

    async def current(self, *, scope: str, place: str, session_of: str, about: str = "") -> ThreadState | None:
        """Return a thread's state about what it reads."""

        def work(session: Session) -> ThreadState | None:
            found = current_thread(session, scope=scope, place=place, session_of=session_of, about=about)
            if found is None:
                return None
            reading, thread, club = found
            if thread is None:
                return None
            return ThreadState(
                conversation=Conversation(
                    conversation_id=thread.conversation_id,
                    session_id=thread.session_id,
                    reading_id=reading.reading_id,
                    book_id=reading.book_id,
                ),
                standing=standing_of(session, reading, thread),
                hearing=hearing_of(thread.listen, club.listen),
                is_watched=club.is_watched,
            )

        return await self._database.read(work)

    async def place(self, *, scope: str, place: str) -> PlaceState | None:
        """Return the state of a place."""
        used_last = (
            select(ReadingRow, BookRow)
            .join(ClubRow, col(ClubRow.club_id) == ReadingRow.club_id)
            .join(BookRow, col(BookRow.book_id) == ReadingRow.book_id)
            .where(ClubRow.scope == scope, ClubRow.place == place)
            .order_by(col(ReadingRow.last_used_at).desc())
            .limit(1)
        )

        def work(session: Session) -> PlaceState | None:
            found = session.exec(used_last).first()
            if found is None:
                return None
            reading, row = found
            book = self._books.book(session, row)
            return PlaceState(
                book=book, standing=standing_of(session, reading), labels=self._books.labels(session, book)
            )

        return await self._database.read(work)
