"""The books of a series in one text: found in an omnibus, joined from files, and read one at a time."""

from dataclasses import replace
from itertools import pairwise

import pytest

from core.domain.book import BookText, Chapter, OutsidePart, PageSource, PartRole, Work
from core.library.works import joined, works_of
from tests.builders import a_book_text


def _chapters(*places: tuple[str, str], pages_each: int = 2) -> tuple[Chapter, ...]:
    return tuple(
        Chapter(
            number=number,
            title=title,
            path=(work,) if work else (),
            first_page=(number - 1) * pages_each + 1,
            last_page=number * pages_each,
        )
        for number, (work, title) in enumerate(places, 1)
    )


def _book(title: str, pages: int, *chapters: tuple[str, str], labels: list[str] | None = None) -> BookText:
    texts = [f"Page {number} of {title}." for number in range(1, pages + 1)]
    return a_book_text(texts, title=title, chapters=_chapters(*chapters), labels=labels)


QUAY = replace(
    _book("The Quay: A Novel", 7, ("", "Chapter 1"), ("", "Chapter 2")),
    first_story_page=2,
    last_story_page=5,
    outside=(OutsidePart(role=PartRole.BACK, title="Notes", first_page=6, last_page=6),),
)
PIER = replace(
    _book("The Pier", 4, ("", "Chapter 1"), ("", "Chapter 2"), labels=["i", "1", "2", "3"]), first_story_page=2
)


@pytest.mark.parametrize(
    ("chapters", "works"),
    [
        (
            [("The Quay", "1"), ("The Quay", "2"), ("The Pier", "Chapter I"), ("The Pier", "The Fall")],
            [("The Quay", 1, 4), ("The Pier", 5, 8)],
        ),
        ([("Part One", "1"), ("Part One", "2"), ("Part Two", "1"), ("Part Two", "2")], []),
        ([("The Quay", "1"), ("The Quay", "2"), ("The Pier", "3"), ("The Pier", "4")], []),
        ([("The Quay", "1"), ("The Quay", "2"), ("The Pier", "1"), ("", "Epilogue")], []),
        ([("The Quay", "1"), ("The Quay", "2"), ("The Quay", "3"), ("The Quay", "4")], []),
    ],
)
def test_the_novels_of_an_omnibus_are_works(chapters: list[tuple[str, str]], works: list[tuple[str, int, int]]) -> None:
    found = works_of(_book("All of It", 8, *chapters))
    assert [(each.title, each.first_page, each.last_page) for each in found] == works


def test_two_books_are_joined_with_labels_that_name_them() -> None:
    series = joined(QUAY, PIER)
    assert series.title == "The Quay and The Pier"
    assert [page.text for page in series.pages] == [page.text for book in (QUAY, PIER) for page in book.pages]
    assert [page.number for page in series.pages] == list(range(1, 12))
    labels = [f"{number} of The Quay" for number in range(1, 8)] + [f"{each} of The Pier" for each in ("i", 1, 2, 3)]
    assert [page.label for page in series.pages] == labels
    assert all(after.start_offset == page.start_offset + len(page.text) + 1 for page, after in pairwise(series.pages))
    assert series.works == (
        Work(title="The Quay", first_page=2, last_page=5),
        Work(title="The Pier", first_page=9, last_page=11),
    )
    assert (series.first_story_page, series.last_story_page) == (2, 11)
    assert [(each.number, each.path, each.first_page) for each in series.chapters] == [
        (1, ("The Quay",), 1),
        (2, ("The Quay",), 3),
        (3, ("The Pier",), 8),
        (4, ("The Pier",), 10),
    ]


def test_nothing_between_two_stories_is_story() -> None:
    outside = [(part.title, part.first_page, part.last_page) for part in joined(QUAY, PIER).outside]
    assert outside == [("Notes", 6, 6), ("", 7, 8)]


def test_a_third_book_joins_a_series() -> None:
    mole = _book("The Mole", 3)
    series = joined(joined(QUAY, PIER), mole)
    assert series.title == "The Quay and 2 more"
    assert [work.title for work in series.works] == ["The Quay", "The Pier", "The Mole"]
    assert series.pages[1].label == "2 of The Quay"
    assert series.pages[-1].label == "3 of The Mole"
    assert series.chapters[-1].title == "The Mole"
    assert series.author == "E. Hale"


def test_a_page_without_a_label_takes_none_that_is_printed_on_another() -> None:
    covered = _book("The Mole", 3, labels=["", "1", "2"])
    labels = [page.label for page in joined(QUAY, covered).pages[-3:]]
    assert labels == ["[1] of The Mole", "1 of The Mole", "2 of The Mole"]


def test_two_books_of_one_title_are_told_apart() -> None:
    series = joined(joined(QUAY, QUAY), QUAY)
    assert [work.title for work in series.works] == ["The Quay", "The Quay (2)", "The Quay (3)"]
    assert (series.pages[0].label, series.pages[7].label) == ("1 of The Quay", "1 of The Quay (2)")
    assert series.chapters[2].path == ("The Quay (2)",)


@pytest.mark.parametrize(
    ("sources", "source"),
    [
        ((PageSource.FORM_FEEDS, PageSource.PAGE_LIST), PageSource.PAGE_LIST),
        ((PageSource.ESTIMATED, PageSource.PAGE_LIST), PageSource.ESTIMATED),
        ((PageSource.PDF, PageSource.ESTIMATED), PageSource.ESTIMATED),
    ],
)
def test_pages_are_estimated_where_those_of_a_book_are(
    sources: tuple[PageSource, PageSource], source: PageSource
) -> None:
    one, two = (replace(book, page_source=each) for book, each in zip((QUAY, PIER), sources, strict=True))
    assert joined(one, two).page_source is source


def test_labels_in_a_file_never_pass_for_those_of_a_series() -> None:
    book = a_book_text(["One.", "Two."], labels=["1 of The Murderer", "2"])
    assert [page.label for page in book.pages] == [None, "2"]
