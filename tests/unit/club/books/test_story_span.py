"""Which pages are the story: told after an import, shown and set by organisers."""

from dataclasses import replace

import pytest

from core.domain.book import OutsidePart, PartRole
from core.domain.errors import ThusfarError
from tests.builders import a_book_text
from tests.unit.club_house import House

_PAGES = tuple(f"Page {number} of the quay." for number in range(1, 21))
_OUTSIDE = (
    OutsidePart(role=PartRole.FRONT, title="Introduction", first_page=1, last_page=3, why="title"),
    OutsidePart(role=PartRole.EXCERPT, title="Preview of The Pier", first_page=18, last_page=19, why="title"),
    OutsidePart(role=PartRole.BACK, title="", first_page=20, last_page=20, why="EPUB semantics: colophon"),
)


async def _house() -> House:
    house = House()
    text = replace(a_book_text(_PAGES), first_story_page=4, last_story_page=17, outside=_OUTSIDE)
    await house.reading(book=await house.add_book(text))
    return house


async def test_organisers_see_the_story_and_what_is_left_out() -> None:
    shown = await (await _house()).use("book story", organiser=True)
    assert shown.text == ("Story: pp. 4 to 17 (I leave out Introduction, Preview of The Pier, a part without a title).")
    assert [choice.label for choice in shown.choices] == ["Introduction is story", "Preview of The Pier is story"]


async def test_what_was_only_guessed_is_asked() -> None:
    house = House()
    guessed = replace(_OUTSIDE[1], why="after the last chapter; about books")
    text = replace(a_book_text(_PAGES), first_story_page=4, last_story_page=17, outside=(_OUTSIDE[0], guessed))
    await house.reading(book=await house.add_book(text))
    shown = await house.use("book story", organiser=True)
    assert shown.text.endswith("I'm only guessing about Preview of The Pier: is it story? `/book story` changes it.")


async def test_a_button_takes_a_part_into_the_story() -> None:
    house = await _house()
    (first, _) = (await house.use("book story", organiser=True)).choices
    told = await house.use(first.command, first.text, organiser=True)
    assert told.text == "Story: pp. 1 to 17 (I leave out Preview of The Pier, a part without a title)."


async def test_the_pages_can_be_set() -> None:
    house = await _house()
    assert (await house.use("book story", "2 20", organiser=True)).text.startswith("Story: pp. 2 to 20")
    for wrong in ("7", "2 3 4", "nonsense here", "0 9"):
        with pytest.raises(ThusfarError, match="Give the first and the last page"):
            await house.use("book story", wrong, organiser=True)
    with pytest.raises(ThusfarError):
        await house.use("book story", "9 2", organiser=True)
