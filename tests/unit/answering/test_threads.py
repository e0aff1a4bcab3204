"""A thread has one conversation about each book that its club reads."""

import pytest

from core.domain.thread import Thread
from tests.builders import a_book_text
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
