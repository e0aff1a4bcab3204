"""What every OwnMarks does."""

from datetime import UTC, datetime, timedelta

import pytest

from core.ports.bookmarks import Bookmarks
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def marks(stores: Stores) -> Bookmarks:
    return stores.marks


def _soon() -> datetime:
    return datetime.now(UTC) + timedelta(days=1)


async def test_a_recap_is_kept_for_one_member_in_one_reading(stores: Stores, marks: Bookmarks) -> None:
    reading_id = (await stores.conversation()).reading_id
    other = (await stores.conversation("s2", book=await stores.add_book(a_book_text(title="Other")))).reading_id
    assert await marks.recapped(reading_id, "ada") is None
    await marks.set_recapped(reading_id, "ada", 4)
    await marks.set_recapped(reading_id, "ada", 2)
    assert await marks.recapped(reading_id, "ada") == 2
    assert await marks.recapped(reading_id, "ben") is None
    assert await marks.recapped(other, "ada") is None
    assert await stores.clubs.member_position(reading_id, "ada") is None


async def test_moves_for_all_are_kept_but_for_those_taken_back(stores: Stores, marks: Bookmarks) -> None:
    conversation = await stores.conversation()
    reading_id = conversation.reading_id
    await stores.places.set_reading_position(reading_id, position=2, member_id="ada")
    await stores.places.set_thread_position(conversation.conversation_id, position=4, has_own=True, member_id="ada")
    moved = await stores.places.set_reading_position(reading_id, position=6, member_id="ben")
    await stores.places.undo_reading(reading_id, change_id=moved.change_id)
    assert [each.page for each in await marks.pages_moved(reading_id, since=_LONG_AGO)] == [2, 4]
    assert [each.page for each in await marks.pages_moved(reading_id, since=_soon())] == [4]
    assert await marks.pages_said(reading_id, "ada", since=_LONG_AGO) == []


async def test_who_is_forgotten_leaves_no_marks(stores: Stores, marks: Bookmarks) -> None:
    reading_id = (await stores.conversation()).reading_id
    for member_id in ("ada", "ben"):
        await stores.places.set_member_position(reading_id, member_id, 3)
        await marks.set_recapped(reading_id, member_id, 3)
    await stores.clubs.forget_member(scope="local", member_id="ada")
    assert await marks.recapped(reading_id, "ada") is None
    assert await marks.pages_said(reading_id, "ada", since=_LONG_AGO) == []
    assert await marks.recapped(reading_id, "ben") == 3
    assert len(await marks.pages_said(reading_id, "ben", since=_LONG_AGO)) == 1
