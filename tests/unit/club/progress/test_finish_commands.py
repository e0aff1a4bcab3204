"""The end of a book: in sums, rated by nobody in particular, and offered at the end alone."""

from datetime import timedelta

import pytest

from core.domain.errors import NotPermittedError, PositionError
from tests.builders import ADA, BO
from tests.fakes.clock import FrozenClock
from tests.unit.club_house import House

_CY = type(ADA)(member_id="m_cy", display_name="Cy")


async def _house(position: int = 6, *, clock: FrozenClock | None = None) -> House:
    house = House(clock=clock)
    await house.reading(position=position)
    return house


async def test_a_club_looks_back(row_clock: FrozenClock) -> None:
    house = await _house(clock=row_clock)
    await house.use("quote", "Tobias hid the ledger under the")
    house.clock.advance(timedelta(days=35))
    ended = await house.use("finish", organiser=True)
    assert "**You have finished *The Marrow Light***: 5 weeks, 0 questions, 1 quote." in ended.announcement
    assert [choice.label for choice in ended.choices][:5] == ["★", "★★", "★★★", "★★★★", "★★★★★"]


async def test_it_is_offered_where_a_club_comes_to_the_end() -> None:
    house = await _house(4)
    before = await house.moved("5")
    assert "end of the book" not in before.announcement
    at_end = await house.moved("6")
    assert at_end.announcement.endswith("That's the end of the book. An organiser can look back on it for all of you.")
    (choice,) = [each for each in at_end.choices if each.label == "Look back"]
    assert "You have finished" in (await house.press(choice, organiser=True)).announcement
    with pytest.raises(NotPermittedError):
        await house.press(choice, by=BO)


async def test_an_average_tells_of_nobody() -> None:
    house = await _house()
    ended = await house.use("finish", organiser=True)
    assert (await house.press(ended.choices[4])).text == "Thank you: ★★★★★."
    assert (await house.press(ended.choices[1], by=BO)).text == "Thank you: ★★."
    third = await house.press(ended.choices[1], by=_CY)
    assert third.text == "Thank you: ★★. So far: 3.0 of 5 stars, 3 votes."
    assert third.announcement == ""
    assert "So far: 3.0 of 5" in (await house.use("statistics", organiser=True)).text


async def test_who_has_finished_moves_alone() -> None:
    house = await _house()
    ended = await house.use("finish", organiser=True)
    await house.use("mypage", "2", by=BO)
    assert "end" in (await house.press(ended.choices[5], by=BO)).text
    assert "up to p. 6" in (await house.use("mypage", "+0", by=BO)).text
    assert (await house.press(ended.choices[7])).text.startswith("Thank you")


async def test_it_is_offered_at_the_end_and_by_organisers_alone() -> None:
    with pytest.raises(PositionError, match="`/setpage end`"):
        await (await _house(5)).use("finish", organiser=True)
    with pytest.raises(NotPermittedError):
        await (await _house()).use("finish")
