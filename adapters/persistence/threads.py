"""Threads in SQL: what a message needs to know of its thread, in one transaction of two prepared statements."""

from sqlmodel import SQLModel

from adapters.persistence.database import Database
from adapters.persistence.prepared import Prepared, Unit
from adapters.persistence.standings import current_thread, standing_of_row
from core.domain.conversation import Conversation
from core.domain.reading import Listen
from core.domain.thread import ThreadState
from core.ports.threads import ThreadRepository

_thread = SQLModel.metadata.tables["conversation"].c
_CURRENT = Prepared(current_thread(_thread.session_id, _thread.listen))


class SqlThreadRepository(ThreadRepository):
    """Reads club, reading, conversation and members together."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def current(self, *, scope: str, place: str, session_of: str) -> ThreadState | None:
        """Return a thread's state about what its club reads now."""
        place_of = {"scope": scope, "place": place, "session_of": session_of}

        def work(unit: Unit) -> ThreadState | None:
            row = unit.first(_CURRENT, place_of)
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
                listen=Listen(row.listen),
            )

        return await self._database.prepared_read(work)
