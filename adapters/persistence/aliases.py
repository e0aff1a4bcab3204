"""Aliases of characters in a reading, in SQL."""

from sqlmodel import Session, col, select

from adapters.persistence.club_life_tables import AliasRow
from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.reading_states import reading_row
from core.domain.alias import Alias
from core.domain.folding import folded
from core.ports.aliases import AliasRepository


class SqlAliasRepository(SqlStore, AliasRepository):
    """Aliases by reading, name and page."""

    @reads
    def of_reading(self, session: Session, reading_id: str) -> list[Alias]:
        """Return all aliases of a reading, set at any page."""
        return aliases_of(session, reading_id)

    @writes
    def put(self, session: Session, reading_id: str, alias: Alias) -> None:
        """Store an alias, replacing an earlier one of this name at this page."""
        reading_row(session, reading_id)
        _drop(session, reading_id, alias.key, first_page=alias.page, last_page=alias.page)
        session.add(
            AliasRow(
                reading_id=reading_id,
                key=alias.key,
                name=alias.name,
                stands_for=alias.stands_for,
                page=alias.page,
            )
        )

    @writes
    def remove(self, session: Session, reading_id: str, name: str, *, up_to: int) -> None:
        """Delete the aliases of a name that were set at a page up to this one."""
        _drop(session, reading_id, folded(name), first_page=0, last_page=up_to)


def aliases_of(session: Session, reading_id: str) -> list[Alias]:
    """Return the aliases of a reading, set at any page."""
    theirs = select(AliasRow).where(AliasRow.reading_id == reading_id).order_by(col(AliasRow.alias_id))
    return [Alias(name=row.name, stands_for=row.stands_for, page=row.page) for row in session.exec(theirs)]


def _drop(session: Session, reading_id: str, key: str, *, first_page: int, last_page: int) -> None:
    theirs = select(AliasRow).where(
        AliasRow.reading_id == reading_id, col(AliasRow.page).between(first_page, last_page)
    )
    for row in session.exec(theirs):
        if folded(row.name) == key:  # keys stored by an earlier version may have accents
            session.delete(row)
    session.flush()
