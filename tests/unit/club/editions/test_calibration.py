"""The last words read, found in a book, and how much of what is found may be shown."""

import pytest

from core.club.editions.calibration import Calibration
from core.domain.book import Book
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
