"""Copies with other page numbers: what their pages mean in the book, and what must hold for any copy."""

from bisect import bisect_right
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.book import BookOutline
from core.domain.copy_numbers import Unit
from core.domain.edition import (
    Edition,
    KnownPoint,
    bounded,
    learn,
    margin,
    page_in_copy,
    position_at_share,
    position_in_book,
)
from core.domain.errors import PositionError

EVEN = BookOutline(pages=200, ends=tuple(range(99, 20_000, 100)))
"""200 pages of 99 characters, one between two."""
LATE_STORY = BookOutline(pages=400, ends=tuple(range(99, 40_000, 100)), first_story_page=11, last_story_page=390)


def copy_of(last: int | None = None, first: int | None = None, *points: tuple[int, int]) -> Edition:
    return Edition(
        first_page=first, last_page=last, points=tuple(KnownPoint(page=page, offset=offset) for page, offset in points)
    )


@pytest.mark.parametrize(
    ("edition", "page", "position"),
    [
        # Twice as many pages: half of the number, less the margin of one page.
        (copy_of(400), 200, 99),
        (copy_of(400), 201, 99),
        (copy_of(400), 202, 100),
        (copy_of(400), 400, 199),
        (copy_of(400), 1, 0),
        (copy_of(400), 0, 0),
        # Half as many pages.
        (copy_of(100), 50, 99),
        # The story begins on page 7 there.
        (copy_of(312, 7), 6, 0),
        (copy_of(312, 7), 7, 0),
        (copy_of(312, 7), 159, 99),
        # A place that is known exactly is reached with its page, and bends the line.
        (copy_of(400, None, (100, 10_000)), 99, 98),
        (copy_of(400, None, (100, 10_000)), 100, 100),
        (copy_of(400, None, (100, 10_000)), 250, 149),
        # Two places and no last page.
        (copy_of(None, None, (100, 5_000), (200, 10_000)), 150, 74),
        (copy_of(None, None, (100, 5_000), (200, 10_000)), 300, 149),
        (copy_of(None, None, (100, 5_000), (200, 10_000)), 50, 24),
        (copy_of(None, None, (100, 5_000), (200, 10_000)), 4_000, 199),
    ],
)
def test_a_page_of_a_copy_is_a_position(edition: Edition, page: int, position: int) -> None:
    assert position_in_book(edition, page, EVEN) == position


def test_front_and_back_matter_of_the_book_are_no_part_of_the_story() -> None:
    edition = copy_of(190, 1)
    assert margin(LATE_STORY) == 2
    assert position_in_book(edition, 1, LATE_STORY) == 10
    assert position_in_book(edition, 95, LATE_STORY) == 10 + 190 - 2
    assert position_in_book(edition, 190, LATE_STORY) == 390 - 2


def test_a_point_takes_the_place_of_those_that_contradict_it() -> None:
    edition = copy_of(400, None, (50, 2_000), (100, 10_000), (150, 12_000))
    assert learn(edition, KnownPoint(page=120, offset=6_000)) == copy_of(
        400, None, (50, 2_000), (120, 6_000), (150, 12_000)
    )
    assert learn(edition, KnownPoint(page=100, offset=9_000)) == copy_of(
        400, None, (50, 2_000), (100, 9_000), (150, 12_000)
    )


@pytest.mark.parametrize(("first", "last"), [(0, 5), (8, 7), (1, 100_001), (None, 100_001)])
def test_a_copy_that_cannot_be_is_refused(first: int | None, last: int) -> None:
    with pytest.raises(PositionError, match="A copy has 1 to"):
        bounded(Edition(), first_page=first, last_page=last)


@st.composite
def outlines(draw: st.DrawFn) -> BookOutline:
    """Any book: pages of any length, a story within them."""
    lengths = draw(st.lists(st.integers(1, 50), min_size=1, max_size=60))
    ends = tuple(sum(lengths[: number + 1]) for number in range(len(lengths)))
    first = draw(st.integers(1, len(lengths)))
    last = draw(st.integers(first, len(lengths)))
    return BookOutline(pages=len(lengths), ends=ends, first_story_page=first, last_story_page=last)


