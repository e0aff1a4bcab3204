"""Threads in SQL: what a message needs to know of its thread or place, in one transaction of prepared statements."""

from sqlmodel import SQLModel

from adapters.persistence.database import Database
from adapters.persistence.prepared import Prepared, Unit
from adapters.persistence.standings import (
    current_reading,
    current_thread,
    hearing_of,
    names_of,
    standing_of_place,
    standing_of_row,
)
from adapters.persistence.stored_books import StoredBooks
from core.domain.conversation import Conversation
from core.domain.thread import PlaceState, ThreadState
from core.ports.threads import ThreadRepository

_table = SQLModel.metadata.tables
_thread, _club, _book = _table["conversation"].c, _table["club"].c, _table["book"]
_CURRENT = Prepared(
    current_thread(_thread.session_id, _thread.listen, _club.listen.label("club_listen"), _club.is_watched)
)
_PLACE = Prepared(
    current_reading(*(column for column in _book.c if column.key != "book_id")).join(
        _book, _book.c.book_id == _table["reading"].c.book_id
    )
)


class SqlThreadRepository(ThreadRepository):
    """Reads club, reading, conversation and members together."""

    def __init__(self, database: Database, *, embedding_model_id: str | None) -> None:
        self._database = database
        self._books = StoredBooks(embedding_model_id=embedding_model_id)

    async def current(self, *, scope: str, place: str, session_of: str, about: str = "") -> ThreadState | None:
        """Return a thread's state about what it reads."""
        names = names_of(scope=scope, place=place, session_of=session_of, about=about)

        def work(unit: Unit) -> ThreadState | None:
            row = unit.first(_CURRENT, names)
            if row is None or row.conversation_id is None:
                return None
            return ThreadState(
                conversation=Conversation(
                    conversation_id=row.conversation_id,
                    session_id=row.session_id,
                    reading_id=row.reading_id,
                    book_id=row.book_id,
                ),
                standing=standing_of_row(unit, row, every_member=True),
                hearing=hearing_of(row.listen, row.club_listen),
                is_watched=bool(row.is_watched),
            )

        return await self._database.prepared_read(work)

    async def place(self, *, scope: str, place: str) -> PlaceState | None:
        """Return the state of a place."""

        def work(unit: Unit) -> PlaceState | None:
            row = unit.first(_PLACE, {"scope": scope, "place": place})
            if row is None:
                return None
            book = self._books.book(unit, row)
            return PlaceState(book=book, standing=standing_of_place(unit, row), labels=self._books.labels(unit, book))

        return await self._database.prepared_read(work)
