"""How units of work run: how many a turn takes, and that the event loop never waits for a lock."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert, update
from sqlmodel import Session, col

from adapters.persistence.database import Counts, Database
from adapters.persistence.tables import BookRow, ClubRow
from core.domain.conversation import TurnOutcome
from core.domain.errors import UnstorableError
from core.domain.inbound import InboundEvent
from core.domain.passage import readable
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.ports.turn_record import BegunTurn, TurnEnd
from tests.adapters.persistence.shelves import Store, store
from tests.builders import ADA, STORY

_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def sqlite_shelf(tmp_path: Path) -> Iterator[Store]:
    opened = store(f"sqlite:///{tmp_path / 'thusfar.db'}")
    yield opened
    opened.database.close()


def _since(database: Database, before: Counts) -> Counts:
    now = database.counts
    return Counts(reads=now.reads - before.reads, writes=now.writes - before.writes)


async def test_a_turn_is_two_writes(shelf: Store) -> None:
    book = await shelf.add(STORY)
    reading = await shelf.readings.get_or_create(scope="local", place="club", book_id=book.book_id)
    await shelf.readings.move(reading, 4, member_id="m")
    message = IncomingMessage(thread=Thread(scope="local", place="club", thread="one"), author=ADA, text="Who?")
    before = replace(shelf.database.counts)
    begun = await shelf.record.begin(message, now=_NOW, latest=9)
    assert isinstance(begun, BegunTurn)
    assert begun.turn is not None
    assert _since(shelf.database, before) == Counts(writes=1)
    await shelf.books.readable_chunks(readable(begun.book, begun.position), [1, 2, 3])
    await shelf.books.chunks_of_pages(readable(begun.book, begun.position), [1, 2])
    await shelf.record.end(begun.turn, TurnEnd(outcome=TurnOutcome(text="Ada."), messages=()), now=_NOW)
    assert _since(shelf.database, before) == Counts(reads=2, writes=2)


async def test_while_another_process_writes_reads_run_and_writes_wait_off_the_event_loop(
    sqlite_shelf: Store, tmp_path: Path
) -> None:
    book = await sqlite_shelf.add(STORY)
    event = InboundEvent(platform="discord", place="c", message_id="1", payload={})
    with closing(sqlite3.connect(tmp_path / "thusfar.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE book SET title = 'Half-way'")
        taking_in = asyncio.create_task(sqlite_shelf.inbox.take_in(event))
        for _ in range(20):
            assert (await sqlite_shelf.books.get(book.book_id)).title == book.title
            assert not await sqlite_shelf.inbox.knows(platform="discord", place="c", message_id="1")
            await asyncio.sleep(0)
        assert not taking_in.done()
        other.execute("COMMIT")
    assert await taking_in
    assert (await sqlite_shelf.books.get(book.book_id)).title == "Half-way"


async def test_a_unit_is_stored_whole_or_not_at_all(shelf: Store) -> None:
    book = await shelf.add(STORY)

    def twice(session: Session) -> None:
        session.execute(update(BookRow).where(col(BookRow.book_id) == book.book_id).values(title="Renamed"))
        for _ in range(2):
            session.execute(insert(ClubRow).values(club_id="c", scope="s", place="p", created_at=_NOW))

    with pytest.raises(UnstorableError) as refused:
        await shelf.database.write(twice)
    assert "\n" not in str(refused.value)
    assert (await shelf.books.get(book.book_id)).title == book.title
    assert await shelf.readings.removed_title(scope="s", place="p") is None
    await shelf.books.remove(book.book_id)  # no lock is held
