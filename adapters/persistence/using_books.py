"""A club takes up a book, in prepared statements: the club and its reading are made where they are not there."""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, update
from sqlalchemy import select as sql_select
from sqlmodel import SQLModel

from adapters.persistence.columns import utc_now
from adapters.persistence.prepared import Prepared, Record, Unit, inserting
from core.domain.position import Pace, PageControl
from core.domain.reading import Listen

_TICK = timedelta(microseconds=1)

_table = SQLModel.metadata.tables
_clubs, _readings, _gone = _table["club"], _table["reading"], _table["gone_thread"]
_CLUB = Prepared(sql_select(_clubs).where(_clubs.c.scope == bindparam("scope"), _clubs.c.place == bindparam("place")))
_FOUND_CLUB = Prepared(inserting(_clubs, "club_id", "scope", "place", "listen", "is_watched", "created_at"))
_GONE = Prepared(sql_select(_gone.c.title).where(_gone.c.session_of == bindparam("keeps")))
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


def removed_title(unit: Unit, names: Mapping[str, str]) -> str | None:
    """Return the title of the book that a thread, or else its club, was about when it was removed.

    `names` are those of `standings.names_of`.
    """
    thread = unit.first(_GONE, {"keeps": names["keeps"]})
    club = unit.first(_CLUB, {"scope": names["scope"], "place": names["place"]}) if thread is None else None
    title: str | None = thread.title if thread is not None else club and club.removed_title
    return title


def _after_all(unit: Unit, club_id: str) -> datetime:
    """Return the time now, or one after the club's latest: a clock that is set back changes no order."""
    latest = unit.one(_LAST_USED, {"club_id": club_id}).used_at
    return utc_now() if latest is None else max(utc_now(), latest + _TICK)


def _new_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:12]}"
