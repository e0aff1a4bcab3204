"""No command confirms a guess: what comes later and what never comes get the same reply, and the same list after it."""

import pytest

from core.club.commands.values import CommandResponse
from core.domain.book import Chapter
from core.domain.errors import ThusfarError
from tests.builders import a_book_text
from tests.unit.club_house import House

_PAGES = (
    "The ferry left Marrow Quay at dawn. Ada carried a brass compass in her coat, and Ada laughed.",
    "The keeper kept seven clocks, and none of them ever agreed. Ada counted them twice.",
    *(f"On day {number} of the voyage nothing but rain fell on the long grey deck." for number in range(3, 20)),
    "At last Quill confessed that he had drowned the pilot for the sake of the ledger. “Quill!” cried Ada.",
)
_CHAPTERS = [
    Chapter(number=1, title="The Ferry", first_page=1, last_page=2),
    Chapter(number=2, title="Rain", first_page=3, last_page=19),
    Chapter(number=3, title="Quill Confesses", first_page=20, last_page=20),
]


async def _house() -> House:
    house = House()
    await house.reading(position=2, book=await house.add_book(a_book_text(_PAGES, chapters=_CHAPTERS)))
    return house


async def _told(words: str, text: str) -> list[str]:
    """Return what a command replies, and what the lists say then, without the words that were typed."""
    house = await _house()
    told = []
    for used, said in ((words, text), ("quotes", ""), ("predictions", ""), ("progress", ""), ("statistics", "")):
        try:
            response = await house.use(used, said, organiser=True)
        except ThusfarError as error:
            response = CommandResponse(text=str(error))
        labels = [f"{choice.label} {choice.command}" for choice in (*response.choices, *response.offers)]
        told.append("\n".join((response.text, response.announcement, *labels)).replace(text or "-", "…"))
    return told


@pytest.mark.parametrize(
    ("words", "later", "never"),
    [
        ("quote", "drowned the pilot for the sake of the ledger", "sold seven silent sailors to nobody"),
        (".quote-this", "drowned the pilot for the sake of the ledger", "sold seven silent sailors to nobody"),
        ("calibrate", "drowned the pilot for the sake of the ledger", "sold seven silent sailors to nobody"),
        ("calibrate", "p. 31 drowned the pilot for the sake of it", "p. 31 sold seven silent sailors to nobody"),
        ("predict", "Quill did it", "Zork did it"),
        ("predict", "Ada did it until Quill confesses", "Ada did it until Zork confesses"),
        ("who", "Quill", "Zork"),
        ("discuss", "3", "7"),
        ("discuss", "add Does Quill lie?", "add Does Zork lie?"),
        ("later", "Who is Quill?", "Who is Zork?"),
        ("setpage", "Quill Confesses", "Zork Confesses"),
        ("mypage", "Quill Confesses", "Zork Confesses"),
        ("recap", "chapter 3", "chapter 7"),
        ("ask", "Who is Quill?", "Who is Zork?"),
        ("ask", "What happens on page 20?", "What happens on page 77?"),
        ("ask", "Does Quill drown the pilot?", "Does Zork drown the pilot?"),
    ],
)
async def test_what_comes_later_is_told_like_what_never_comes(words: str, later: str, never: str) -> None:
    assert await _told(words, later) == await _told(words, never)


@pytest.mark.parametrize("typed", ["quill", "confesses", "zork"])
async def test_no_title_of_an_unread_chapter_is_offered_or_found(typed: str) -> None:
    house = await _house()
    assert await house.offered("setpage", typed) == []
    assert not any("Quill" in each.label for each in await house.offered("setpage"))
