"""What members left for pages of a book, in SQL."""

from dataclasses import asdict

from sqlalchemy import func
from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import SealedItemRow, SealedItemVoteRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.tables import ReadingRow
from core.domain.errors import BookError, BookErrorCode
from core.domain.sealed_item import SealedItem, SealedItemKind, Vote, Votes
from core.ports.sealed_items import SealedItemRepository


class SqlSealedItemRepository(SqlStore, SealedItemRepository):
    """One row per sealed item, one per member's vote on it."""

    @writes
    def keep(self, session: Session, sealed_item: SealedItem) -> SealedItem:
        """Store an item and return it with its id. Raises BookError(NOT_FOUND) if the reading is gone."""
        if session.get(ReadingRow, sealed_item.reading_id) is None:
            raise BookError(BookErrorCode.NOT_FOUND, "This club reads that book no more.")
        row = SealedItemRow(**asdict(sealed_item) | {"keepsake_id": None})
        session.add(row)
        session.flush()
        return keepsake_of(row)

    @reads
    def of_reading(self, session: Session, reading_id: str, kind: SealedItemKind) -> list[SealedItem]:
        """Return all items of a kind, by the page at which they open, then by age."""
        theirs = (
            select(SealedItemRow)
            .where(SealedItemRow.reading_id == reading_id, SealedItemRow.kind == kind)
            .order_by(col(SealedItemRow.opens_at), col(SealedItemRow.keepsake_id))
        )
        return [keepsake_of(row) for row in session.exec(theirs)]

    @reads
    def find(self, session: Session, reading_id: str, keepsake_id: int) -> SealedItem | None:
        """Return an item of a reading, or None."""
        row = session.get(SealedItemRow, keepsake_id)
        return keepsake_of(row) if row is not None and row.reading_id == reading_id else None

    @writes
    def change(self, session: Session, sealed_item: SealedItem) -> None:
        """Change the text and the page of an item; do nothing if it is gone."""
        row = session.get(SealedItemRow, sealed_item.keepsake_id)
        if row is not None:
            row.text, row.opens_at = sealed_item.text, sealed_item.opens_at
            session.add(row)

    @writes
    def of_week(self, session: Session, reading_id: str, week: str, *, reached: int) -> SealedItem | None:
        """Return the quote of a week: the one already chosen, else the oldest without a week."""
        theirs = select(SealedItemRow).where(
            SealedItemRow.reading_id == reading_id, SealedItemRow.kind == SealedItemKind.QUOTE
        )
        of_none = (col(SealedItemRow.week).is_(None), SealedItemRow.opens_at <= reached)
        row = (
            session.exec(theirs.where(SealedItemRow.week == week)).first()
            or session.exec(theirs.where(*of_none).order_by(col(SealedItemRow.keepsake_id))).first()
        )
        if row is None or row.opens_at > reached:
            return None
        row.week = week
        session.add(row)
        return keepsake_of(row)

    @writes
    def vote(self, session: Session, keepsake_id: int, member_id: str, vote: Vote) -> Votes:
        """Count a member's vote in place of their last one; return all votes, none if the item is gone."""
        if session.get(SealedItemRow, keepsake_id) is None:
            return Votes()
        session.merge(SealedItemVoteRow(keepsake_id=keepsake_id, member_id=member_id, vote=vote))
        session.flush()
        return _votes(session, keepsake_id)

    @reads
    def votes(self, session: Session, keepsake_id: int) -> Votes:
        """Return the votes on a prediction."""
        return _votes(session, keepsake_id)


def open_items(session: Session, reading_id: str, reached: int) -> list[SealedItem]:
    """Return the items that open up to a page and were not told, and mark them as told."""
    rows = session.exec(
        select(SealedItemRow)
        .where(SealedItemRow.reading_id == reading_id, SealedItemRow.opens_at <= reached, ~col(SealedItemRow.told))
        .order_by(col(SealedItemRow.opens_at), col(SealedItemRow.keepsake_id))
    ).all()
    found = [keepsake_of(row) for row in rows]
    for row in rows:
        row.told = True
        session.add(row)
    return found


def _votes(session: Session, keepsake_id: int) -> Votes:
    counted = session.exec(
        select(SealedItemVoteRow.vote, func.count())
        .where(SealedItemVoteRow.keepsake_id == keepsake_id)
        .group_by(SealedItemVoteRow.vote)
    ).all()
    return Votes(counts={Vote(vote): count for vote, count in counted})


def keepsake_of(row: SealedItemRow) -> SealedItem:
    """Return the item of a row."""
    fields = row.model_dump(exclude={"created_at", "week"})
    return SealedItem(**fields | {"kind": SealedItemKind(row.kind)})
