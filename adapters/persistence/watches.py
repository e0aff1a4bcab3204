"""Which clubs are watched for spoilers, and when members were nudged, in SQL columns of clubs and members."""

from datetime import datetime

from sqlalchemy import Select, select, update
from sqlmodel import Session, col

from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.tables import ClubRow, MemberPositionRow, ReadingRow
from core.ports.watches import Watches


class SqlWatches(SqlStore, Watches):
    """Sets the switch; it is read with every message of a thread (`threads`)."""

    @reads
    def is_on(self, session: Session, club_id: str) -> bool:
        """Return whether a club's posts are watched."""
        row = session.get(ClubRow, club_id)
        return row is not None and row.is_watched

    @writes
    def set_on(self, session: Session, club_id: str, *, on: bool) -> None:
        """Switch it on or off for a club."""
        switched = update(ClubRow).where(col(ClubRow.club_id) == club_id).values(is_watched=on)
        session.execute(switched)

    @writes
    def take_turn(self, session: Session, reading_id: str, member_id: str, *, now: datetime, since: datetime) -> bool:
        """Note that a member is nudged now; return False if they were since then in any reading of the scope."""
        row = session.get(MemberPositionRow, (reading_id, member_id))
        if row is None or session.execute(_nudged_since(reading_id, member_id, since)).first() is not None:
            return False
        row.nudged_at = now
        session.add(row)
        return True


def _nudged_since(reading_id: str, member_id: str, since: datetime) -> Select[str]:
    scope = (
        select(col(ClubRow.scope))
        .join(ReadingRow, col(ReadingRow.club_id) == ClubRow.club_id)
        .where(col(ReadingRow.reading_id) == reading_id)
        .scalar_subquery()
    )
    return (
        select(col(MemberPositionRow.reading_id))
        .join(ReadingRow, col(ReadingRow.reading_id) == MemberPositionRow.reading_id)
        .join(ClubRow, col(ClubRow.club_id) == ReadingRow.club_id)
        .where(
            col(ClubRow.scope) == scope,
            col(MemberPositionRow.member_id) == member_id,
            col(MemberPositionRow.nudged_at) > since,
        )
        .limit(1)
    )
