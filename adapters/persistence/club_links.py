"""Clubs that read together, in SQL, and the codes by which their organisers agree to it."""

import hmac
import uuid
from datetime import datetime

from sqlalchemy import ColumnElement, delete, or_
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import ClubLinkRow, ClubOfferRow, ScheduleRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.linking import current_reading_row, end_links, reading_beside, tell
from adapters.persistence.opening_together import read_same, stand_together
from adapters.persistence.reading_states import reading_of
from adapters.persistence.tables import BookRow, ClubRow, ReadingRow
from core.domain.club_link import (
    AGREED_WITHIN,
    CODE_HOLDS,
    Code,
    Link,
    LinkedReading,
    News,
    Offer,
    Terms,
    page_of_both,
)
from core.domain.errors import BookError, BookErrorCode
from core.domain.thread import Thread
from core.ports.club_links import ClubLinks


class SqlClubLinks(SqlStore, ClubLinks):
    """Two rows per pair, one per code; expired codes are deleted when the next one is made."""

    @writes
    def offer(self, session: Session, place: Thread, *, made_by: str, secret_hash: str, now: datetime) -> int:
        """Store a new code, in place of the club's last one."""
        club = _club(session, place)
        if club is None:
            raise BookError(BookErrorCode.NOT_FOUND, "This club is not there any more.")
        over = or_(col(ClubOfferRow.club_id) == club.club_id, col(ClubOfferRow.expires_at) <= now)
        session.execute(delete(ClubOfferRow).where(over))
        row = ClubOfferRow(club_id=club.club_id, secret_hash=secret_hash, made_by=made_by, expires_at=now + CODE_HOLDS)
        session.add(row)
        session.flush()
        return row.offer_id or 0

    @writes
    def take(self, session: Session, place: Thread, code: Code, *, now: datetime) -> Offer | None:
        """Redeem a code once; a wrong attempt does not use up the code."""
        row = session.get(ClubOfferRow, code.offer_id)
        if row is None or row.expires_at <= now or row.taker_id is not None:
            return None
        if not hmac.compare_digest(row.secret_hash, code.hashed):
            return None
        taker = _club(session, place) or _founded(session, place)
        if taker.club_id == row.club_id or _is_linked(session, taker.club_id, row.club_id):
            return None
        session.execute(delete(ClubOfferRow).where(_is_of(taker.club_id)))  # one thing at a time
        row.taker_id, row.expires_at = taker.club_id, now + AGREED_WITHIN
        session.add(row)
        session.flush()
        return _offer(session, row)

    @reads
    def offer_of(self, session: Session, place: Thread, *, now: datetime) -> Offer | None:
        """Return the offer that a club has made or redeemed."""
        club = _club(session, place)
        row = None if club is None else _open(session, club.club_id, now)
        return None if row is None else _offer(session, row)

    @writes
    def agree(self, session: Session, place: Thread, offer_id: int, *, mark: str, now: datetime) -> Offer | None:
        """Agree for the club that redeemed a code, so that the other club is asked."""
        club = _club(session, place)
        row = None if club is None else _open(session, club.club_id, now, offer_id)
        if club is None or row is None or row.taker_id != club.club_id:
            return None
        offer = _offer(session, row)
        if offer.terms is None or offer.terms.mark != mark:
            return None
        row.agreed_to = mark
        session.add(row)
        told = {"offer": str(offer_id)}
        tell(session, row.club_id, News.ASKED, of=club.club_id, member_id=row.made_by, more=told)
        return _offer(session, row)

    @writes
    def decline(self, session: Session, place: Thread, offer_id: int) -> bool:
        """Decline for either club."""
        club = _club(session, place)
        row = session.get(ClubOfferRow, offer_id)
        if club is None or row is None or club.club_id not in {row.club_id, row.taker_id}:
            return False
        session.delete(row)
        return True

    @writes
    def join(
        self, session: Session, place: Thread, offer_id: int, *, mark: str, member_id: str, now: datetime
    ) -> Link | None:
        """Link both clubs, all or nothing."""
        giver = _club(session, place)
        row = None if giver is None else _open(session, giver.club_id, now, offer_id)
        if giver is None or row is None or row.club_id != giver.club_id or row.taker_id is None:
            return None
        terms = _terms(session, row)
        reading = current_reading_row(session, giver.club_id)
        if reading is None or terms is None or not terms.mark == mark == row.agreed_to:
            return None
        taker_id = row.taker_id
        session.execute(delete(ClubOfferRow).where(or_(_is_of(giver.club_id), _is_of(taker_id))))
        session.add_all(
            ClubLinkRow(club_id=one, other_id=other, joined_at=now)
            for one, other in ((giver.club_id, taker_id), (taker_id, giver.club_id))
        )
        session.flush()
        other = read_same(session, reading, taker_id)
        stand_together(session, reading, other, terms.page, member_id=member_id)
        tell(session, giver.club_id, News.JOINED, of=taker_id, reading_id=reading.reading_id)
        tell(session, taker_id, News.JOINED, of=giver.club_id, reading_id=other.reading_id)
        return Link(other=_place(session, taker_id), since=now)

    @reads
    def link_of(self, session: Session, place: Thread) -> Link | None:
        """Return the link of a club."""
        return _link(session, place)

    @reads
    def beside(self, session: Session, reading_id: str) -> LinkedReading | None:
        """Return the linked club's reading that goes with this one."""
        reading = session.get(ReadingRow, reading_id)
        other = None if reading is None else reading_beside(session, reading)
        if other is None:
            return None
        return LinkedReading(place=_place(session, other.club_id), reading=reading_of(other))

    @writes
    def end(self, session: Session, place: Thread) -> Link | None:
        """End the link of a club."""
        club, link = _club(session, place), _link(session, place)
        if club is not None:
            end_links(session, [club.club_id])
        return link


