"""A thread has one conversation about each book that its club reads."""

import asyncio

import pytest

from core.answering.threads import ThreadService
from core.domain.reading import Reading
from core.domain.thread import Thread
from tests.builders import a_book_text
from tests.fakes.books import InMemoryBookRepository
from tests.fakes.clubs import InMemoryClubRepository
from tests.fakes.readings import InMemoryReadingRepository
from tests.fakes.threads import InMemoryThreadRepository
from tests.unit.world import OTHER_THREAD, THREAD, World


async def test_a_thread_about_a_book_is_one_conversation(world: World) -> None:
    book = await world.add_book()
    first = await world.threads.open(THREAD, book_id=book.book_id)
    assert await world.threads.open(THREAD, book_id=book.book_id) == first
    assert await world.threads.current(THREAD) == first
    assert first.book_id == book.book_id


@pytest.mark.parametrize(
    "other",
    [
        OTHER_THREAD,
        Thread(scope=THREAD.scope, place="elsewhere", thread=THREAD.thread),
        Thread(scope="slack:1", place=THREAD.place, thread=THREAD.thread),
    ],
)
async def test_another_thread_club_or_scope_is_another_conversation(world: World, other: Thread) -> None:
    book = await world.add_book()
    here = await world.threads.open(THREAD, book_id=book.book_id)
    there = await world.threads.open(other, book_id=book.book_id)
    assert here.conversation_id != there.conversation_id
    assert (here.reading_id == there.reading_id) is (other == OTHER_THREAD)


@pytest.mark.parametrize("scope", ["local", "discord:dm:7", "slack:dm:T1:U1"])
async def test_who_is_alone_and_changes_the_book_gets_a_second_one_and_comes_back(world: World, scope: str) -> None:
    thread = Thread(scope=scope, place="dm", thread="dm")
    one = await world.add_book(scope=scope)
    two = await world.add_book(a_book_text(["A start."], title="Another"), scope=scope)
    first = await world.threads.open(thread, book_id=one.book_id)
    second = await world.threads.open(thread, book_id=two.book_id)
    assert first.conversation_id != second.conversation_id
    assert await world.threads.current(thread) == second
    assert await world.threads.open(thread, book_id=one.book_id) == first


async def test_a_thread_of_a_club_keeps_its_book_for_good(world: World) -> None:
    one = await world.add_book()
    two = await world.add_book(a_book_text(["A start."], title="Another"))
    first = await world.threads.open(THREAD, book_id=one.book_id)
    await world.threads.use(THREAD, book_id=two.book_id)
    assert await world.threads.current(THREAD) == first
    newer = await world.threads.current(OTHER_THREAD)
    assert newer is not None
    assert newer.book_id == two.book_id


async def test_a_club_that_reads_nothing_has_no_conversation(world: World) -> None:
    assert await world.threads.current(THREAD) is None
    assert await world.threads.reading(THREAD) is None


class _SlowReadingRepository(InMemoryReadingRepository):
    """Answers what a club reads, but only once the test lets it."""

    def __init__(self, books: InMemoryBookRepository) -> None:
        super().__init__(books)
        self.looked = asyncio.Event()
        self.released = asyncio.Event()

    async def current(self, *, scope: str, place: str, session_of: str = "") -> Reading | None:
        found = await super().current(scope=scope, place=place, session_of=session_of)
        self.looked.set()
        await self.released.wait()
        return found


async def test_a_message_that_comes_while_the_book_is_changed_does_not_change_it_back(world: World) -> None:
    one = await world.add_book()
    two = await world.add_book(a_book_text(["A start."], title="Another"))
    readings = _SlowReadingRepository(world.books)
    world.conversations = type(world.conversations)(readings)
    states = InMemoryThreadRepository(
        readings=readings, conversations=world.conversations, clubs=InMemoryClubRepository(readings)
    )
    threads = ThreadService(readings=readings, conversations=world.conversations, threads=states)
    await threads.open(THREAD, book_id=one.book_id)
    message = asyncio.create_task(threads.current(THREAD))
    await readings.looked.wait()
    await threads.open(THREAD, book_id=two.book_id)
    readings.released.set()
    await message
    current = await readings.current(scope=THREAD.scope, place=THREAD.place)
    assert current is not None
    assert current.book_id == two.book_id
