"""Servers that removed the bot, in SQL, and the erasure of their data after a while."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, or_
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, select

from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.linking import end_links
from adapters.persistence.tables import BookRow, ClubRow, LeftServerRow
from core.domain.scopes import is_direct
from core.ports.left_servers import Erased, LeftServerRepository


class SqlLeftServerRepository(SqlStore, LeftServerRepository):
    """Erases clubs and books with everything that depends on them."""

    @writes
    def note(self, session: Session, scopes: Sequence[str], at: datetime) -> list[str]:
        """Note that these servers were left, unless known; links to their clubs end."""
        there = {scope for scope in scopes if _anything(session, scope)}
        known = set(session.exec(select(LeftServerRow.scope).where(col(LeftServerRow.scope).in_(scopes))))
        session.add_all(LeftServerRow(scope=scope, left_at=at) for scope in there - known)
        for scope in there - known:
            end_links(session, session.exec(select(ClubRow.club_id).where(_of(col(ClubRow.scope), scope))).all())
        return sorted(there - known)

    async def returned(self, scopes: Collection[str]) -> list[str]:
        """Note that these servers are back."""

        def left(session: Session) -> list[str]:
            return [scope for scope in session.exec(select(LeftServerRow.scope)) if scope in scopes]

        back = await self.database.read(left)

        def work(session: Session) -> None:
            session.execute(delete(LeftServerRow).where(col(LeftServerRow.scope).in_(back)))

        if back:
            await self.database.write(work)
        return back

    @reads
    def stored(self, session: Session, platform: str) -> list[str]:
        """Return the servers of a platform with stored data."""
        kept = {
            scope
            for column in (ClubRow.scope, BookRow.scope)
            for scope in session.exec(select(column).where(col(column).startswith(f"{platform}:")).distinct())
        }
        return sorted(scope for scope in kept if not is_direct(scope))

    @reads
    def left_before(self, session: Session, before: datetime) -> list[str]:
        """Return the scopes that were left before then."""
        found = select(LeftServerRow.scope).where(LeftServerRow.left_at < before).order_by(LeftServerRow.scope)
        return list(session.exec(found))

    @writes
    def erase(self, session: Session, scope: str, *, left_before: datetime) -> Erased | None:
        """Erase everything stored about a scope, all or nothing."""
        due = select(LeftServerRow).where(LeftServerRow.scope == scope, LeftServerRow.left_at < left_before)
        row = session.exec(due).first()
        if row is None:
            return None
        book_ids = session.exec(select(BookRow.book_id).where(_of(col(BookRow.scope), scope))).all()
        clubs = session.exec(select(ClubRow.club_id).where(_of(col(ClubRow.scope), scope))).all()
        session.execute(delete(ClubRow).where(_of(col(ClubRow.scope), scope)))
        session.execute(delete(BookRow).where(_of(col(BookRow.scope), scope)))
        session.delete(row)
        return Erased(book_ids=tuple(book_ids), clubs=len(clubs))


def _anything(session: Session, scope: str) -> bool:
    clubs = select(ClubRow.club_id).where(_of(col(ClubRow.scope), scope)).limit(1)
    books = select(BookRow.book_id).where(_of(col(BookRow.scope), scope)).limit(1)
    return any(session.exec(found).first() is not None for found in (clubs, books))


def _of(column: Mapped[str], scope: str) -> ColumnElement[bool]:
    """Return the condition for a server's data; DMs belong to a workspace in Slack, to a user on Discord."""
    platform, _, server = scope.partition(":")
    return or_(column == scope, column.startswith(f"{platform}:dm:{server}:", autoescape=True))
