"""What every Watches does."""

from datetime import UTC, datetime, timedelta

import pytest

from core.domain.conversation import Conversation
from core.ports.watches import Watches
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)
_DAY = timedelta(days=1)


@pytest.fixture
def watches(stores: Stores) -> Watches:
    return stores.watches


async def _is_watched(stores: Stores, conversation: Conversation) -> bool:
    session_of = conversation.session_id.removesuffix(conversation.reading_id)
    state = await stores.thread_states.current(scope="local", place="club", session_of=session_of)
    assert state is not None
    return state.is_watched


async def _thread(stores: Stores) -> Conversation:
    reading = await stores.readings.get_or_create(
        scope="local", place="club", book_id=(await stores.add_book()).book_id
    )
    session_id = f"local:club:one/{reading.reading_id}"
    return await stores.conversations.get_or_create(session_id=session_id, reading_id=reading.reading_id)


async def test_a_club_is_watched_from_when_it_is_switched_on_until_it_is_off(stores: Stores, watches: Watches) -> None:
    conversation = await _thread(stores)
    club_id = (await stores.readings.get(conversation.reading_id)).club_id
    assert not await watches.is_on("no such club")
    for on in (False, True, False):
        await watches.set_on(club_id, on=on)
        assert await watches.is_on(club_id) is on
        assert await _is_watched(stores, conversation) is on


async def test_a_member_is_nudged_once_a_day_in_a_scope(stores: Stores, watches: Watches) -> None:
    reading_id = (await stores.conversation()).reading_id
    other_book = await stores.add_book(a_book_text(title="Other"))
    other = await stores.readings.get_or_create(scope="local", place="other club", book_id=other_book.book_id)
    for each in (reading_id, other.reading_id):
        await stores.clubs.set_member_position(each, "ada", 4)
        await stores.clubs.set_member_position(each, "ben", 4)

    async def taken(where: str, who: str, at: datetime) -> bool:
        return await watches.take_turn(where, who, now=at, since=at - _DAY)

    assert await taken(reading_id, "ada", _NOW)
    assert not await taken(reading_id, "ada", _NOW + timedelta(minutes=1))
    assert not await taken(other.reading_id, "ada", _NOW + timedelta(hours=23))
    assert await taken(reading_id, "ben", _NOW)
    assert await taken(other.reading_id, "ada", _NOW + _DAY)
    assert not await taken(reading_id, "ada", _NOW + _DAY + timedelta(hours=1))


async def test_who_has_said_no_page_is_never_nudged(stores: Stores, watches: Watches) -> None:
    reading_id = (await stores.conversation()).reading_id
    assert not await watches.take_turn(reading_id, "ada", now=_NOW, since=_NOW - _DAY)


async def test_who_is_forgotten_leaves_no_trace_of_it(stores: Stores, watches: Watches) -> None:
    reading_id = (await stores.conversation()).reading_id
    await stores.clubs.set_member_position(reading_id, "ada", 4)
    assert await watches.take_turn(reading_id, "ada", now=_NOW, since=_NOW - _DAY)
    await stores.clubs.forget_member(scope="local", member_id="ada")
    await stores.clubs.set_member_position(reading_id, "ada", 4)
    assert await watches.take_turn(reading_id, "ada", now=_NOW, since=_NOW - _DAY)
