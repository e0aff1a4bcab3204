"""Chapters that are offered while a page is typed: by title only as far as they have begun."""

import time

import pytest

from core.club.position.chapters import suggested_chapters
from core.domain.book import BookOutline, Chapter
from core.domain.position import Position
from core.domain.position_meaning import resolve
from core.understanding.position_forms import parse_position
from tests.builders import BO, a_book_text
from tests.unit.club_house import House


def _outline(*titles: str, pages_each: int = 10) -> BookOutline:
    chapters = tuple(
        Chapter(number=number, title=title, first_page=(number - 1) * pages_each + 1, last_page=number * pages_each)
        for number, title in enumerate(titles, start=1)
    )
    return BookOutline(pages=len(titles) * pages_each, chapters=chapters)


PLAIN = _outline("The Calm", "The Storm", "The Funeral")


@pytest.mark.parametrize(
    ("position", "labels"),
    [
        (None, ["Chapter 1: done", "Chapter 2: done", "Chapter 3: done"]),
        (10, ["Chapter 2: done", "Chapter 3: done", "Chapter 1, The Calm: done, p. 10"]),
        (11, ["Chapter 2, The Storm: done", "Chapter 3: done", "Chapter 1, The Calm: done, p. 10"]),
    ],
)
def test_a_title_is_shown_once_its_first_page_is_read(position: Position, labels: list[str]) -> None:
    assert [one.label for one in suggested_chapters(PLAIN, position, typed="")] == labels


@pytest.mark.parametrize("typed", ["Funeral", "the", "FUN"])
def test_typing_an_unread_title_does_not_find_it(typed: str) -> None:
    assert not any("3" in one.label for one in suggested_chapters(PLAIN, 20, typed=typed))


@pytest.mark.parametrize(
    "outline",
    [
        PLAIN,
        _outline("Foreword", "Chapter 1: Dawn", "Chapter 2: Noon", "Afterword"),
        _outline("Chapter 5", "Chapter 5", "Letter II", "Book the First"),
        _outline("", "  ", "Chapter 900"),
    ],
)
def test_every_suggestion_means_the_page_that_it_names(outline: BookOutline) -> None:
    offered = suggested_chapters(outline, outline.pages, typed="")
    assert offered
    for one in offered:
        assert one.label.endswith(f"p. {resolve(parse_position(one.text), outline)}")


def test_no_more_are_offered_than_were_asked_for_and_the_next_ones_first() -> None:
    outline = _outline(*(f"Part {number}" for number in range(1, 60)))
    offered = suggested_chapters(outline, 300, typed="", most=25)
    assert len(offered) == 25
    assert offered[0].label == "Part 31: done"


def test_typing_in_a_book_of_many_chapters_does_not_hold_the_loop() -> None:
    chapters = tuple(
        Chapter(
            number=at + 1, title=f"Chapter {at % 73 + 1}", path=(f"Volume {at // 73 + 1}",), first_page=at, last_page=at
        )
        for at in range(1, 366)
    )
    outline = BookOutline(pages=400, chapters=chapters)
    started = time.process_time()
    assert suggested_chapters(outline, 100, typed="nothing fits this") == []
    assert time.process_time() - started < 1.0  # 0.03 s where each name is looked up once, 10 s where it is read anew


async def test_a_member_ahead_is_offered_titles_for_their_own_page_alone() -> None:
    house = House()
    chapters = (
        Chapter(number=1, title="The Calm", first_page=1, last_page=3),
        Chapter(number=2, title="The Funeral", first_page=4, last_page=6),
    )
    await house.reading(position=1, book=await house.add_book(a_book_text(chapters=chapters)))
    await house.use("mypage", "6")
    assert [one.label for one in await house.offered("mypage", "funeral")] == ["Chapter 2, The Funeral: done, p. 6"]
    assert await house.offered("mypage", "funeral", by=BO) == []
    assert await house.offered("setpage", "funeral") == []


def test_a_chapter_that_is_called_by_its_title_has_it_once() -> None:
    chapters = (
        Chapter(number=1, title="Prologue", first_page=1, last_page=3),
        Chapter(number=2, title="Chapter 1", first_page=4, last_page=6),
    )
    offered = suggested_chapters(BookOutline(pages=6, chapters=chapters), 3, typed="pro")
    assert [each.label for each in offered] == ["Prologue: done, p. 3"]
