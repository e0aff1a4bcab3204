"""What every ReadingRepository does."""

import pytest

from core.domain.edition import Edition, KnownPoint
from core.domain.position import Position
from core.domain.reading import PositionChange
from core.ports.readings import ReadingRepository
from tests.contracts.stores import Stores


@pytest.fixture
def readings(stores: Stores) -> ReadingRepository:
    return stores.readings


async def _stands(stores: Stores, conversation_id: str) -> tuple[Position, bool]:
    standing = await stores.places.standing(conversation_id)
    return standing.thread_position, standing.thread_has_own


async def test_a_club_reads_a_book_once_and_clubs_and_scopes_apart(stores: Stores) -> None:
    book = await stores.add_book()
    places = [("local", "club"), ("local", "club"), ("local", "other"), ("discord:1", "club")]
    made = [
        await stores.readings.get_or_create(scope=scope, place=place, book_id=book.book_id) for scope, place in places
    ]
    assert made[0] == made[1]
    assert len({reading.reading_id for reading in made}) == len({reading.club_id for reading in made}) == 3


async def test_undo_takes_back_move_after_move_and_then_has_nothing(stores: Stores) -> None:
    thread = (await stores.conversation()).conversation_id
    for position, has_own in ((2, True), (5, True), (None, False)):
        await stores.places.set_thread_position(thread, position=position, has_own=has_own, member_id="m")
    undone = await stores.places.undo(thread)
    assert undone == PositionChange(from_position=None, to_position=5, from_has_own=False, to_has_own=True)
    assert await _stands(stores, thread) == (5, True)
    await stores.places.undo(thread)
    assert await _stands(stores, thread) == (2, True)
    await stores.places.undo(thread)
    assert await _stands(stores, thread) == (None, False)
    assert await stores.places.undo(thread) is None
    assert await _stands(stores, thread) == (None, False)


async def test_threads_of_a_reading_stand_and_undo_apart(stores: Stores) -> None:
    book = await stores.add_book()
    one, two = [(await stores.conversation(session, book=book)).conversation_id for session in ("s1", "s2")]
    await stores.places.set_thread_position(one, position=3, has_own=True, member_id="m")
    assert await stores.places.undo(two) is None
    assert (await _stands(stores, one), await _stands(stores, two)) == ((3, True), (None, False))


@pytest.mark.parametrize(
    "edition",
    [
        Edition(),
        Edition(last_page=312),
        Edition(
            first_page=7, last_page=312, points=(KnownPoint(page=81, offset=4_000), KnownPoint(page=90, offset=5_000))
        ),
    ],
)
async def test_copies_of_members_and_of_the_reading_are_kept_apart(stores: Stores, edition: Edition) -> None:
    reading_id = (await stores.conversation()).reading_id
    club = Edition(last_page=99)
    await stores.readings.set_edition(reading_id, edition, member_id="m")
    await stores.readings.set_edition(reading_id, club)
    assert await stores.places.edition(reading_id, "m") == edition
    assert await stores.places.edition(reading_id) == club
    assert await stores.places.edition(reading_id, "other") is None
    await stores.readings.set_edition(reading_id, None, member_id="m")
    assert await stores.places.edition(reading_id, "m") is None
    assert await stores.places.edition(reading_id) == club


async def test_a_member_who_is_forgotten_has_no_copy_any_more(stores: Stores) -> None:
    reading_id = (await stores.conversation()).reading_id
    for member_id in ("m", "other"):
        await stores.readings.set_edition(reading_id, Edition(last_page=312), member_id=member_id)
    await stores.clubs.forget_member(scope="local", member_id="m")
    assert await stores.places.edition(reading_id, "m") is None
    assert await stores.places.edition(reading_id, "other") == Edition(last_page=312)
