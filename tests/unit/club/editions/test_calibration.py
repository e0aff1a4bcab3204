"""The last words read, found in a book, and how much of what is found may be shown."""

import pytest

from core.club.editions.calibration import Calibration
from core.domain.book import Book
from core.domain.errors import PositionError
from tests.builders import STORY, a_book_text
from tests.unit.world import World

_REFRAIN = [f"{text} The bell rang over the empty quay." for text in STORY]


async def _book(world: World, pages: list[str] | None = None) -> Book:
    return await world.add_book(a_book_text(pages or list(STORY)))


async def test_words_at_the_end_of_a_page_mean_that_it_is_read(world: World) -> None:
    book = await _book(world)
    (found,) = await Calibration(books=world.books).find(book.book_id, "only the window stood open", position=None)
    assert (found.page, found.position, found.excerpt) == (4, 4, "")
    assert found.offset == (await world.books.outline(book.book_id)).end_of(4)


async def test_words_within_a_page_mean_that_the_page_before_is_read(world: World) -> None:
    book = await _book(world)
    (found,) = await Calibration(books=world.books).find(book.book_id, "was stolen in the night", position=3)
    assert (found.page, found.position) == (4, 3)
    assert found.excerpt == (
        "for the harbour ledger. Tobias hid the ledger under the coal. The compass was stolen in the night"
    )


@pytest.mark.parametrize(("position", "shown"), [(None, 2), (0, 2), (1, 3), (4, 6), (6, 6)])
async def test_places_further_ahead_than_two_pages_are_not_found_unless_no_page_is_set(
    world: World, position: int | None, shown: int
) -> None:
    book = await _book(world, _REFRAIN)
    found = await Calibration(books=world.books).find(
        book.book_id, "the bell rang over the empty quay", position=position
    )
    assert [one.page for one in found] == list(range(1, (6 if position is None else shown) + 1))
    assert [one.page for one in found if one.excerpt] == list(range(1, shown + 1))
    assert all(one.excerpt.endswith("The bell rang over the empty quay") for one in found if one.excerpt)
    assert not any("magistrate" in one.excerpt for one in found[:4])


@pytest.mark.parametrize("words", ["", "the window", "?", "夜明け"])
async def test_too_few_words_are_asked_for_again(world: World, words: str) -> None:
    book = await _book(world)
    with pytest.raises(PositionError, match="few more of the last words"):
        await Calibration(books=world.books).find(book.book_id, words, position=1)


async def test_words_that_stand_nowhere_are_refused(world: World) -> None:
    book = await _book(world)
    with pytest.raises(PositionError, match="don't find these words"):
        await Calibration(books=world.books).find(book.book_id, "the butler did it all alone", position=1)


async def test_each_of_many_books_is_looked_up_in_its_own_text(world: World) -> None:
    calibration = Calibration(books=world.books)
    for title in ("One", "Two", "Three", "Four", "Five", "Six"):
        book = await world.add_book(a_book_text([f"The bell of {title} rang over the quay.", "End."], title=title))
        (found,) = await calibration.find(book.book_id, f"the bell of {title} rang over the quay", position=0)
        assert found.page == 1
