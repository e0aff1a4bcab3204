"""Texts written for a club about pages of its book, in SQL."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import ClubTextRow
from adapters.persistence.database import Database
from adapters.persistence.reading_states import reading_row
from core.domain.club_text import ClubText, TextKind
from core.ports.club_texts import ClubTexts


class SqlClubTexts(ClubTexts):
    """Texts by reading and kind."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_reading(self, reading_id: str, kind: TextKind, *, last_page: int) -> list[ClubText]:
        """Return the texts of a kind about pages up to this one, oldest first."""

        def work(session: Session) -> list[ClubText]:
            theirs = select(ClubTextRow).where(
                ClubTextRow.reading_id == reading_id, ClubTextRow.kind == kind, ClubTextRow.last_page <= last_page
            )
            return [_text_of(row) for row in session.exec(theirs.order_by(col(ClubTextRow.club_text_id)))]

        return await self._database.read(work)

    async def keep(self, reading_id: str, texts: Sequence[ClubText]) -> None:
        """Store texts in addition to the existing ones."""

        def work(session: Session) -> None:
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

        await self._database.write(work)


def _text_of(row: ClubTextRow) -> ClubText:
    return ClubText(
        kind=TextKind(row.kind),
        first_page=row.first_page,
        last_page=row.last_page,
        text=row.text,
        member_id=row.member_id,
    )
