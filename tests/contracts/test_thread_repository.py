"""What every ThreadRepository does."""

from datetime import UTC, datetime

import pytest

from core.domain.position import Pace, PageControl
from core.domain.reading import Listen, ListeningRule
from core.domain.thread import ThreadState
from core.ports.threads import ThreadRepository
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def threads(stores: Stores) -> ThreadRepository:
    return stores.thread_states


async def _open(stores: Stores, *, title: str = "A Book", place: str = "club") -> ThreadState | None:
    book = await stores.add_book(a_book_text(title=title))
    reading = await stores.readings.get_or_create(scope="local", place=place, book_id=book.book_id)
    await stores.conversations.get_or_create(session_id=f"x/{reading.reading_id}", reading_id=reading.reading_id)
    return await stores.thread_states.current(scope="local", place=place, session_of="x/")


async def test_a_state_is_what_the_other_stores_say(stores: Stores) -> None:
    first = await _open(stores)
    assert first is not None
    conversation, reading_id = first.conversation, first.conversation.reading_id
    await stores.places.set_reading_position(reading_id, position=3, member_id="ada")
    await stores.clubs.set_pace(reading_id, Pace.SLOWEST)
    await stores.clubs.set_page_control(reading_id, PageControl.ORGANISERS)
    await stores.clubs.set_listen(conversation.conversation_id, Listen.ALL)
    await stores.places.set_member_position(reading_id, "ada", 2)
    await stores.clubs.spoke(reading_id, "ada", _NOW)
    await stores.places.set_thread_position(conversation.conversation_id, position=4, has_own=True, member_id="ada")
    state = await stores.thread_states.current(scope="local", place="club", session_of="x/")
    assert state is not None
    assert state.conversation == await stores.conversations.get(conversation.conversation_id)
    assert state.standing == await stores.places.standing(conversation.conversation_id)
    assert state.hearing == ListeningRule(listen=Listen.ALL, said_here=True)
    assert state.standing.thread_position == 4
    assert state.standing.reading.current_page == 3
    assert [(m.member_id, m.position, m.last_spoke_at) for m in state.standing.members] == [("ada", 2, _NOW)]


_OF = "discord:1:club:t1/"


async def _in_thread(stores: Stores, title: str, *, opens: bool = True) -> str:
    """Let a club read a book, and talk about it in a thread; return the reading."""
    book = await stores.add_book(a_book_text(title=title), scope="discord:1")
    reading = await stores.readings.get_or_create(scope="discord:1", place="club", book_id=book.book_id)
    if opens:
        await stores.conversations.get_or_create(session_id=f"{_OF}{reading.reading_id}", reading_id=reading.reading_id)
    return reading.reading_id


async def _read_in(stores: Stores, session_of: str) -> str | None:
    reading = await stores.readings.current(scope="discord:1", place="club", session_of=session_of)
    return reading.reading_id if reading else None


async def test_a_thread_of_a_club_keeps_its_first_reading_for_good(stores: Stores) -> None:
    first, second = await _in_thread(stores, "First"), await _in_thread(stores, "Second", opens=False)
    state = await stores.thread_states.current(scope="discord:1", place="club", session_of=_OF)
    assert state is not None
    assert state.conversation.reading_id == first
    beside = (_OF, "discord:1:club:t1~ada/")
    others = ("", "discord:1:club:/", "discord:1:club:~ada/", "discord:1:club:t2/", "discord:1:club:t/")
    assert [await _read_in(stores, one) for one in (*beside, *others)] == [first] * 2 + [second] * 5


async def test_a_thread_whose_book_was_removed_is_about_no_other(stores: Stores) -> None:
    first = await stores.readings.get(await _in_thread(stores, "First"))
    second = await _in_thread(stores, "Second", opens=False)
    await stores.books.remove(first.book_id)
    assert await stores.readings.removed_title(scope="discord:1", place="club", session_of=_OF) == "First"
    assert [await _read_in(stores, one) for one in (_OF, "discord:1:club:t1~ada/", "discord:1:club:t2/")] == [
        None,
        None,
        second,
    ]
    assert await stores.thread_states.current(scope="discord:1", place="club", session_of=_OF) is None
    third = await _in_thread(stores, "Third", opens=False)
    assert [await _read_in(stores, one) for one in (_OF, "")] == [None, third]
