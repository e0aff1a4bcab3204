"""Applies one club's changes to the club linked with it, within the same transaction."""

import uuid
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, func, or_
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import ClubLinkRow, TimerRow
from adapters.persistence.columns import utc_now
from adapters.persistence.tables import BookRow, ClubRow, PositionChangeRow, ReadingRow
from core.domain.club_link import LINK_NEWS, News
from core.domain.position import Position
from core.domain.timer import TimerState

_WORTH_TELLING: Final = timedelta(days=7)
_FROM: Final = "from"


def reading_beside(session: Session, reading: ReadingRow) -> ReadingRow | None:
    """Return the linked club's reading of the book that both read now; None if this is another reading.

    A text that both read earlier, but not together now, is each club's own: they did not agree on a page in it.
    """
    link = session.get(ClubLinkRow, reading.club_id)
    if link is None or current_reading_row(session, reading.club_id) != reading:
        return None
    other = current_reading_row(session, link.other_id)
    if other is None or _text(session, other) != _text(session, reading):
        return None
    return other


def current_reading_row(session: Session, club_id: str) -> ReadingRow | None:
    """Return a club's current reading."""
    theirs = select(ReadingRow).where(ReadingRow.club_id == club_id).order_by(col(ReadingRow.last_used_at).desc())
    return session.exec(theirs.limit(1)).first()


def hold(session: Session, reading: ReadingRow) -> None:
    """Lock the current readings of a club and of its linked club.

    So moves are numbered in the order in which they are made, on both sides.
    """
    beside = select(ClubLinkRow.other_id).where(ClubLinkRow.club_id == reading.club_id)
    both = or_(col(ReadingRow.club_id) == reading.club_id, col(ReadingRow.club_id).in_(beside))
    in_order = (
        select(ReadingRow.reading_id).where(both).order_by(ReadingRow.reading_id)
    )  # in a fixed order, against deadlocks
    session.exec(in_order.with_for_update(key_share=True)).all()


def move_beside(session: Session, reading: ReadingRow) -> None:
    """Move the linked club to this one's new page."""
    other = reading_beside(session, reading)
    if other is not None:
        put(session, other, reading.current_page, is_news=True)


def take_back_beside(session: Session, reading: ReadingRow, taken_back: PositionChangeRow) -> None:
    """Move the linked club to this one's earlier page, undoing the same move there."""
    other = reading_beside(session, reading)
    if other is None:
        return
    latest = latest_change(session, other)
    if latest is None or (latest.from_page, latest.to_page) != (taken_back.from_page, taken_back.to_page):
        put(session, other, reading.current_page, is_news=True)
        return
    latest.undone = True
    session.add(latest)
    _tell_of_move(session, other, reading.current_page)
    other.current_page = reading.current_page
    session.add(other)


def latest_change(session: Session, reading: ReadingRow) -> PositionChangeRow | None:
    """Return the latest move of a reading itself that can be undone; for linked clubs, none from before the link."""
    link = session.get(ClubLinkRow, reading.club_id)
    return session.exec(
        select(PositionChangeRow)
        .where(
            PositionChangeRow.reading_id == reading.reading_id,
            col(PositionChangeRow.conversation_id).is_(None),
            ~col(PositionChangeRow.undone),
            col(PositionChangeRow.change_id) > (link.after_change if link is not None else 0),
        )
        .order_by(col(PositionChangeRow.change_id).desc())
        .limit(1)
    ).first()


def put(session: Session, reading: ReadingRow, page: Position, *, member_id: str = "", is_news: bool = False) -> None:
    """Move a reading to a page, as nobody's move unless a member is given."""
    change = PositionChangeRow(
        reading_id=reading.reading_id,
        member_id=member_id,
        from_page=reading.current_page,
        from_has_own=False,
        to_page=page,
        to_has_own=False,
    )
    session.add(change)
    session.flush()
    if is_news:
        _tell_of_move(session, reading, page, change_id=change.change_id)
    reading.current_page = page
    session.add(reading)


def latest_change_id(session: Session) -> int:
    """Return the id of the latest move of all."""
    return session.exec(select(func.max(PositionChangeRow.change_id))).one() or 0


def end_links(session: Session, club_ids: Collection[str], *, tell_both: bool = False) -> None:
    """End the links of clubs; the linked clubs are told, or with `tell_both` both sides."""
    for link in session.exec(select(ClubLinkRow).where(col(ClubLinkRow.club_id).in_(club_ids))).all():
        both = (link.club_id, link.other_id)
        tell(session, link.other_id, News.PARTED, of=link.club_id)
        if tell_both:
            tell(session, link.club_id, News.PARTED, of=link.other_id)
        session.execute(delete(ClubLinkRow).where(col(ClubLinkRow.club_id).in_(both)))


def tell(
    session: Session,
    club_id: str,
    what: News,
    *,
    of: str,
    reading_id: str | None = None,
    member_id: str = "",
    more: Mapping[str, str] | None = None,
) -> None:
    """Schedule news about the other club for a club's place; it replaces waiting news of the same kind."""
    waiting = session.exec(
        select(TimerRow).where(
            TimerRow.club_id == club_id,
            TimerRow.kind == LINK_NEWS,
            col(TimerRow.name).startswith(f"{what}:"),
            TimerRow.state == TimerState.WAITING,
        )
    ).all()
    payload = dict(more or {})
    for row in waiting:
        if row.reading_id == reading_id:
            payload = _both(row.payload, payload)
        session.delete(row)
    scope = session.get_one(ClubRow, of).scope
    now = utc_now()
    session.add(
        TimerRow(
            club_id=club_id,
            reading_id=reading_id,
            kind=LINK_NEWS,
            name=f"{what}:{uuid.uuid4().hex[:12]}",
            member_id=member_id,
            payload={"what": what, "scope": scope, **payload},
            due_at=now,
            too_late_at=now + _WORTH_TELLING,
            not_before=now,
        )
    )
    session.flush()


def _both(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Merge two pieces of news: it starts where the first did, and is silent only if both are."""
    begun = {_FROM: before[_FROM]} if _FROM in before else {}
    silent = {"silent": "1"} if "silent" in before and "silent" in now else {}
    return {**{key: value for key, value in now.items() if key != "silent"}, **begun, **silent}


def _tell_of_move(session: Session, reading: ReadingRow, page: Position, *, change_id: int | None = None) -> None:
    if reading.current_page == page:
        return
    link = session.get_one(ClubLinkRow, reading.club_id)
    told = {_FROM: _said(reading.current_page), "to": _said(page)}
    if change_id is not None:
        told["change"] = str(change_id)
    tell(session, reading.club_id, News.MOVED, of=link.other_id, reading_id=reading.reading_id, more=told)


def _text(session: Session, reading: ReadingRow) -> str:
    return session.get_one(BookRow, reading.book_id).content_hash


def _said(page: Position) -> str:
    return "" if page is None else str(page)
