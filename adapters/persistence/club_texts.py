"""Texts written for a club about pages of its book, in SQL."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import ClubTextRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.reading_states import reading_row
from core.domain.club_text import ClubText, TextKind
from core.ports.club_texts import ClubTexts


class SqlClubTexts(SqlStore, ClubTexts):
    """Texts by reading and kind."""

    @reads
    def of_reading(self, session: Session, reading_id: str, kind: TextKind, *, last_page: int) -> list[ClubText]:
        """Return the texts of a kind about pages up to this one, oldest first."""
        theirs = select(ClubTextRow).where(
            ClubTextRow.reading_id == reading_id, ClubTextRow.kind == kind, ClubTextRow.last_page <= last_page
        )
        return [_text_of(row) for row in session.exec(theirs.order_by(col(ClubTextRow.club_text_id)))]

    @writes
    def keep(self, session: Session, reading_id: str, texts: Sequence[ClubText]) -> None:
        """Store texts in addition to the existing ones."""
        reading_row(session, reading_id)
        session.add_all(
            ClubTextRow(
                reading_id=reading_id,
                kind=each.kind,
                first_page=each.first_page,
                last_page=each.last_page,
                text=each.text,
                member_id=each.member_id,
            )
            for each in texts
        )


def _text_of(row: ClubTextRow) -> ClubText:
    return ClubText(
        kind=TextKind(row.kind),
        first_page=row.first_page,
        last_page=row.last_page,
        text=row.text,
        member_id=row.member_id,
    )
