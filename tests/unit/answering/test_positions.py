"""Where a thread stands: set, confirmed, taken back, given back to the reading."""

from datetime import timedelta

import pytest

from core.answering.positions import PositionMoved
from core.domain.book import Chapter
from core.domain.conversation import Conversation
from core.domain.errors import BookError, PositionError
from core.domain.position import NeedsConfirmation, Pace, Position
from tests.builders import ADA, BO, a_book_text
from tests.unit.world import THREAD, World

_CHAPTERS = [
    Chapter(number=7, title="Chapter 7: The Glove", first_page=61, last_page=70),
    Chapter(number=8, title="Chapter 8: The Chapel", first_page=71, last_page=200),
]


async def _club(world: World, *, position: Position = None) -> Conversation:
    """A thread on a book of 200 pages."""
    text = a_book_text([f"This is page {number}." for number in range(1, 201)], title="Long", chapters=_CHAPTERS)
    book = await world.add_book(text)
    conversation = await world.threads.open(THREAD, book_id=book.book_id)
    if position is not None:
        await world.stand(conversation, position)
    return conversation


async def _moved(world: World, conversation: Conversation, text: str, *, confirmed: bool = False) -> PositionMoved:
    moved = await world.positions.set(await world.club(conversation), text=text, member=ADA, confirmed=confirmed)
    assert isinstance(moved, PositionMoved)
    return moved


@pytest.mark.parametrize(
    ("text", "position"),
    [("120", 120), ("p. 120", 120), ("ch 7", 60), ("ch 7 done", 70), ("45%", 77), ("end", 200), ("0", 0)],
)
async def test_from_unset_every_form_is_set_at_once(world: World, text: str, position: int) -> None:
    conversation = await _club(world)
    moved = await _moved(world, conversation, text)
    assert (moved.from_position, moved.to_position) == (None, position)
    assert await world.page_of(conversation) == position


@pytest.mark.parametrize("text", ["201", "-1", "chapter ninety", "", "101%", "ch 99", "xii"])
async def test_a_refused_form_changes_nothing(world: World, text: str) -> None:
    conversation = await _club(world, position=100)
    with pytest.raises(PositionError):
        await world.positions.set(await world.club(conversation), text=text, member=ADA, confirmed=True)
    assert await world.page_of(conversation) == 100
    assert (await _moved(world, conversation, "undo")).to_position is None


async def test_undo_takes_moves_back_one_by_one_to_the_beginning(world: World) -> None:
    conversation = await _club(world)
    for text in ("10", "30", "20"):
        await _moved(world, conversation, text, confirmed=True)
    undone = [await _moved(world, conversation, "undo") for _ in range(3)]
    assert [(u.from_position, u.to_position) for u in undone] == [(20, 30), (30, 10), (10, None)]
    with pytest.raises(PositionError, match="no move to undo"):
        await world.positions.set(await world.club(conversation), text="undo", member=ADA)
    assert await world.page_of(conversation) is None


async def test_follow_gives_the_thread_back_to_the_reading_and_undo_takes_it_again(world: World) -> None:
    conversation = await _club(world, position=100)
    await world.move(conversation.reading_id, 90)
    assert (await _moved(world, conversation, "follow", confirmed=True)).to_position == 90
    await world.move(conversation.reading_id, 95)
    assert await world.page_of(conversation) == 95
    assert (await _moved(world, conversation, "undo")).to_position == 100


async def test_to_follow_a_reading_that_is_far_ahead_needs_a_confirmation(world: World) -> None:
    conversation = await _club(world, position=10)
    await world.move(conversation.reading_id, 190)
    answer = await world.positions.set(await world.club(conversation), text="follow", member=ADA)
    assert answer == NeedsConfirmation(from_page=10, to_page=190, pages=200)


async def test_reset_is_unset_even_where_the_reading_has_a_position(world: World) -> None:
    conversation = await _club(world, position=100)
    await world.move(conversation.reading_id, 90)
    moved = await _moved(world, conversation, "reset", confirmed=True)
    assert (moved.from_position, moved.to_position) == (100, None)
    assert await world.page_of(conversation) is None


@pytest.mark.parametrize(("days", "position"), [(0, 40), (14, 40), (15, 100)])
async def test_at_the_slowest_pace_the_thread_waits_for_who_spoke_of_late(
    world: World, days: int, position: int
) -> None:
    conversation = await _club(world, position=100)
    await world.move(conversation.reading_id, 100, pace=Pace.SLOWEST)
    await world.places.set_member_position(conversation.reading_id, BO.member_id, 40)
    await world.clubs.spoke(conversation.reading_id, BO.member_id, world.clock.now())
    world.clock.advance(timedelta(days=days))
    assert await world.page_of(conversation) == position


async def test_a_page_outside_the_book_is_refused(world: World) -> None:
    club = await world.club(await world.reading(position=None))
    with pytest.raises(BookError):
        await world.positions.move_member(club, 7, told_in=None)