def _club(session: Session, place: Thread) -> ClubRow | None:
    return session.exec(select(ClubRow).where(ClubRow.scope == place.scope, ClubRow.place == place.place)).first()


def _founded(session: Session, place: Thread) -> ClubRow:
    row = ClubRow(club_id=f"c_{uuid.uuid4().hex[:12]}", scope=place.scope, place=place.place)
    session.add(row)
    session.flush()
    return row


def _place(session: Session, club_id: str) -> Thread:
    club = session.get_one(ClubRow, club_id)
    return Thread(scope=club.scope, place=club.place, thread="")


def _is_linked(session: Session, *club_ids: str) -> bool:
    return any(session.get(ClubLinkRow, club_id) is not None for club_id in club_ids)


def _link(session: Session, place: Thread) -> Link | None:
    club = _club(session, place)
    row = None if club is None else session.get(ClubLinkRow, club.club_id)
    if row is None:
        return None
    return Link(other=_place(session, row.other_id), since=row.joined_at)


def _is_of(club_id: str) -> ColumnElement[bool]:
    """Return the condition for the offers that a club has made or redeemed."""
    return or_(col(ClubOfferRow.club_id) == club_id, col(ClubOfferRow.taker_id) == club_id)


def _open(session: Session, club_id: str, now: datetime, offer_id: int | None = None) -> ClubOfferRow | None:
    """Return the one open offer that a club has made or redeemed; None if it has expired or isn't the given one."""
    these = (_is_of(club_id), col(ClubOfferRow.expires_at) > now)
    rows = session.exec(select(ClubOfferRow).where(*these).order_by(col(ClubOfferRow.offer_id).desc())).all()
    return next((row for row in rows if offer_id in {None, row.offer_id}), None)


def _offer(session: Session, row: ClubOfferRow) -> Offer:
    return Offer(
        offer_id=row.offer_id or 0,
        giver=_place(session, row.club_id),
        made_by=row.made_by,
        taker=None if row.taker_id is None else _place(session, row.taker_id),
        agreed=row.agreed_to is not None,
        terms=_terms(session, row),
    )


def _terms(session: Session, row: ClubOfferRow) -> Terms | None:
    """Return what both clubs would have in common now."""
    reading = current_reading_row(session, row.club_id)
    if row.taker_id is None or reading is None or _is_linked(session, row.club_id, row.taker_id):
        return None
    text = session.get_one(BookRow, reading.book_id).content_hash
    theirs = session.exec(
        select(ReadingRow)
        .join(BookRow, col(BookRow.book_id) == ReadingRow.book_id)
        .where(ReadingRow.club_id == row.taker_id, BookRow.content_hash == text)
    ).first()
    now = current_reading_row(session, row.taker_id)
    taker_page = None if theirs is None else theirs.current_page
    reads = "" if now is None or now == theirs else session.get_one(BookRow, now.book_id).title
    return Terms(
        book_id=reading.book_id,
        page=page_of_both(reading.current_page, taker_page),
        giver_page=reading.current_page,
        taker_page=taker_page,
        taker_title=reads,
        has_dates=session.get(ScheduleRow, reading.reading_id) is not None,
    )
