"""Where pages are left out of the story, quoting and calibrating go by the pages that the book has."""

from dataclasses import replace

import pytest

from core.club.editions.calibration import Calibration
from core.domain.book import OutsidePart, PartRole
from core.domain.errors import PositionError
from tests.builders import a_book_text
from tests.unit.club_house import House

_FRONT = tuple(f"A critic tells on page {number} what becomes of them all, at some length." for number in (1, 2, 3))
_STORY = (
    "Tarrowin came by sea with a green parrot in a cage. Nobody on the quay knew his name.",
    "Mirabel sold seven silent sailors to nobody at all. The harbour master wrote it down.",
    "Old Corrigan drowned the pilot for the sake of a ledger. The bell rang for no reason.",
)


async def _calibration(house: House) -> tuple[Calibration, str]:
    outside = (OutsidePart(role=PartRole.FRONT, title="Introduction", first_page=1, last_page=3, why="title"),)
    book = await house.add_book(replace(a_book_text((*_FRONT, *_STORY)), first_story_page=4, outside=outside))
    return Calibration(books=house.books), book.book_id


@pytest.mark.parametrize(
    ("words", "page"),
    [("came by sea with a green parrot in a cage", 4), ("sold seven silent sailors to nobody at all", 5)],
)
async def test_a_line_is_found_on_its_own_page_and_not_before(words: str, page: int) -> None:
    calibration, book_id = await _calibration(House())
    (found,) = await calibration.quotations(book_id, words, up_to=page)
    assert found.page == page
    assert await calibration.quotations(book_id, words, up_to=page - 1) == []
    (hit,) = await calibration.find(book_id, words, position=page)
    assert hit.page == page


async def test_what_is_left_out_is_not_found() -> None:
    calibration, book_id = await _calibration(House())
    assert await calibration.quotations(book_id, "tells on page 2 what becomes of them all", up_to=6) == []
    with pytest.raises(PositionError):
        await calibration.find(book_id, "tells on page 2 what becomes of them all", position=6)
