"""The story so far: a line a chapter, quotations of the latest ones alone, never more than 150 words of the book."""

import re

from core.answering.extracts.read_text import ReadText
from core.answering.extracts.story import earlier, has_earlier, recap
from core.domain.book import Chapter, Page
from core.guard.draft import MOST_WORDS

_CHAPTERS = 20


def _read(position: int, *, chapters: bool = True) -> ReadText:
    """A book of twenty chapters, two pages each; in each of them somebody of its own."""
    people = [f"{chr(ord('B') + number % 20)}arrow" for number in range(_CHAPTERS)]
    pages = [
        Page(
            number=2 * number + part,
            text=f"On that day {name} said {part} words about the ferry to all the others there.",
        )
        for number, name in enumerate(people)
        for part in (1, 2)
    ]
    begun = [
        Chapter(
            number=number, title=f"Chapter {number}: Secret {number}", first_page=2 * number - 1, last_page=2 * number
        )
        for number in range(1, _CHAPTERS + 1)
    ]
    return ReadText(pages[:position], [each for each in begun if each.first_page <= position] if chapters else ())


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("- ")]


def test_the_latest_chapters_are_quoted_and_those_before_told_by_their_people() -> None:
    told = recap(_read(15))
    assert told is not None
    assert told.text.startswith("**The story so far** (pp. 1-15):")
    lines = _lines(told.text)
    assert lines[0] == "- **Chapter 1: Secret 1** (pp. 1-2): Barrow."
    assert lines[-1].startswith(
        "- **Chapter 8: Secret 8** (p. 15): Iarrow. “On that day Iarrow said 1 words about the ferry"
    )
    assert [bool("“" in line) for line in lines] == [False] * 4 + [True] * 4
    assert told.text.endswith("about the ferry to all the others there.” (p. 15)")
    assert "You stopped at: “" in told.text


def test_no_more_of_the_book_is_quoted_than_may_be() -> None:
    for position in (1, 2, 9, 40):
        told = recap(_read(position))
        assert told is not None
        assert sum(len(each.split()) for each in re.findall("“([^”]*)”", told.text)) <= MOST_WORDS


def test_what_does_not_fit_stands_behind_a_button_in_order() -> None:
    read = _read(40)
    told = recap(read)
    assert told is not None
    assert len(_lines(told.text)) == 12
    assert has_earlier(read, since=0)
    text, shown = earlier(read, since=0, shown=12)
    names = [line.partition("**")[2].partition("**")[0] for line in _lines(text)]
    assert names == [f"Chapter {number}: Secret {number}" for number in range(1, 9)]
    assert shown == _CHAPTERS
    assert not has_earlier(read, since=0, shown=shown)
