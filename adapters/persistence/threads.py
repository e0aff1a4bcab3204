"""Threads in SQL: what a message or a command needs to know of its thread or place, in one transaction."""

from datetime import datetime

from sqlmodel import Session, col, select

from adapters.persistence.aliases import aliases_of
from adapters.persistence.book_contents import outline_of
from adapters.persistence.database import Database
from adapters.persistence.linking import reading_beside
from adapters.persistence.position_changes import latest_change
from adapters.persistence.reading_states import (
    current_thread,
    edition_from_json,
    hearing_of,
    reading_of,
    standing_of,
)
from adapters.persistence.schedules import schedule_of
from adapters.persistence.stored_books import StoredBooks
from adapters.persistence.tables import (
    BookRow,
    ClubRow,
    ConversationRow,
    MemberPositionRow,
    MemberThreadRow,
    ReadingRow,
)
from core.domain.club_state import ClubState
from core.domain.conversation import Conversation
from core.domain.position import AnswerIn
from core.domain.thread import PlaceState, Thread, ThreadState
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
                conversation=_conversation(thread, reading),
                standing=standing_of(session, reading, thread),
                hearing=hearing_of(thread.listen, club.listen),
                is_watched=club.is_watched,
            )

        return await self._database.read(work)

    async def club(self, thread: Thread, *, member_id: str, now: datetime, of_club: bool = False) -> ClubState | None:
        """Return all that a command of a member's decides by."""

        def work(session: Session) -> ClubState | None:
            found = current_thread(
                session, scope=thread.scope, place=thread.place, session_of=thread.session, about=thread.about
            )
            if found is None:
                return None
            reading, talk, _ = found
            if talk is None and thread.thread and not of_club:
                return None
            of_thread = talk if thread.thread and not of_club else None
            return self._state(session, reading, of_thread, talk, member_id=member_id, now=now)

        return await self._database.read(work)

    def _state(
        self,
        session: Session,
        reading: ReadingRow,
        thread: ConversationRow | None,
        talk: ConversationRow | None,
        *,
        member_id: str,
        now: datetime,
    ) -> ClubState:
        """Return what is known of a reading, or of one of its threads, and of a member who talks there."""
        book = session.get_one(BookRow, reading.book_id)
        own = session.get(MemberPositionRow, (reading.reading_id, member_id))
        asked = None if talk is None else session.get(MemberThreadRow, (talk.conversation_id, member_id))
        linked = reading_beside(session, reading)
        return ClubState(
            now=now,
            member_id=member_id,
            owner=reading_of(reading) if thread is None else _conversation(thread, reading),
            book=self._books.book(session, book),
            outline=outline_of(session, book),
            standing=standing_of(session, reading, thread),
            own_page=None if own is None else own.current_page,
            own_edition=None if own is None else edition_from_json(own.edition),
            club_edition=edition_from_json(reading.edition),
            answer_in=None if asked is None else AnswerIn(asked.answer_in),
            last_change=latest_change(session, reading.reading_id, None if thread is None else thread.conversation_id),
            schedule=schedule_of(session, reading.reading_id),
            linked=None if linked is None else reading_of(linked),
            aliases=tuple(aliases_of(session, reading.reading_id)),
        )

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


def _conversation(thread: ConversationRow, reading: ReadingRow) -> Conversation:
    return Conversation(
        conversation_id=thread.conversation_id,
        session_id=thread.session_id,
        reading_id=reading.reading_id,
        book_id=reading.book_id,
    )
