"""Clubs, readings and positions in SQL."""

from sqlmodel import Session

from adapters.persistence.database import Database
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


class SqlReadingRepository(ReadingRepository):
    """Readings by club and book; each position change is one row, so that it can be undone."""

    def __init__(self, database: Database, *, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        """Return the reading of a book in a club, and make it the club's current one."""
        from adapters.persistence.opening_together import open_beside

        def work(session: Session) -> Reading:
            opened = use_book(session, scope=scope, place=place, book_id=book_id)
            open_beside(session, opened)
            return reading_of(opened)

        return await self._database.write(work)

    async def get(self, reading_id: str) -> Reading:
        """Return the reading. Raises BookError(NOT_FOUND)."""
        return await self._database.read(lambda session: reading_of(reading_row(session, reading_id)))

    async def current(self, *, scope: str, place: str, session_of: str = "") -> Reading | None:
        """Return a thread's reading, which never changes; for a new thread, the club's latest."""

        def work(session: Session) -> Reading | None:
            found = current_thread(session, scope=scope, place=place, session_of=session_of)
            return None if found is None else reading_of(found[0])

        return await self._database.read(work)

    async def removed_title(self, *, scope: str, place: str, session_of: str = "") -> str | None:
        """Return the title of a thread's or club's book that was removed."""
        return await self._database.read(
            lambda session: removed_title(session, scope=scope, place=place, session_of=session_of)
        )

    async def move(
        self,
        owner: PositionOwner,
        position: Position,
        *,
        member_id: str,
        has_own: bool = True,
        told_in: Thread | None = None,
    ) -> MoveMade:
        """Move a thread or a reading and store the change."""
        from adapters.persistence import moves

        return await self._database.write(
            lambda session: moves.move(
                session, owner, position, has_own=has_own, member_id=member_id, told_in=told_in, now=self._clock.now()
            )
        )

    async def arrived(self, owner: PositionOwner, *, told_in: Thread | None = None) -> MoveMade:
        """Return the effects for an owner that is already at its page."""
        from adapters.persistence import moves

        return await self._database.write(
            lambda session: moves.follow_up(session, owner, None, told_in=told_in, now=self._clock.now())
        )

    async def undo(self, owner: PositionOwner, *, change_id: int | None = None) -> MoveMade | None:
        """Undo the latest change of a thread, or of a reading itself."""
        from adapters.persistence import moves

        return await self._database.write(lambda session: moves.undo(session, owner, change_id, now=self._clock.now()))

    async def move_member(
        self, owner: PositionOwner, position: Position, *, member_id: str, told_in: Thread | None = None
    ) -> str:
        """Move a member's own page."""
        from adapters.persistence import moves

        return await self._database.write(
            lambda session: moves.move_member(
                session, owner, position, member_id=member_id, told_in=told_in, now=self._clock.now()
            )
        )

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        """Store the edition of a member, or of the whole reading; None deletes it."""

        def work(session: Session) -> None:
            row: ReadingRow | MemberPositionRow = reading_row(session, reading_id)
            if member_id is not None:
                row = member_row(session, reading_id, member_id)
            row.edition = edition_as_json(edition)
            session.add(row)

        await self._database.write(work)
