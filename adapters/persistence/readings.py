"""Clubs, readings and positions in SQL."""

import uuid
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, update
from sqlalchemy import select as sql_select
from sqlmodel import Session, SQLModel, col, select

from adapters.persistence.columns import utc_now
from adapters.persistence.database import Database
from adapters.persistence.editions import edition_as_json, edition_from_json
from adapters.persistence.position_changes import move_reading, move_thread, take_back_reading, take_back_thread
from adapters.persistence.prepared import Prepared, Record, Unit, inserting
from adapters.persistence.standings import (
    current_reading,
    member_row,
    reading_of,
    reading_row,
    standing_of_reading,
    standing_of_thread,
)
from adapters.persistence.tables import ConversationRow, MemberPositionRow, ReadingRow
from core.domain.edition import Edition
from core.domain.position import Pace, PageControl, Position
from core.domain.reading import Listen, PositionChange, Reading, Standing
from core.ports.readings import ReadingRepository

_TICK = timedelta(microseconds=1)

_table = SQLModel.metadata.tables
_clubs, _readings = _table["club"], _table["reading"]
_CLUB = Prepared(sql_select(_clubs).where(_clubs.c.scope == bindparam("scope"), _clubs.c.place == bindparam("place")))
_CURRENT = Prepared(current_reading())
_FOUND_CLUB = Prepared(inserting(_clubs, "club_id", "scope", "place", "listen", "is_watched", "created_at"))
_NO_REMOVED_TITLE = Prepared(update(_clubs).where(_clubs.c.club_id == bindparam("of_club")).values(removed_title=None))
_READING = Prepared(
    sql_select(_readings).where(
        _readings.c.club_id == bindparam("club_id"), _readings.c.book_id == bindparam("book_id")
    )
)
_BEGIN_READING = Prepared(
    inserting(_readings, "reading_id", "club_id", "book_id", "pace", "page_control", "last_used_at")
)
_LAST_USED = Prepared(
    sql_select(func.max(_readings.c.last_used_at).label("used_at")).where(_readings.c.club_id == bindparam("club_id"))
)
_USE = Prepared(
    update(_readings)
    .where(_readings.c.reading_id == bindparam("of_reading"))
    .values(last_used_at=bindparam("used_at", type_=_readings.c.last_used_at.type))
)


