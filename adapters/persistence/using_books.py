"""Lets a club start a book; creates the club and its reading if needed."""

import uuid
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adapters.persistence.columns import utc_now
from adapters.persistence.tables import ClubRow, GoneThreadRow, ReadingRow
from core.domain.position import Pace, PageControl
from core.domain.thread import keeping

_TICK = timedelta(microseconds=1)


def use_book(session: Session, *, scope: str, place: str, book_id: str) -> ReadingRow:
    """Make the reading of a book the club's current one, and return its row; both are created if needed."""
    club = _club(session, scope, place)
    if club is None:
        club = ClubRow(club_id=_new_id("c"), scope=scope, place=place)
    club.removed_title = None
    session.add(club)
    session.flush()
    used_at = _after_all(session, club.club_id)
    these = (ReadingRow.club_id == club.club_id, ReadingRow.book_id == book_id)
    reading = session.exec(select(ReadingRow).where(*these)).first()
    if reading is None:
        reading = ReadingRow(
            reading_id=_new_id("r"),
            club_id=club.club_id,
            book_id=book_id,
            pace=Pace.THREAD,
            page_control=PageControl.ANYONE,
        )
    reading.last_used_at = used_at
    session.add(reading)
    session.flush()
    return reading


def removed_title(session: Session, *, scope: str, place: str, session_of: str) -> str | None:
    """Return the title of a thread's or club's book that was removed."""
    thread = session.get(GoneThreadRow, keeping(scope, session_of))
    if thread is not None:
        return thread.title
    club = _club(session, scope, place)
    return club.removed_title if club else None


def _club(session: Session, scope: str, place: str) -> ClubRow | None:
    return session.exec(select(ClubRow).where(ClubRow.scope == scope, ClubRow.place == place)).first()


def _after_all(session: Session, club_id: str) -> datetime:
    """Return the current time, or one after the club's latest: a clock set back must not change the order."""
    theirs = select(ReadingRow.last_used_at).where(ReadingRow.club_id == club_id)
    latest = session.exec(theirs.order_by(col(ReadingRow.last_used_at).desc())).first()
    return utc_now() if latest is None else max(utc_now(), latest + _TICK)


def _new_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:12]}"
