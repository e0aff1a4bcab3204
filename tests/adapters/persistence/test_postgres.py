"""PostgreSQL only: sessions ended by the server, a missing schema, many concurrent writers."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.persistence.database import Database
from core.domain.inbound import InboundEvent
from tests.bot.running import thusfar
from tests.builders import a_book_text
from tests.contracts.stores import Stores
from tests.postgres import fresh_database

_END_SESSIONS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
def end_sessions(postgres_url: str) -> Callable[[], int]:
    """End every session of the test's database, as a server that restarts does; return how many there were."""

    def end() -> int:
        another = Database(postgres_url)
        with another.engine.execution_options(thusfar_writes=False).connect() as connection:
            ended = len(connection.execute(_END_SESSIONS).all())
        another.close()
        return ended

    return end


async def test_an_ended_session_is_replaced_without_an_error(
    postgres: Database, end_sessions: Callable[[], int]
) -> None:
    stores = Stores(postgres)
    thread = (await stores.begin("one")).conversation_id
    await asyncio.gather(*(stores.said(thread) for _ in range(8)))
    assert end_sessions() >= 1
    await stores.begin("two")
    assert end_sessions() >= 1
    assert [message.content for message in await stores.said(thread)] == ["one", "two"]


async def test_read_then_write_is_correct_with_many_writers(postgres_url: str) -> None:
    first, second = Database(postgres_url), Database(postgres_url)
    one, two = Stores(first), Stores(second)
    book = await one.add_book(a_book_text([f"Page {number}." for number in range(1, 13)]))
    readings = await asyncio.gather(
        *(each.readings.get_or_create(scope="local", place="p", book_id=book.book_id) for each in (one, two) * 6)
    )
    (reading_id,) = {reading.reading_id for reading in readings}
    threads = await asyncio.gather(
        *(each.conversations.get_or_create(session_id="s", reading_id=reading_id) for each in (one, two) * 6)
    )
    assert len({each.conversation_id for each in threads}) == 1
    conversation = threads[0]
    made = await asyncio.gather(
        *(each.readings.move(conversation, page, member_id="m") for page, each in enumerate((one, two) * 6, start=1))
    )
    moves = [each.change for each in made if each.change is not None]
    assert sorted(move.to_position or 0 for move in moves) == list(range(1, 13))
    assert len({move.from_position for move in moves}) == len(moves)  # each move knows the one before it
    event_ = InboundEvent(platform="discord", place="c", message_id="1", payload={})
    assert sum(await asyncio.gather(*(each.inbox.take_in(event_) for each in (one, two) * 6))) == 1
    await asyncio.gather(*(each.clubs.spoke(reading_id, "m", datetime.now(UTC)) for each in (one, two) * 6))
    first.close()
    second.close()


async def test_statements_are_not_prepared_in_sessions_that_a_pooler_may_change(postgres: Database) -> None:
    stores = Stores(postgres)
    thread = (await stores.conversation()).conversation_id
    for _ in range(12):
        await stores.conversations.get(thread)
    prepared = await postgres.read(lambda session: session.execute(text("SELECT * FROM pg_prepared_statements")).all())
    assert prepared == []


def test_a_database_that_was_not_upgraded_is_recognised(postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with fresh_database(postgres_server) as url:
        monkeypatch.setenv("DATABASE_URL", url)
        assert "`thusfar db upgrade`" in thusfar("books", "list").failed_in_one_line()
        assert thusfar("db", "upgrade", "--json").json["changed"] is True
        assert thusfar("books", "list", "--json").json == []


def test_every_command_works_on_it(postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = tmp_path / "small.txt"
    book.write_text("The lighthouse keeper lit the lamp.\fThe storm broke the window.\fThe end.", encoding="utf-8")
    monkeypatch.setenv("DATABASE_URL", postgres_url.replace("postgresql://", "postgres://"))
    book_id = thusfar("books", "add", str(book), "--json").json["book_id"]
    asked = ("ask", "Who lit the lamp?", "--book", "small", "--page", "1", "--session", "s", "--json")
    assert [thusfar(*asked).json["turn_number"] for _ in range(2)] == [1, 2]
    assert thusfar("search", "lamp", "--book", "small", "--page", "3", "--json").json[0]["start_page"] == 1
    talk = thusfar("chat", "--book", "small", typed="/setpage 2\nWho lit the lamp?\n/setpage undo\n/where\n")
    assert (talk.code, talk.err) == (0, "")
    assert "**pp. 1-2**\n> The lighthouse keeper **lit** the **lamp**." in talk.out
    assert thusfar("books", "reindex", "--wait", "--json").json[0]["status"] == "complete"
    assert thusfar("books", "remove", book_id).code == 0
    assert thusfar("books", "list", "--json").json == []


@pytest.mark.parametrize("wrong", ["port", "password", "database"])
def test_an_unreachable_server_is_one_line_without_the_password(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    url = Database(postgres_url).engine.url
    changed = {"port": 1} if wrong == "port" else {wrong: "s3cret" if wrong == "password" else "nowhere"}
    address = url.set(**changed).render_as_string(hide_password=False)
    monkeypatch.setenv("DATABASE_URL", address)
    line = thusfar("books", "list").failed_in_one_line()
    assert "cannot be used" in line
    assert "s3cret" not in line
    assert str(url.password) not in line.replace(str(url.username), "")


def test_a_password_among_the_options_is_not_shown_either(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    url = Database(postgres_url).engine.url.set(password=None, query={"password": "s3cret"})
    monkeypatch.setenv("DATABASE_URL", url.render_as_string())
    assert "s3cret" not in thusfar("books", "list").failed_in_one_line()
