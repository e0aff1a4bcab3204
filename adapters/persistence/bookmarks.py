"""A member's bookmarks in a reading, in SQL."""

from datetime import datetime

from sqlalchemy import Select
from sqlalchemy import select as sql_select
from sqlmodel import Session, col

from adapters.persistence.club_life_tables import PageSaidRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.reading_states import member_row
from adapters.persistence.tables import MemberPositionRow, PositionChangeRow
from core.domain.position import Position
from core.domain.progress import PageSaid
from core.ports.bookmarks import Bookmarks

_Pages = Select[int, datetime] | Select[int | None, datetime]


class SqlBookmarks(SqlStore, Bookmarks):
    """Bookmarks of members; the pages they set are written with their position."""

    @reads
    def recapped(self, session: Session, reading_id: str, member_id: str) -> Position:
        """Return the page up to which a member got the last recap."""
        row = session.get(MemberPositionRow, (reading_id, member_id))
        return row.recapped_page if row else None

    @writes
    def set_recapped(self, session: Session, reading_id: str, member_id: str, page: int) -> None:
        """Store the page up to which a member got a recap."""
        row = member_row(session, reading_id, member_id)
        row.recapped_page = page
        session.add(row)

    @reads
    def pages_said(self, session: Session, reading_id: str, member_id: str, *, since: datetime) -> list[PageSaid]:
        """Return the pages that a member set for themselves since then, and the last one before."""
        own = sql_select(col(PageSaidRow.page), col(PageSaidRow.said_at)).where(
            col(PageSaidRow.reading_id) == reading_id, col(PageSaidRow.member_id) == member_id
        )
        return _since(session, own.order_by(col(PageSaidRow.page_said_id)), since)

    @reads
    def pages_moved(self, session: Session, reading_id: str, *, since: datetime) -> list[PageSaid]:
        """Return the moves of the whole reading and its threads since then, without undone ones."""
        moves = sql_select(col(PositionChangeRow.to_page), col(PositionChangeRow.changed_at)).where(
            col(PositionChangeRow.reading_id) == reading_id,
            ~col(PositionChangeRow.undone),
        )
        return _since(session, moves.order_by(col(PositionChangeRow.change_id)), since)


def _since(session: Session, pages: _Pages, since: datetime) -> list[PageSaid]:
    found = [PageSaid(page=page, at=at) for page, at in session.execute(pages) if page is not None]
    before = [each for each in found if each.at < since]
    return [*before[-1:], *(each for each in found if each.at >= since)]
