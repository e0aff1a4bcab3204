"""A recap of a volume, an act or a letter is that place's own."""

import pytest

from core.domain.book import Chapter
from core.domain.errors import ThusfarError
from tests.builders import a_book_text
from tests.unit.club_house import House

_PAGES = tuple(
    f"{name} rowed out to the wreck in the storm and found a silver whistle there. Nobody else went with {name}."
    for name in ("Marrable", "Tobias", "Ines", "Quill")
)
_CHAPTERS = tuple(
    Chapter(number=number, title=f"Chapter {(number - 1) % 2 + 1}", path=(volume,), first_page=number, last_page=number)
    for number, volume in enumerate(("Volume I", "Volume I", "Volume II", "Volume II"), start=1)
)


@pytest.mark.parametrize(
    ("of", "names", "others"),
    [
        ("volume 1", {"Marrable", "Tobias"}, {"Ines", "Quill"}),
        ("vol 1 ch 2", {"Tobias"}, {"Marrable", "Ines", "Quill"}),
        ("vol 2 ch 1", {"Ines"}, {"Marrable", "Tobias", "Quill"}),
    ],
)
async def test_a_place_is_recapped(of: str, names: set[str], others: set[str]) -> None:
    house = House()
    await house.reading(position=3, book=await house.add_book(a_book_text(_PAGES, chapters=_CHAPTERS)))
    told = (await house.use("recap", of)).text
    assert all(name in told for name in names)
    assert not any(name in told for name in others)
    assert "Chapter 0" not in told


async def test_what_has_not_begun_is_told_like_what_never_comes() -> None:
    house = House()
    await house.reading(position=3, book=await house.add_book(a_book_text(_PAGES, chapters=_CHAPTERS)))

    async def told(of: str) -> str:
        try:
            return (await house.use("recap", of)).text
        except ThusfarError as error:
            return str(error)

    assert await told("vol 2 ch 2") == await told("vol 2 ch 9") == await told("volume 3")
