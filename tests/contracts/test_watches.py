"""What every Watches does."""

from datetime import UTC, datetime, timedelta

import pytest

from core.ports.watches import Watches
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)
_DAY = timedelta(days=1)


@pytest.fixture
def watches(stores: Stores) -> Watches:
    return stores.watches


async def test_a_member_is_nudged_once_a_day_in_a_scope(stores: Stores, watches: Watches) -> None:
    reading_id = (await stores.conversation()).reading_id
    other_book = await stores.add_book(a_book_text(title="Other"))
    other = await stores.readings.get_or_create(scope="local", place="other club", book_id=other_book.book_id)
    for each in (reading_id, other.reading_id):
        await stores.places.set_member_position(each, "ada", 4)
        await stores.places.set_member_position(each, "ben", 4)

    async def taken(where: str, who: str, at: datetime) -> bool:
        return await watches.take_turn(where, who, now=at, since=at - _DAY)

    assert await taken(reading_id, "ada", _NOW)
    assert not await taken(reading_id, "ada", _NOW + timedelta(minutes=1))
    assert not await taken(other.reading_id, "ada", _NOW + timedelta(hours=23))
    assert await taken(reading_id, "ben", _NOW)
    assert await taken(other.reading_id, "ada", _NOW + _DAY)
    assert not await taken(reading_id, "ada", _NOW + _DAY + timedelta(hours=1))


async def test_who_is_forgotten_leaves_no_trace_of_it(stores: Stores, watches: Watches) -> None:
    reading_id = (await stores.conversation()).reading_id
    await stores.places.set_member_position(reading_id, "ada", 4)
    assert await watches.take_turn(reading_id, "ada", now=_NOW, since=_NOW - _DAY)
    await stores.clubs.forget_member(scope="local", member_id="ada")
    await stores.places.set_member_position(reading_id, "ada", 4)
    assert await watches.take_turn(reading_id, "ada", now=_NOW, since=_NOW - _DAY)
