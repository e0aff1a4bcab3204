"""What the commands of a club's life show depends on the pages read alone: random calls, two books each.

The books are the same up to the page and different after it; both must give the same. Sampled: the first page, one on
which a chapter begins, one drawn by chance and the last, with a few dozen calls at each of them but the first.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.club.commands.values import CommandResponse
from core.domain.book import BookText, Page
from core.domain.book_places import marks_in
from core.domain.errors import ThusfarError
from core.domain.note import Note
from tests.property.houses import SAMPLE
from tests.unit.club_house import House

_ROOT = Path(__file__).resolve().parents[2]
_PRACTICE = [up / "shared" / "books" / "treasure-island" / "book.txt" for up in (_ROOT.parent, _ROOT.parent.parent)]
_CALLS = 12
"""At each position; at the first page a third of that, since little can be asked there."""
_STRANGE = "Then Zenobia Quark said to Ulric that Wexham lay far from Yarrowby. "
_TYPED = ("the captain", "Mr. Nobody", "Dr. Nobody", "silver", "'", "a.b*c", "zzz", "the the the", "I", "Ben", "of")

Call = Callable[[random.Random, BookText], tuple[str, str]]


@pytest.mark.parametrize("book", ["sample", "practice"])
async def test_nothing_that_is_told_hangs_on_an_unread_page(book: str) -> None:
    path = SAMPLE if book == "sample" else next((each for each in _PRACTICE if each.is_file()), None)
    if path is None:
        pytest.skip("the practice books are not here")
    text, drawn = reader_for(path).read(path), random.Random(19)
    told = 0
    turn = drawn.choice(text.chapters[2:]).first_page
    at = {1: _CALLS // 3, turn: _CALLS, drawn.randrange(2, len(text.pages)): _CALLS, len(text.pages): _CALLS}
    for position, calls in at.items():
        houses = [await _house(each, position) for each in (text, _strange_after(text, position))]
        for words, typed in _calls(drawn, text, calls):
            shown = [await _shown(house, words, typed) for house in houses]
            assert shown[0] == shown[1], (position, words, typed)
            told += len(shown[0]) > _MERELY_REFUSED
    assert told > _CALLS


_MERELY_REFUSED = 120


def _calls(drawn: random.Random, text: BookText, count: int) -> Iterator[tuple[str, str]]:
    """Draw calls. Of one that is drawn again nothing new is told, unless a question was added in between."""
    made = set()
    for call in [drawn.choice(_CALLS_OF)(drawn, text) for _ in range(count)]:
        if call not in made or call[0] == "discuss":
            yield call
        made.add(call)


async def _house(text: BookText, position: int, notes: Sequence[Note] = ()) -> House:
    house = House()
    book = await house.add_book(text)
    if notes:
        await house.notes.replace(book.book_id, notes)
    await house.reading(position=position, book=book)
    return house


async def test_nothing_that_is_told_of_notes_hangs_on_an_unread_note() -> None:
    text, drawn = reader_for(SAMPLE).read(SAMPLE), random.Random(23)
    lines = (SAMPLE.parent / "notes.jsonl").read_text(encoding="utf-8").splitlines()
    notes = [Note(page=each["page"], text=each["note"]) for each in map(json.loads, lines)]
    told = 0
    for position in (1, text.chapters[3].first_page, drawn.randrange(2, len(text.pages)), len(text.pages)):
        read = [note for note in notes if note.page <= position]
        others = [Note(page=note.page, text=_STRANGE.strip()) for note in notes if note.page > position]
        houses = [
            await _house(text, position, notes),
            await _house(_strange_after(text, position), position, [*read, *others]),
            await _house(_strange_after(text, position), position, read),
        ]
        for words, typed in _calls(drawn, text, _CALLS):
            shown = [await _shown(house, words, typed) for house in houses]
            assert shown[0] == shown[1] == shown[2], (position, words, typed)
            assert [note for note in notes if note.page > position and note.text in shown[0]] == []
            told += any(note.text in shown[0] for note in read)
    assert told > _CALLS


async def _shown(house: House, words: str, typed: str) -> str:
    try:
        response = await house.use(words, typed)
    except ThusfarError as error:
        return str(error)
    return _all_of(response)


def _all_of(response: CommandResponse) -> str:
    return "\n".join(
        (response.text, response.announcement, *(f"{each.label}:{each.text}" for each in response.choices))
    )


def _strange_after(text: BookText, position: int) -> BookText:
    """Return a book that is another one from a page on: its text, and the titles of the chapters that begin there."""
    pages = tuple(
        page if page.number <= position else Page(number=page.number, text=_STRANGE * 8, start_offset=page.start_offset)
        for page in text.pages
    )
    chapters = tuple(
        chapter if chapter.first_page <= position else replace(chapter, title=_strange_title(chapter.title))
        for chapter in text.chapters
    )
    return replace(text, pages=pages, chapters=chapters)


def _strange_title(title: str) -> str:
    """Return another title with the same numbers: which parts and chapters a book has is no secret."""
    numbers = [f"{word or 'chapter'} {number}" for word, number in marks_in(title)]
    return ", ".join([*numbers, "Zenobia Quark in Yarrowby"])


def _name(drawn: random.Random, text: BookText) -> str:
    words = [word.strip(".,;:!?“”‘’'\"—()") for word in drawn.choice(text.pages).text.split()]
    names = [word for word in words if word[:1].isupper()] or ["Nobody"]
    return drawn.choice([drawn.choice(names), drawn.choice(names).lower(), drawn.choice(_TYPED), "Zenobia Quark"])


def _who(drawn: random.Random, text: BookText) -> tuple[str, str]:
    return "who", _name(drawn, text)


def _cast(drawn: random.Random, _text: BookText) -> tuple[str, str]:
    return drawn.choice([("cast", ""), (".cast", str(drawn.randrange(40)))])


def _recap(drawn: random.Random, text: BookText) -> tuple[str, str]:
    chapter, page = drawn.randrange(1, len(text.chapters) + 3), drawn.randrange(len(text.pages))
    what = drawn.choice(["", "last", "since", f"ch {chapter}", f"since p. {page}", f"since ch {chapter}"])
    if drawn.random() < _BUTTONS:
        return ".earlier", f"{page}|{drawn.randrange(len(text.chapters) + 1)}"
    return "recap", f"{what} {drawn.choice(['', 'here'])}".strip()


def _discuss(drawn: random.Random, text: BookText) -> tuple[str, str]:
    first = drawn.randrange(1, len(text.pages))
    if drawn.random() < _BUTTONS:
        return ".discuss", f"{first}|{first + drawn.randrange(20)}|{drawn.randrange(8)}"
    if drawn.random() < _BUTTONS:
        return "discuss", f"add What do you make of {_name(drawn, text)}?"
    return "discuss", drawn.choice(["", "here", str(drawn.randrange(1, len(text.chapters) + 3))])


_BUTTONS = 0.2
_CALLS_OF: tuple[Call, ...] = (_who, _who, _cast, _recap, _recap, _discuss)
