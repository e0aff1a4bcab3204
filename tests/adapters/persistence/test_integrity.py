"""A book's data is deleted with it, and a text is stored whole or not at all."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from sqlalchemy import text
from sqlmodel import Session, SQLModel

from core.domain.alias import Alias
from core.domain.book import Chunk
from core.domain.club_text import ClubText, TextKind
from core.domain.conversation import Author
from core.domain.errors import BookError, BookErrorCode, UnstorableError
from core.domain.later import LaterQuestion
from core.domain.note import Note, NoteBatch
from core.domain.position import AnswerIn
from core.domain.question import IncomingMessage
from core.domain.schedule import DatedSection, Schedule
from core.domain.sealed_item import Vote
from core.domain.thread import Thread
from core.domain.timer import Timer
from core.ports.turn_record import BegunTurn
from tests.adapters.persistence.shelves import Store, small_book
from tests.builders import a_prediction
from tests.stored import MODEL_ID

# Inbound events, secrets, suggestions for the next book and links between clubs belong to no book.
_APART = {
    "inbound_event", "proposal", "poll", "poll_vote", "left_server", "club_link", "club_offer", "secret", "gone_thread",
}  # fmt: skip
_READER = Author(member_id="local:1", display_name="Ann")


async def _fill(shelf: Store, texts: list[str], *, place: str) -> str:
    book = await shelf.add(texts)
    chunks = [chunk.chunk_id for chunk in await shelf.books.chunks(book.book_id)]
    await shelf.vectors.save(MODEL_ID, chunks, np.ones((len(chunks), 4), dtype=np.float32))
    await shelf.notes.begin(book.book_id, most_tokens=9)
    told = Note(page=1, text="Something is told.")
    await shelf.notes.keep(book.book_id, NoteBatch(first_page=1, last_page=2, notes=(told,)))
    reading = await shelf.readings.get_or_create(scope="local", place=place, book_id=book.book_id)
    thread = Thread(scope="local", place=place, thread="1")
    session_id = f"{thread.session}{reading.reading_id}"
    talk = await shelf.conversations.get_or_create(session_id=session_id, reading_id=reading.reading_id)
    await shelf.readings.move(talk, 1, member_id="local:1")
    await shelf.clubs.set_answer_in(talk.conversation_id, "local:1", AnswerIn.HERE)
    now = datetime.now(UTC)
    due = Timer(kind="k", name="n", thread=thread, due=now, late=timedelta(0), reading_id=reading.reading_id)
    await shelf.timers.keep(due)
    await _live(shelf, reading.reading_id)
    asked = IncomingMessage(thread=thread, author=_READER, text="who?", book_id=book.book_id, page=1)
    begun = await shelf.record.begin(asked, now=datetime.now(UTC), latest=9)
    assert isinstance(begun, BegunTurn)
    assert begun.conversation == talk
    assert begun.turn is not None
    await shelf.record.give_feedback(begun.turn.turn_id, 1, member_id="local:1")
    return book.book_id


async def _live(shelf: Store, reading_id: str) -> None:
    """Store one of everything that a club has besides its messages."""
    now = datetime.now(UTC)
    section = DatedSection(number=1, first_page=1, last_page=2, day=now.date())
    schedule = Schedule(at=now.time(), zone="UTC", weeks=1, sections=(section,))
    await shelf.kept_schedules.keep(reading_id, schedule)
    await shelf.places.set_member_position(reading_id, "local:1", 1)
    await shelf.aliases.put(reading_id, Alias(name="I", stands_for="Ann", page=1))
    written = ClubText(kind=TextKind.RECAP, first_page=1, last_page=1, text="Somebody asks.")
    await shelf.texts.keep(reading_id, [written])
    kept = await shelf.sealed_items.keep(a_prediction(reading_id))
    await shelf.sealed_items.vote(kept.keepsake_id, "local:1", Vote.RIGHT)
    await shelf.club_record.rate(reading_id, "local:1", stars=4)
    later = LaterQuestion(reading_id=reading_id, member_id="local:1", text="Why?", asked_page=1, told_page=1)
    await shelf.later.keep(later, most=1)


async def _rows(shelf: Store) -> dict[str, int]:
    def work(session: Session) -> dict[str, int]:
        return {
            name: session.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one()  # noqa: S608 (a table's name)
            for name in SQLModel.metadata.tables
        }

    return await shelf.database.read(work)


async def test_removing_a_book_removes_its_data_and_nothing_else(shelf: Store) -> None:
    await _fill(shelf, ["page one", "page two"], place="kept")
    before = await _rows(shelf)
    doomed = await _fill(shelf, ["other one", "other two", "other three"], place="gone")
    assert not [name for name, count in (await _rows(shelf)).items() if name not in _APART and count <= before[name]]
    await shelf.books.remove(doomed)
    after = await _rows(shelf)
    assert after.pop("club") == before.pop("club") + 1  # a club outlives its books
    assert after == before
    with pytest.raises(BookError) as gone:
        await shelf.books.get(doomed)
    assert gone.value.code is BookErrorCode.NOT_FOUND


async def test_a_book_that_cannot_be_stored_whole_is_not_stored(shelf: Store) -> None:
    before = await _rows(shelf)
    twice = [Chunk(number=1, start_page=1, end_page=1, text="a")] * 2
    with pytest.raises(UnstorableError) as refused:
        await shelf.books.add(scope="local", content_hash="x", text=small_book(["a"]), chunks=twice)
    assert "\n" not in str(refused.value)
    assert await _rows(shelf) == before


async def test_a_lone_surrogate_is_refused_in_one_sentence_and_nothing_is_stored(shelf: Store) -> None:
    before = await _rows(shelf)
    chunks = [Chunk(number=1, start_page=1, end_page=1, text="a")]
    with pytest.raises(UnstorableError) as refused:
        await shelf.books.add(scope="local", content_hash="x", text=small_book(["half \ud800"]), chunks=chunks)
    assert "\n" not in str(refused.value)
    assert await _rows(shelf) == before
