"""Threads in SQL: what a message needs to know of its thread, in one transaction of two prepared statements."""

from sqlalchemy import Table, bindparam, select
from sqlmodel import SQLModel

from adapters.persistence.database import Database
from adapters.persistence.prepared import Prepared, Record, Unit
from adapters.persistence.standings import members_of, reading_of
from core.domain.conversation import Conversation
from core.domain.position import MemberPosition
from core.domain.reading import Listen, Standing
from core.domain.thread import ThreadState
from core.ports.threads import ThreadRepository


def _table(name: str) -> Table:
    return SQLModel.metadata.tables[name]


_club, _reading, _conversation = _table("club").c, _table("reading").c, _table("conversation").c

_CURRENT = Prepared(
    select(
        _conversation.conversation_id,
        _conversation.session_id,
        _conversation.current_page.label("thread_page"),
        _conversation.has_own_position,
        _conversation.listen,
        _reading.reading_id,
        _reading.club_id,
        _reading.book_id,
        _reading.current_page,
        _reading.pace,
        _reading.page_control,
    )
    .select_from(
        _table("club")
        .join(_table("reading"), _reading.club_id == _club.club_id)
        .outerjoin(
            _table("conversation"),
            _conversation.session_id
            == bindparam("session_of", type_=_conversation.session_id.type) + _reading.reading_id,
        )
    )
    .where(_club.scope == bindparam("scope"), _club.place == bindparam("place"))
    .order_by(_reading.last_used_at.desc())
    .limit(1)
)


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
            return _state(row, members_of(unit, row.reading_id))

        return await self._database.prepared_read(work)


def _state(row: Record, members: tuple[MemberPosition, ...]) -> ThreadState:
    return ThreadState(
        conversation=Conversation(
            conversation_id=row.conversation_id,
            session_id=row.session_id,
            reading_id=row.reading_id,
            book_id=row.book_id,
        ),
        standing=Standing(
            reading=reading_of(row),
            thread_position=row.thread_page,
            thread_has_own=bool(row.has_own_position),
            members=members,
        ),
        listen=Listen(row.listen),
    )
