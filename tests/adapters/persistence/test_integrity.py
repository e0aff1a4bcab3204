"""What hangs on a book goes with it, ids are never used twice, and a text is stored whole or not at all."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from sqlalchemy import text
from sqlmodel import Session, SQLModel

from adapters.persistence.aliases import SqlAliasRepository
from adapters.persistence.club_record import SqlClubRecord
from adapters.persistence.club_texts import SqlClubTexts
from adapters.persistence.later_questions import SqlLaterQuestions
from adapters.persistence.schedules import SqlScheduleRepository
from adapters.persistence.sealed_items import SqlSealedItemRepository
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
from tests.adapters.persistence.shelves import MODEL, Store, small_book
from tests.builders import a_prediction

# An inbound event and a secret hang on no book, and what a club reads next, and with whom, on none that it has read.
_APART = {
    "inbound_event", "proposal", "poll", "poll_vote", "left_server", "club_link", "club_offer", "secret", "gone_thread",
}  # fmt: skip
_READER = Author(member_id="local:1", display_name="Ann")


async def _fill(shelf: Store, texts: list[str], *, place: str) -> str:
    book = await shelf.add(texts)
    chunks = [chunk.chunk_id for chunk in await shelf.books.chunks(book.book_id)]
    await shelf.vectors.save(MODEL, chunks, np.ones((len(chunks), 4), dtype=np.float32))
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
    """Keep one of everything that a club keeps beside its talk."""
    now = datetime.now(UTC)
    section = DatedSection(number=1, first_page=1, last_page=2, day=now.date())
    schedule = Schedule(at=now.time(), zone="UTC", weeks=1, sections=(section,))
    await SqlScheduleRepository(shelf.database).keep(reading_id, schedule)
    await shelf.clubs.set_member_position(reading_id, "local:1", 1)
    await SqlAliasRepository(shelf.database).put(reading_id, Alias(name="I", stands_for="Ann", page=1))
    written = ClubText(kind=TextKind.RECAP, first_page=1, last_page=1, text="Somebody asks.")
    await SqlClubTexts(shelf.database).keep(reading_id, [written])
    sealed_items = SqlSealedItemRepository(shelf.database)
    kept = await sealed_items.keep(a_prediction(reading_id))
    await sealed_items.vote(kept.keepsake_id, "local:1", Vote.RIGHT)
    await SqlClubRecord(shelf.database).rate(reading_id, "local:1", stars=4)
    later = LaterQuestion(reading_id=reading_id, member_id="local:1", text="Why?", asked_page=1, told_page=1)
    await SqlLaterQuestions(shelf.database).keep(later, most=1)


async def _rows(shelf: Store) -> dict[str, int]:
    def work(session: Session) -> dict[str, int]:
        return {
            name: session.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one()  # noqa: S608 (a table's name)
            for name in SQLModel.metadata.tables
        }

    return await shelf.database.read(work)


async def test_removing_a_book_removes_all_that_hangs_on_it_and_nothing_else(shelf: Store) -> None:
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


async def test_chunk_ids_are_never_used_twice(shelf: Store) -> None:
    used: set[int] = set()
    for _ in range(3):
        book = await shelf.add(["one", "two", "three"])
        ids = {chunk.chunk_id for chunk in await shelf.books.chunks(book.book_id)}
        assert len(ids) == 3
        assert not ids & used
        used |= ids
        await shelf.books.remove(book.book_id)


async def test_a_book_that_cannot_be_stored_whole_is_not_stored(shelf: Store) -> None:
    before = await _rows(shelf)
    twice = [Chunk(number=1, start_page=1, end_page=1, text="a")] * 2
    with pytest.raises(UnstorableError) as refused:
        await shelf.books.add(scope="local", content_hash="x", text=small_book(["a"]), chunks=twice)
    assert "\n" not in str(refused.value)
    assert await _rows(shelf) == before


async def test_half_a_character_is_refused_in_one_sentence_and_nothing_is_stored(shelf: Store) -> None:
    before = await _rows(shelf)
    chunks = [Chunk(number=1, start_page=1, end_page=1, text="a")]
    with pytest.raises(UnstorableError) as refused:
        await shelf.books.add(scope="local", content_hash="x", text=small_book(["half \ud800"]), chunks=chunks)
    assert "\n" not in str(refused.value)
    assert await _rows(shelf) == before


async def test_the_same_text_twice_is_one_book_in_a_scope_and_two_in_two(shelf: Store) -> None:
    first = await shelf.add(["same"], title="First")
    assert await shelf.add(["same"], title="Second") == first
    other = await shelf.add(["same"], scope="discord:1")
    assert other.book_id != first.book_id
    assert [book.book_id for book in await shelf.books.in_scope(scope="local")] == [first.book_id]


async def test_the_words_of_a_page_come_back_as_they_were(shelf: Store) -> None:
    odd = "line one\r\nline two\t\u2028 夜 🎉 e\u0301 'quote' \"q\"; -- \x01"
    book = await shelf.add([odd, ""])
    (chunk,) = await shelf.books.chunks(book.book_id)
    assert chunk.text == odd.strip()


@pytest.mark.parametrize("name", ["'; DROP TABLE book; --", "%", "_", "*", "", " ", "\x00", "sm%l", "b_"])
async def test_a_name_is_never_a_pattern(shelf: Store, name: str) -> None:
    book = await shelf.add(["one"], title="Small")
    with pytest.raises(BookError) as refused:
        await shelf.books.find(scope="local", name=name)
    assert refused.value.code is BookErrorCode.NOT_FOUND
    assert (await shelf.books.get(book.book_id)).title == "Small"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("emma", "Emma"),
        ("EMMA", "Emma"),
        (" Emma ", "Emma"),
        ("emma w", "Emma Woodhouse"),
        ("Ä", "Ärger"),
        ("ä", "Ärger"),
    ],
)
async def test_a_whole_title_wins_over_a_beginning_whatever_the_case(shelf: Store, name: str, title: str) -> None:
    for each in ("Emma", "Emma Woodhouse", "Ärger"):
        await shelf.add([each], title=each)
    assert (await shelf.books.find(scope="local", name=name)).title == title


async def test_an_ambiguous_name_lists_what_fits_and_a_book_of_another_scope_is_unknown(shelf: Store) -> None:
    first, second = [await shelf.add([each], title=f"Emma {each}") for each in ("one", "two")]
    with pytest.raises(BookError) as refused:
        await shelf.books.find(scope="local", name="em")
    assert refused.value.code is BookErrorCode.AMBIGUOUS
    assert first.book_id in str(refused.value)
    assert second.book_id in str(refused.value)
    with pytest.raises(BookError) as unknown:
        await shelf.books.find(scope="discord:1", name=first.book_id)
    assert unknown.value.code is BookErrorCode.NOT_FOUND


async def test_the_status_follows_the_vectors(shelf: Store) -> None:
    book = await shelf.add(["one", "two"])
    assert (await shelf.books.get(book.book_id)).status == "searchable"
    missing = await shelf.vectors.missing(book.book_id, MODEL, limit=10)
    assert [words for _, words in missing] == ["one", "two"]
    await shelf.vectors.save(MODEL, [missing[0][0]], np.ones((1, 4), dtype=np.float32))
    assert (await shelf.books.get(book.book_id)).status == "searchable"
    await shelf.vectors.save(MODEL, [number for number, _ in missing], np.ones((2, 4), dtype=np.float32))
    assert (await shelf.books.get(book.book_id)).status == "complete"
    assert await shelf.vectors.count(book.book_id, "another model") == 0


async def test_vectors_of_chunks_that_have_gone_are_dropped(shelf: Store) -> None:
    book = await shelf.add(["one"])
    ((chunk_id, _),) = await shelf.vectors.missing(book.book_id, MODEL, limit=10)
    await shelf.books.remove(book.book_id)
    await shelf.vectors.save(MODEL, [chunk_id], np.ones((1, 4), dtype=np.float32))
    assert (await _rows(shelf))["chunk_vector"] == 0


async def test_vectors_come_back_bit_for_bit_in_the_order_of_the_book(shelf: Store) -> None:
    book = await shelf.add(["one", "two", "three"])
    ids = [chunk.chunk_id for chunk in await shelf.books.chunks(book.book_id)]
    vectors = np.random.default_rng(1).normal(size=(3, 4)).astype(np.float32)
    await shelf.vectors.save(MODEL, ids[::-1], vectors[::-1])
    loaded = await shelf.vectors.load(book.book_id, MODEL, dimensions=4)
    assert loaded.chunk_ids.tolist() == ids
    assert loaded.end_pages.tolist() == [1, 2, 3]
    assert np.array_equal(loaded.vectors, vectors)
