"""Clubs, readings and positions in SQL."""

from sqlmodel import Session

from adapters.persistence.database import Database, SqlStore, reads, writes
from adapters.persistence.reading_states import (
    current_thread,
    edition_as_json,
    member_row,
    reading_of,
    reading_row,
)
from adapters.persistence.tables import MemberPositionRow, ReadingRow
from adapters.persistence.using_books import removed_title, use_book
from core.domain.club_state import MoveMade
from core.domain.edition import Edition
from core.domain.position import Position
from core.domain.reading import PositionOwner, Reading
from core.domain.thread import Thread
from core.ports.clock import Clock
from core.ports.readings import ReadingRepository


class SqlReadingRepository(SqlStore, ReadingRepository):
    """Readings by club and book; each position change is one row, so that it can be undone."""

    def __init__(self, database: Database, *, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock

    @writes
    def get_or_create(self, session: Session, *, scope: str, place: str, book_id: str) -> Reading:
        """Return the reading of a book in a club, and make it the club's current one."""
        from adapters.persistence.opening_together import open_beside

        opened = use_book(session, scope=scope, place=place, book_id=book_id)
        open_beside(session, opened)
        return reading_of(opened)

    @reads
    def get(self, session: Session, reading_id: str) -> Reading:
        """Return the reading. Raises BookError(NOT_FOUND)."""
        return reading_of(reading_row(session, reading_id))

    @reads
    def current(self, session: Session, *, scope: str, place: str, session_of: str = "") -> Reading | None:
        """Return a thread's reading, which never changes; for a new thread, the club's latest."""
        found = current_thread(session, scope=scope, place=place, session_of=session_of)
        return None if found is None else reading_of(found[0])

    @reads
    def removed_title(self, session: Session, *, scope: str, place: str, session_of: str = "") -> str | None:
        """Return the title of a thread's or club's book that was removed."""
        return removed_title(session, scope=scope, place=place, session_of=session_of)

    @writes
    def move(
        self,
        session: Session,
        owner: PositionOwner,
        position: Position,
        *,
        member_id: str,
        has_own: bool = True,
        told_in: Thread | None = None,
    ) -> MoveMade:
        """Move a thread or a reading and store the change."""
        from adapters.persistence import moves

        return moves.move(
            session, owner, position, has_own=has_own, member_id=member_id, told_in=told_in, now=self._clock.now()
        )

    @writes
    def arrived(self, session: Session, owner: PositionOwner, *, told_in: Thread | None = None) -> MoveMade:
        """Return the effects for an owner that is already at its page."""
        from adapters.persistence import moves

        return moves.follow_up(session, owner, None, told_in=told_in, now=self._clock.now())

    @writes
    def undo(self, session: Session, owner: PositionOwner, *, change_id: int | None = None) -> MoveMade | None:
        """Undo the latest change of a thread, or of a reading itself."""
        from adapters.persistence import moves

        return moves.undo(session, owner, change_id, now=self._clock.now())

    @writes
    def move_member(
        self,
        session: Session,
        owner: PositionOwner,
        position: Position,
        *,
        member_id: str,
        told_in: Thread | None = None,
    ) -> str:
        """Move a member's own page."""
        from adapters.persistence import moves

        return moves.move_member(session, owner, position, member_id=member_id, told_in=told_in, now=self._clock.now())

    @writes
    def set_edition(
        self, session: Session, reading_id: str, edition: Edition | None, *, member_id: str | None = None
    ) -> None:
        """Store the edition of a member, or of the whole reading; None deletes it."""
        row: ReadingRow | MemberPositionRow = reading_row(session, reading_id)
        if member_id is not None:
            row = member_row(session, reading_id, member_id)
        row.edition = edition_as_json(edition)
        session.add(row)