class SqlReadingRepository(ReadingRepository):
    """Readings by club and book; a position change is one row, so that it can be taken back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        """Return the reading of a book in a club, and make it the club's current one."""

        def work(unit: Unit) -> Reading:
            return reading_of(use_book(unit, scope=scope, place=place, book_id=book_id))

        return await self._database.prepared_write(work)

    async def get(self, reading_id: str) -> Reading:
        """Return the reading. Raises BookError(NOT_FOUND)."""
        return await self._database.prepared_read(lambda unit: standing_of_reading(unit, reading_id).reading)

    async def current(self, *, scope: str, place: str) -> Reading | None:
        """Return what the club reads now: the reading used last."""

        def work(unit: Unit) -> Reading | None:
            row = unit.first(_CURRENT, {"scope": scope, "place": place})
            return None if row is None else reading_of(row)

        return await self._database.prepared_read(work)

    async def removed_title(self, *, scope: str, place: str) -> str | None:
        """Return the title of the book that the club was reading when it was removed, until it reads another."""
        return await self._database.prepared_read(lambda unit: removed_title(unit, scope=scope, place=place))

    async def standing(self, conversation_id: str) -> Standing:
        """Return where a thread, its reading and its members stand."""
        return await self._database.prepared_read(lambda unit: standing_of_thread(unit, conversation_id))

    async def reading_standing(self, reading_id: str) -> Standing:
        """Return where a reading itself and its members stand."""
        return await self._database.prepared_read(lambda unit: standing_of_reading(unit, reading_id))

    async def set_thread_position(
        self, conversation_id: str, *, position: Position, has_own: bool, member_id: str
    ) -> PositionChange:
        """Move a thread and keep the change, so that it can be undone."""
        return await self._database.write(
            lambda session: move_thread(
                session, conversation_id, position=position, has_own=has_own, member_id=member_id
            )
        )

    async def set_reading_position(self, reading_id: str, *, position: Position, member_id: str) -> PositionChange:
        """Move a reading and keep the change, so that it can be undone."""
        return await self._database.write(
            lambda session: move_reading(session, reading_id, position=position, member_id=member_id)
        )

    async def undo(self, conversation_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a thread."""
        return await self._database.write(lambda session: take_back_thread(session, conversation_id, change_id))

    async def undo_reading(self, reading_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a reading itself."""
        return await self._database.write(lambda session: take_back_reading(session, reading_id, change_id))

    async def own_positions(self, reading_id: str) -> list[str]:
        """Return the session ids of the threads that hold a position of their own."""
        theirs = (
            select(ConversationRow.session_id)
            .where(ConversationRow.reading_id == reading_id, col(ConversationRow.has_own_position))
            .order_by(col(ConversationRow.created_at))
        )
        return await self._database.read(lambda session: list(session.exec(theirs)))

    async def sessions_of(self, reading_id: str, *, most: int) -> list[str]:
        """Return the session ids of the threads about a reading, the latest opened first."""
        theirs = (
            select(ConversationRow.session_id)
            .where(ConversationRow.reading_id == reading_id)
            .order_by(col(ConversationRow.created_at).desc())
            .limit(most)
        )
        return await self._database.read(lambda session: list(session.exec(theirs)))

    async def edition(self, reading_id: str, member_id: str | None = None) -> Edition | None:
        """Return the copy that a member reads from, or that the whole reading goes by."""

        def work(session: Session) -> Edition | None:
            if member_id is None:
                return edition_from_json(reading_row(session, reading_id).edition)
            row = session.get(MemberPositionRow, (reading_id, member_id))
            return edition_from_json(row.edition) if row else None

        return await self._database.read(work)

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        """Keep what is known of a member's copy, or of the whole reading's; None forgets it."""

        def work(session: Session) -> None:
            row: ReadingRow | MemberPositionRow = reading_row(session, reading_id)
            if member_id is not None:
                row = member_row(session, reading_id, member_id)
            row.edition = edition_as_json(edition)
            session.add(row)

        await self._database.write(work)


def use_book(unit: Unit, *, scope: str, place: str, book_id: str) -> Record:
    """Return the row of the reading of a book in a club, made where it is not there, and the club's current one."""
    club = unit.first(_CLUB, {"scope": scope, "place": place})
    club_id = _new_id("c") if club is None else club.club_id
    if club is None:
        founded = {"club_id": club_id, "scope": scope, "place": place}
        unit.run(_FOUND_CLUB, founded | {"listen": Listen.QUESTIONS, "is_watched": False, "created_at": utc_now()})
    elif club.removed_title is not None:
        unit.run(_NO_REMOVED_TITLE, {"of_club": club_id})
    used_at = _after_all(unit, club_id)
    which = {"club_id": club_id, "book_id": book_id}
    reading = unit.first(_READING, which)
    if reading is None:
        new = {"reading_id": _new_id("r"), "pace": Pace.THREAD, "page_control": PageControl.ANYONE}
        unit.run(_BEGIN_READING, which | new | {"last_used_at": used_at})
        return unit.first(_READING, which)
    unit.run(_USE, {"of_reading": reading.reading_id, "used_at": used_at})
    return reading


def removed_title(unit: Unit, *, scope: str, place: str) -> str | None:
    """Return the title of the book that a club was reading when it was removed."""
    club = unit.first(_CLUB, {"scope": scope, "place": place})
    return None if club is None else club.removed_title


def _after_all(unit: Unit, club_id: str) -> datetime:
    """Return the time now, or one after the club's latest: a clock that is set back changes no order."""
    latest = unit.one(_LAST_USED, {"club_id": club_id}).used_at
    return utc_now() if latest is None else max(utc_now(), latest + _TICK)


def _new_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:12]}"