@st.composite
def true_copies(draw: st.DrawFn) -> tuple[BookOutline, Edition, list[tuple[Fraction, int]]]:
    """A book, what is known of a copy, and the truth: how much of the text is read with so many pages of the copy.

    Between its known points the copy is set evenly; each point lies anywhere on its page, before its end. Whoever has
    read the last page has read the story.
    """
    outline = draw(outlines())
    begin, end = outline.end_of(outline.first_story_page - 1), outline.end_of(outline.story_end)
    first = draw(st.integers(1, 20))
    last = draw(st.integers(first, first + 80))
    pages = sorted(draw(st.sets(st.integers(first, last), max_size=5)))
    inner = st.integers(begin + 1, end - 1) if end - begin > 1 else st.nothing()
    offsets = sorted(draw(st.sets(inner, min_size=len(pages), max_size=len(pages)))) if end - begin > 6 else []
    points = list(zip(pages, offsets, strict=False))
    within = [draw(st.fractions(Fraction(1, 100), Fraction(9, 10))) for _ in points]
    truth = [(Fraction(page) - part, offset) for (page, offset), part in zip(points, within, strict=True)]
    edition = copy_of(last, first, *points)
    return outline, edition, [(Fraction(first - 1), begin), *truth, (Fraction(last), end)]


def read_in_truth(truth: list[tuple[Fraction, int]], page: int) -> Fraction:
    at = min(bisect_right([knot[0] for knot in truth], page), len(truth) - 1)
    (before, start), (after, end) = truth[at - 1], truth[at]
    return start + (end - start) * (page - before) / (after - before)


@given(true_copies())
def test_a_converted_position_is_never_later_in_the_text_than_the_true_place(
    copy: tuple[BookOutline, Edition, list[tuple[Fraction, int]]],
) -> None:
    outline, edition, truth = copy
    for page in range(edition.first_page or 1, (edition.last_page or 0) + 1):
        position = position_in_book(edition, page, outline)
        assert outline.end_of(position) <= read_in_truth(truth, page)
        assert position <= outline.story_end


@st.composite
def any_copies(draw: st.DrawFn) -> tuple[BookOutline, Edition]:
    """A book and whatever somebody said of a copy, right or wrong, that is enough to convert."""
    outline = draw(outlines())
    last = draw(st.none() | st.integers(1, 120))
    first = draw(st.none() | st.integers(1, last or 40))
    edition = Edition(unit=draw(st.sampled_from(Unit)), first_page=first, last_page=last)
    said = st.tuples(st.integers(first or 1, last or 120), st.integers(0, outline.ends[-1] + 10))
    for page, offset in draw(st.lists(said, max_size=8)):
        edition = learn(edition, KnownPoint(page=page, offset=offset))
    if not edition.converts:
        edition = bounded(edition, first_page=first, last_page=120)
    return outline, edition


@given(any_copies(), st.integers(0, 60))
def test_the_page_that_is_shown_of_a_copy_means_no_less_than_the_position_or_is_its_last(
    copy: tuple[BookOutline, Edition], position: int
) -> None:
    outline, edition = copy
    page = page_in_copy(edition, position, outline)
    if position_in_book(edition, page, outline) >= position:
        assert page == 0 or position_in_book(edition, page - 1, outline) < position
    else:
        assert page == edition.last_page or edition.last_page is None


@given(outlines())
def test_a_share_is_never_more_than_that_of_the_pages_and_rises(outline: BookOutline) -> None:
    shares = [position_at_share(Fraction(percent), outline) for percent in range(101)]
    assert shares[0] == 0
    assert shares[-1] == outline.story_end
    assert all(before <= after for before, after in pairwise(shares))
    assert all(page <= outline.story_end * percent / 100 for percent, page in enumerate(shares))


@given(outlines(), st.integers(2, 120))
def test_a_time_is_never_further_than_the_same_page_of_as_many(outline: BookOutline, length: int) -> None:
    time, pages = Edition(unit=Unit.MINUTES, last_page=length), Edition(last_page=length)
    for minute in range(length + 1):
        assert position_in_book(time, minute, outline) <= position_in_book(pages, minute, outline)
