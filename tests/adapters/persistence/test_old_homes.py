"""Homes of every earlier schema, even those with equal revision ids, can be upgraded."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, Table, text
from sqlalchemy.engine import Connection
from sqlmodel import SQLModel

from adapters.persistence.database import Database
from adapters.persistence.migrate import NEWEST_REVISION, current_revision, upgrade
from core.domain.conversation import Role, TurnOutcome
from core.domain.errors import BookError
from core.domain.question import IncomingMessage
from core.domain.reading import ListeningRule
from core.domain.thread import Thread
from core.ports.turn_record import BegunTurn, TurnEnd
from tests.builders import ADA, a_message
from tests.contracts.stores import Stores
from tests.old_tables import make_tables, set_revision
from tests.postgres import fresh_database

_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
_THAT_DAY = datetime(2026, 1, 1)  # noqa: DTZ001 (the tables of a file have no time zones)
_Rows = dict[str, list[dict[str, object]]]
_ROWS: _Rows = {
    "book": [
        {
            "book_id": "b_1",
            "scope": "local",
            "content_hash": "h",
            "title": "Old",
            "page_source": "form_feeds",
            "page_count": 2,
            "chapter_count": 0,
            "chunk_count": 2,
            "imported_at": _THAT_DAY,
        }
    ],
    "page": [
        {"book_id": "b_1", "number": 1, "start_offset": 0, "text": "One."},
        {"book_id": "b_1", "number": 2, "start_offset": 5, "text": "Two."},
    ],
    "chunk": [
        {"book_id": "b_1", "number": 1, "start_page": 1, "end_page": 1, "text": "One."},
        {"book_id": "b_1", "number": 2, "start_page": 2, "end_page": 2, "text": "Two."},
    ],
    "club": [{"club_id": "c_1", "scope": "local", "place": "club", "created_at": _THAT_DAY}],
    "reading": [
        {
            "reading_id": "r_1",
            "club_id": "c_1",
            "book_id": "b_1",
            "current_page": 1,
            "pace": "thread",
            "page_control": "anyone",
            "last_used_at": _THAT_DAY,
        }
    ],
    "member_position": [{"reading_id": "r_1", "member_id": "m", "current_page": 2}],
    "conversation": [
        {
            "conversation_id": "t_1",
            "session_id": "local:club:one/r_1",
            "reading_id": "r_1",
            "current_page": 2,
            "has_own_position": True,
            "created_at": _THAT_DAY,
        }
    ],
    "turn": [
        {
            "conversation_id": "t_1",
            "turn_number": 1,
            "status": "answered",
            "position": 1,
            "user_query": "Who?",
            "agent_response": "Ada.",
            "retrieval_attempts": 1,
            "sources": [],
            "reasoning_steps": [],
            "input_tokens": 1,
            "output_tokens": 2,
            "cache_read_tokens": 0,
            "cache_write_tokens": 0,
            "created_at": _THAT_DAY,
        }
    ],
    "message": [
        {
            "conversation_id": "t_1",
            "turn_id": 1,
            "role": "user",
            "content": "Who?",
            "position": 1,
            "is_error": False,
            "created_at": _THAT_DAY,
        }
    ],
    "position_change": [
        {
            "conversation_id": "t_1",
            "member_id": "m",
            "from_page": 1,
            "from_has_own": False,
            "to_page": 2,
            "to_has_own": True,
            "undone": False,
            "changed_at": _THAT_DAY,
        }
    ],
}
_SINCE_PLATFORMS: dict[str, dict[str, object]] = {
    "conversation": {"listen": "opened", "opened_by_bot": False},
    "position_change": {"reading_id": "r_1"},
}


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Return an empty database."""
    file = tmp_path / "thusfar.db"
    with (
        nullcontext(f"sqlite:///{file}")
        if request.param == "sqlite"
        else fresh_database(request.getfixturevalue("postgres_server")) as address
    ):
        opened = Database(address)
        yield opened
        opened.close()


def _fill(connection: Connection, also: dict[str, dict[str, object]]) -> None:
    for name, rows in _ROWS.items():
        table = Table(name, MetaData(), autoload_with=connection)
        connection.execute(table.insert(), [row | also.get(name, {}) for row in rows])
    connection.commit()


def _first(connection: Connection) -> None:
    """As first committed."""
    make_tables(connection, "first_tables", revision="0001")
    _fill(connection, {})


def _with_costs(connection: Connection) -> None:
    """As it was an hour later."""
    _first(connection)
    connection.execute(text("ALTER TABLE turn ADD COLUMN cost_micro_usd INTEGER"))
    connection.commit()


def _with_platforms(connection: Connection) -> None:
    """As it was when there were platforms, and no removed title yet."""
    _last(connection)
    connection.execute(text("ALTER TABLE club DROP COLUMN removed_title"))
    connection.commit()


def _last(connection: Connection) -> None:
    """As it was ever after, until there was a second revision."""
    make_tables(connection, "tables_of_0001", revision="0001")
    _fill(connection, _SINCE_PLATFORMS)


def _with_editions(connection: Connection) -> None:
    """As the second revision made it."""
    _last(connection)
    for added in (
        "book ADD COLUMN first_story_page INTEGER",
        "book ADD COLUMN last_story_page INTEGER",
        "reading ADD COLUMN edition JSON",
        "member_position ADD COLUMN edition JSON",
    ):
        connection.execute(text(f"ALTER TABLE {added}"))
    set_revision(connection, "0002")


