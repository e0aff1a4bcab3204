"""A thread has one conversation about each book that its club reads."""

import pytest

from core.domain.thread import Thread
from tests.builders import a_book_text
from tests.unit.world import World


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
