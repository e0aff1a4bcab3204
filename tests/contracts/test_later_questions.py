"""What every LaterQuestions does."""

import pytest

from core.domain.edition import PlaceMap
from core.domain.errors import BookError
from core.domain.later import LaterQuestion
from core.ports.later_questions import LaterQuestions
from tests.builders import a_book_text
from tests.contracts.stores import Stores


@pytest.fixture
def later(stores: Stores) -> LaterQuestions:
    return stores.later


def _question(reading_id: str, text: str = "Why?", *, member_id: str = "ada") -> LaterQuestion:
    return LaterQuestion(reading_id=reading_id, member_id=member_id, text=text, asked_page=2, told_page=3)


async def _texts(later: LaterQuestions, reading_id: str) -> list[tuple[str, str]]:
    return [(each.member_id, each.text) for each in await later.of_reading(reading_id)]


async def test_a_member_keeps_so_many_and_the_same_one_once(stores: Stores, later: LaterQuestions) -> None:
    reading_id = (await stores.conversation()).reading_id
    assert await later.keep(_question(reading_id, "One?"), most=2)
    assert await later.keep(_question(reading_id, "Two? Ä “x”"), most=2)
    assert not await later.keep(_question(reading_id, "Three?"), most=2)
    assert await later.keep(_question(reading_id, "One?"), most=2)
    assert await later.keep(_question(reading_id, "One?", member_id="ben"), most=2)
    assert await _texts(later, reading_id) == [("ada", "One?"), ("ada", "Two? Ä “x”"), ("ben", "One?")]


async def test_who_is_forgotten_keeps_none_and_a_reading_that_is_gone_takes_none(
    stores: Stores, later: LaterQuestions
) -> None:
    reading_id = (await stores.conversation()).reading_id
    for member_id in ("ada", "ben"):
        await later.keep(_question(reading_id, member_id=member_id), most=9)
    await stores.clubs.forget_member(scope="local", member_id="ada")
    assert await _texts(later, reading_id) == [("ben", "Why?")]
    with pytest.raises(BookError):
        await later.keep(_question("r_none"), most=9)


async def test_in_another_import_it_comes_back_no_earlier(stores: Stores, later: LaterQuestions) -> None:
    old = await stores.add_book()
    reading_id = (await stores.conversation(book=old)).reading_id
    await later.keep(_question(reading_id), most=9)
    new = await stores.add_book(a_book_text(["a"] * 12, title="Twelve"))
    places = PlaceMap(
        pages_down=(0, 2, 4, 6, 8, 10, 12), pages_up=(0, 3, 5, 7, 9, 11, 12), offset=lambda offset: offset
    )
    assert await stores.books.succeed(old.book_id, new.book_id, places)
    (kept,) = await later.of_reading(reading_id)
    assert (kept.asked_page, kept.told_page) == (4, 7)