def _as_of(revision: str, also: dict[str, dict[str, object]]) -> Callable[[Connection], None]:
    def make(connection: Connection) -> None:
        make_tables(connection, f"tables_of_{revision}", revision=revision)
        _fill(connection, also)

    make.__name__ = f"as_of_{revision}"
    return make


_MOVES: dict[str, dict[str, object]] = {"position_change": {"reading_id": "r_1"}}
_NEVER_ASKED_TO_LISTEN: dict[str, dict[str, object]] = {"conversation": {"listen": "opened"}, **_MOVES}
_AS_THE_CLUB: dict[str, dict[str, object]] = {"conversation": {"listen": ""}, **_MOVES}


@pytest.mark.parametrize(
    "made",
    [
        _first,
        _with_costs,
        _with_platforms,
        _last,
        _with_editions,
        _as_of("0005", _NEVER_ASKED_TO_LISTEN),  # some homes of this number had no listening yet
        _as_of("0018", _AS_THE_CLUB),
        _as_of("0022", _AS_THE_CLUB),
        _as_of("0032", _AS_THE_CLUB),
    ],
)
async def test_an_old_home_is_upgraded(database: Database, made: Callable[[Connection], None]) -> None:
    with database.engine.connect() as connection:
        made(connection)
    assert upgrade(database.engine) is True
    assert current_revision(database.engine) == NEWEST_REVISION
    _has_the_declared_columns(database)
    stores = Stores(database)
    outline = await stores.books.outline("b_1")
    assert (outline.ends, outline.first_story_page, outline.story_end) == ((4, 9), 1, 2)
    assert [chunk.text for chunk in await stores.books.chunks("b_1")] == ["One.", "Two."]
    assert (await stores.readings.get("r_1")).current_page == 1
    assert await stores.clubs.member_position("r_1", "m") == 2
    assert await stores.clubs.hearing("t_1") == ListeningRule()
    undone = await stores.readings.undo(await stores.conversations.get("t_1"))
    assert undone is not None
    assert undone.change is not None
    assert (undone.change.from_position, undone.change.to_position) == (2, 1)
    message = IncomingMessage(
        thread=Thread(scope="local", place="club", thread="one"), author=ADA, text="And now?", ref="x:1"
    )
    begun = await stores.record.begin(message, now=_NOW, latest=9)
    assert isinstance(begun, BegunTurn)
    assert begun.turn is not None
    assert (begun.conversation.conversation_id, begun.turn.turn_number, begun.position) == ("t_1", 2, 1)
    assert [said.content for said in begun.history] == ["Who?"]
    end = TurnEnd(outcome=TurnOutcome(text="Yes."), messages=(a_message("Yes.", role=Role.ASSISTANT),))
    assert await stores.record.end(begun.turn, end, now=_NOW) == 1
    assert await stores.messages.where_said("x:1") == ("t_1", 1)
    await stores.books.remove("b_1")
    assert await stores.readings.removed_title(scope="local", place="club") == "Old"
    with pytest.raises(BookError):
        await stores.conversations.get("t_1")
    assert await stores.said("t_1") == []


def _has_the_declared_columns(database: Database) -> None:
    """Defaults and constraint names may differ by history; columns, nullability, keys and indexes may not."""
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "render_as_batch": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def _insert(connection: Connection, name: str, *rows: dict[str, object]) -> None:
    connection.execute(Table(name, MetaData(), autoload_with=connection).insert(), list(rows))
    connection.commit()


def _rows(database: Database, statement: str) -> list[tuple[object, ...]]:
    with database.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


def test_what_was_answered_before_there_were_states_is_not_answered_again(database: Database) -> None:
    event = {"platform": "discord", "place": "p", "payload": {}, "received_at": _THAT_DAY}
    with database.engine.connect() as connection:
        _as_of("0005", _NEVER_ASKED_TO_LISTEN)(connection)
        _insert(
            connection,
            "inbound_event",
            {**event, "message_id": "answered", "finished": True},
            {**event, "message_id": "waiting", "finished": False},
        )
    upgrade(database.engine)
    states = _rows(database, "SELECT message_id, state, attempts, blame, bot FROM inbound_event ORDER BY message_id")
    assert states == [("answered", "done", 0, 0, ""), ("waiting", "received", 0, 0, "")]


def test_thumbs_and_questions_for_later_are_kept(database: Database) -> None:
    kept = {"reading_id": "r_1", "member_id": "m", "text": "Why?", "asked_page": 1, "due_page": 2, "kept_at": _THAT_DAY}
    with database.engine.connect() as connection:
        _as_of("0018", {**_AS_THE_CLUB, "turn": {"feedback": -1}})(connection)
        _insert(connection, "later_question", kept)
    upgrade(database.engine)
    assert _rows(database, "SELECT turn_id, member_id, feedback FROM answer_feedback") == [(1, "", -1)]
    assert _rows(database, "SELECT text, asked_page, told_page FROM later_question") == [("Why?", 1, 1)]


def test_a_code_that_was_tried_wrongly_is_still_good(database: Database) -> None:
    offer = {"club_id": "c_1", "secret_hash": "s", "made_by": "m", "wrong": 1, "expires_at": _THAT_DAY}
    with database.engine.connect() as connection:
        _as_of("0022", _AS_THE_CLUB)(connection)
        _insert(connection, "club_offer", offer)
    upgrade(database.engine)
    assert _rows(database, "SELECT club_id, secret_hash FROM club_offer") == [("c_1", "s")]
