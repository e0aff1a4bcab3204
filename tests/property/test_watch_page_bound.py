"""What a member is told of their own post hangs on the pages that they have read, and holds none of their words.

The books are alike up to the member's own page and strangers from there on; whatever is posted, both tell the same.
"""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.domain.book import BookText, Page
from core.guard.guard import SpoilerGuard
from tests.property.houses import SAMPLE
from tests.unit.club_house import House
from tests.unit.watched import WatchedClub

_ROOT = Path(__file__).resolve().parents[2]
_PRACTICE = [up / "shared" / "books" / "treasure-island" / "book.txt" for up in (_ROOT.parent, _ROOT.parent.parent)]
_STRANGE = "Then Zenobia Quark said to Ulric that Hallam and Silver and May lay far from Yarrowby, the lamp of Hope. "
_POSITIONS = 3
_POSTS = 15
_FRAMES = ("{}", "I bet {}", "omg {} and then {}", "wait for {}!", "poor {}, and {} too", "{} is my favourite so far")
_TOLD = re.compile(
    r"You've read further than this thread \((?:p\. \d+|nothing read yet)\)\. You may want to change what you wrote\. "
    r"Only you see this\."
)


@pytest.mark.parametrize("book", ["sample", "practice"])
async def test_nothing_behind_the_members_page_has_a_say_and_no_word_of_the_book_is_told(book: str) -> None:
    path = SAMPLE if book == "sample" else next((each for each in _PRACTICE if each.is_file()), None)
    if path is None:
        pytest.skip("the practice books are not here")
    text, drawn = reader_for(path).read(path), random.Random(22)
    told = 0
    for _ in range(_POSITIONS):
        page, own_page = sorted(drawn.sample(range(len(text.pages)), 2))
        clubs = [await _club(each, page, own_page) for each in (text, _strange_after(text, own_page))]
        for _ in range(_POSTS):
            post = _post(drawn, text)
            nudges = []
            for club in clubs:
                nudges.append(await club.says(post))
                club.next_day()
            assert nudges[0] == nudges[1], (page, own_page, post)
            if nudges[0] is not None:
                told += 1
                assert _TOLD.fullmatch(nudges[0].text(here="this thread", hides_by="", there=""))
    assert told > _POSITIONS * _POSTS / 20


async def _club(text: BookText, page: int, own_page: int) -> WatchedClub:
    house = House()
    club = WatchedClub(house, SpoilerGuard(books=house.books))
    await club.open(page=page, own_page=own_page, book=await house.add_book(text))
    return club


def _strange_after(text: BookText, position: int) -> BookText:
    pages = tuple(
        page if page.number <= position else Page(number=page.number, text=_STRANGE * 8, start_offset=page.start_offset)
        for page in text.pages
    )
    return replace(text, pages=pages, chapters=())


def _post(drawn: random.Random, text: BookText) -> str:
    """Return a name, a few words in a row or a sentence of anywhere in the book, as a member might bring it up."""
    words = drawn.choice(text.pages).text.split()
    names = [word.strip(".,;:!?“”‘’'\"—()") for word in words if word[:1].isupper()] or ["Nobody"]
    at, length = drawn.randrange(max(len(words) - 12, 1)), drawn.choice((3, 5, 7, 8, 12))
    row = " ".join(words[at : at + length])
    frame = drawn.choice(_FRAMES)
    return frame.format(*(drawn.choice((drawn.choice(names), row)) for _ in range(frame.count("{}"))))
