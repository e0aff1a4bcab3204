"""Positions: every form and what it means, the rules for moving, and what must hold for any input."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.book import BookOutline, Chapter
from core.domain.book_places import chapter_mark
from core.domain.errors import PositionError
from core.domain.position import (
    MemberPosition,
    Pace,
    Position,
    announce,
    needs_confirmation,
    public_position,
)
from core.domain.position_meaning import resolve
from core.domain.position_requests import (
    BegunRequest,
    EndRequest,
    FollowRequest,
    PageRequest,
    PercentRequest,
    PositionRequest,
    ResetRequest,
    UndoRequest,
    chapter_request,
)
from core.understanding.position_forms import parse_position

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


def outline(*titles: str, pages: int = 200, labels: dict[str, int] | None = None) -> BookOutline:
    """Build a book whose chapters have ten pages each: the seventh is pages 61-70."""
    chapters = tuple(
        Chapter(number=n, title=title, first_page=10 * n - 9, last_page=10 * n) for n, title in enumerate(titles, 1)
    )
    return BookOutline(pages=pages, labels=labels or {}, chapters=chapters)


UNNUMBERED = outline(*["The Secret Ending"] * 20)
LETTERS = outline("Letter I", "Letter II", "Letter III", "Chapter I", "Chapter II", "Chapter the Third", "Chapter IV")
PARTS = outline("Preface", "Part I", "Chapter 1", "Part II", "Chapter 2")
LABELLED = outline(
    labels={"i": 3, "II": 4, "xii": 14, "1": 15, "2": 16, "07": 21, "120": 134, "Cover": 1, "Plate": 200}
)
TWICE = outline(labels={"12": 30, "012": 20, "xii": 9, "XII": 8})


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        *[(t, PageRequest(label="120")) for t in ("120", "p. 120", "p120", "pg 120", "page 120", "P.120", "pg. 120")],
        *[(t, PageRequest(label="120")) for t in ("  120\n", "0120", "１２０", "PAGE\t120", "p.\u00a0120")],
        *[(t, PageRequest(label="xii")) for t in ("xii", "XII", "p. xii", "page Xii", "Ⅻ")],
        ("A-3", PageRequest(label="a-3")),
        *[
            (t, chapter_request(7, percent=Fraction(0)))
            for t in ("ch 7", "chapter 7", "ch. 7", "ch7", "CH.7", "chapter 07")
        ],
        *[
            (t, chapter_request(7, percent=Fraction(0)))
            for t in ("chapter seven", "chapter VII", "Ch. vii", "chapter the seventh")
        ],
        ("chapter twenty-two", chapter_request(22, percent=Fraction(0))),
        ("chapter one hundred and thirty-five", chapter_request(135, percent=Fraction(0))),
        *[
            (t, chapter_request(7, percent=Fraction(100)))
            for t in ("ch 7 done", "chapter 7 done", "ch7 DONE", "chapter VII done")
        ],
        *[
            (t, chapter_request(7, percent=Fraction(100)))
            for t in ("finished 7", "finished ch 7", "Finished chapter 7")
        ],
        ("finished seven", chapter_request(7, percent=Fraction(100))),
        *[(t, PercentRequest(percent=Fraction(45))) for t in ("45%", "45 %", "45 percent", "４５％")],
        *[(t, PercentRequest(percent=Fraction(91, 2))) for t in ("45.5%", "45,5 %")],
        ("End", EndRequest()),
        *[(t, BegunRequest()) for t in ("0", "p. 0", "000")],
        ("reset", ResetRequest()),
        ("follow", FollowRequest()),
        (" UNDO ", UndoRequest()),
    ],
)
def test_each_form_is_read(text: str, request_: PositionRequest) -> None:
    assert parse_position(text) == request_


NO_FORMS = ["", " ", "-5", "−5", "p. -5", "-5%", "1.5", "12 13", "1e3", "abc", "ch", "chapter the last"]
NO_FORMS += [
    "ch 7 undone",
    "end of it",
    "4x5",
    "mild",
    "iiii",
    "120\x00",
    "12\n0",
    "1\u200b20",
]
NO_FORMS += [
    "١٢٠",
    "一二〇",
    "第7章",
    "страница 5",
    "12²",
    "1½",
    "①②",
    "9" * 10_000,
    "x" * 10_000,
    "chapter " + "i" * 10_000,
]


@pytest.mark.parametrize("text", NO_FORMS, ids=lambda text: ascii(text[:20]))
def test_anything_else_is_refused_in_one_sentence_that_shows_the_forms(text: str) -> None:
    with pytest.raises(PositionError) as refusal:
        parse_position(text)
    assert str(refusal.value) == ("I didn't catch the page. Try `120`, `ch 7 done` or `45%`.")


@pytest.mark.parametrize(
    ("book", "text", "position"),
    [
        # The rows of the table: 200 pages, chapter 7 is pages 61-70.
        *[(UNNUMBERED, text, 120) for text in ("120", "p. 120", "page 120", "00120")],
        (LABELLED, "120", 134),
        (LABELLED, "xii", 14),
        *[(UNNUMBERED, text, 60) for text in ("ch 7", "chapter 7")],
        *[(UNNUMBERED, text, 70) for text in ("ch 7 done", "finished 7")],
        (UNNUMBERED, "45%", 90),
        (UNNUMBERED, "end", 200),
        (UNNUMBERED, "0", 0),
        (UNNUMBERED, "reset", None),
        # Edges of pages and percentages.
        (UNNUMBERED, "200", 200),
        (UNNUMBERED, "0%", 0),
        (UNNUMBERED, "0.49%", 0),
        (UNNUMBERED, "99.999%", 199),
        (UNNUMBERED, "100%", 200),
        (UNNUMBERED, "ch 1", 0),
        (outline(pages=7), "28.5%", 1),
        (LABELLED, "50%", 100),
        # Labels: compared without case and leading zeros; two such pages: the earlier.
        (LABELLED, "ii", 4),
        (LABELLED, "7", 21),
        (LABELLED, "0", 0),
        (TWICE, "12", 20),
        (TWICE, "xii", 8),
        (outline(labels={"Cover": 1, "Ending": 9}), "5", 5),
        # Numbers are as printed: a letter is no chapter, a part neither.
        (LETTERS, "ch 2", 40),
        (LETTERS, "finished 2", 50),
        (LETTERS, "letter 2 done", 20),
        (LETTERS, "ch 4", 60),
        (PARTS, "ch 1", 20),
        (PARTS, "ch 2 done", 50),
        (outline("Preface", "Book I", "Book II"), "book 2", 20),
        (outline("Canto I", "Canto II"), "ch 2", 10),
        (outline("Preface", "The Start", "The Rest"), "ch 2", 10),
    ],
)
def test_a_form_means_a_page(book: BookOutline, text: str, position: Position) -> None:
    assert resolve(parse_position(text), book) == position


@pytest.mark.parametrize(
    ("book", "text", "sentence"),
    [
        (UNNUMBERED, "201", "The last page of this book is p. 200."),
        (UNNUMBERED, "9" * 60, "The last page of this book is p. 200."),
        (UNNUMBERED, "xii", "This book has no printed page labels. Give a page from 1 to 200."),
        (UNNUMBERED, "100.01%", "A share can be at most 100%. The last page is p. 200."),
        (LETTERS, "ch 5", "I can't find that place. This book has letters 1 to 3, chapters 1 to 4; try `letter 1`."),
        (
            outline("Preface", "Book I", "Book II"),
            "ch 2",
            "I can't find that place. This book has books 1 to 2; try `book 1`.",
        ),
        (UNNUMBERED, "ch 21", "There's no chapter with that number. This book has 20 chapters."),
        (UNNUMBERED, "finished 0", "There's no chapter with that number. This book has 20 chapters."),
        (outline("The End"), "ch 2", "There's no chapter with that number. This book has 1 chapter."),
        (outline(), "ch 7", "This book has no chapters. Give a page from 1 to 200."),
        (LABELLED, "121", "No page of this book has that label. Its labels run from i to 120."),
        (LABELLED, "xiii", "No page of this book has that label. Its labels run from i to 120."),
        (UNNUMBERED, "follow", "Name a place in the book, not `follow` or `undo`."),
        (UNNUMBERED, "undo", "Name a place in the book, not `follow` or `undo`."),
    ],
)
def test_what_the_book_does_not_have_is_refused_in_words(book: BookOutline, text: str, sentence: str) -> None:
    with pytest.raises(PositionError) as refusal:
        resolve(parse_position(text), book)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("title", "number"),
    [
        *[
            (title, 5)
            for title in ("Chapter V", "CHAPTER V.", "Chapter Five", "Ch. 5", "chapter\nv", "Chapter 5: The Sea")
        ],
        *[(title, 2) for title in ("Letter II", "Letter 2", "Canto the Second", "Part One, Chapter Two")],
        *[(title, 7) for title in ("7. The Shore", "7", "VII — The Shore", "Seven: The Shore", "7. The Chapter House")],
        *[(title, 12) for title in ("XII", "Ⅻ", "12) Home", "Twelve")],
        *[(title, 3) for title in ("Chapter the Third", "Chapter 3rd", "Stave Three: The Last")],
        *[(title, 22) for title in ("Chapter Twenty-Two", "Chapter Twenty-Two: A Day", "CHAPTER XXII. I Wake")],
        ("Chapter Twenty. One Day", 20),
        ("Chapter One Hundred and One", 101),
        *[
            (t, None)
            for t in ("", "The Shore", "Chapter the Last", "20 Years Later", "Apollo 13", "Part II", "Child I", "I Am")
        ],
    ],
)
def test_the_number_printed_in_a_title(title: str, number: int | None) -> None:
    _, printed = chapter_mark(title) or ("", None)
    assert printed == number


@pytest.mark.parametrize(
    ("current", "new", "pages", "needed"),
    [
        (100, 130, 200, False),
        (100, 131, 200, True),
        (0, 30, 200, False),
        (0, 31, 200, True),
        (10, 11, 7, False),
        (10, 12, 7, True),
        (0, 15, 101, False),
        (0, 16, 101, True),
        (None, 200, 200, False),
        (0, None, 200, False),
        (200, 0, 200, False),
        (50, 50, 200, False),
    ],
)
def test_raising_by_more_than_15_percent_needs_confirmation(
    current: Position, new: Position, pages: int, *, needed: bool
) -> None:
    assert needs_confirmation(current, new, pages) is needed


@pytest.mark.parametrize(
    ("current", "new", "needed"),
    [
        (30, 3, True),
        (30, 27, True),
        (30, 28, False),
        (3, None, True),
        (2, None, False),
        (None, 0, False),
        (30, 60, False),
    ],
)
def test_a_shared_position_that_goes_back_by_more_than_two_pages_needs_confirmation(
    current: Position, new: Position, *, needed: bool
) -> None:
    assert needs_confirmation(current, new, 200, shared=True) is needed
    assert not needs_confirmation(current, new, 200)


def member(position: Position, days_ago: float | None) -> MemberPosition:
    """Build a member who last spoke so many days ago."""
    spoke = None if days_ago is None else NOW - timedelta(days=days_ago)
    return MemberPosition(member_id="m", position=position, last_spoke_at=spoke)


@pytest.mark.parametrize(
    ("thread", "own", "reading", "pace", "members", "position"),
    [
        (50, True, 80, Pace.THREAD, [], 50),
        (50, False, 80, Pace.THREAD, [], 80),
        (None, True, 80, Pace.THREAD, [], None),
        (50, False, None, Pace.SLOWEST, [member(5, 1)], None),
        (0, True, 80, Pace.SLOWEST, [member(5, 1)], 0),
        (50, True, 80, Pace.THREAD, [member(5, 1)], 50),
        (50, True, 80, Pace.SLOWEST, [], 50),
        (50, True, 80, Pace.SLOWEST, [member(40, 1), member(20, 2), member(None, 1)], 20),
        (50, True, 80, Pace.SLOWEST, [member(60, 1)], 50),
        (50, True, 80, Pace.SLOWEST, [member(0, 1)], 0),
        (50, False, 80, Pace.SLOWEST, [member(60, 1)], 60),
        (50, True, 80, Pace.SLOWEST, [member(20, 14)], 20),
        (50, True, 80, Pace.SLOWEST, [member(20, 14.001), member(10, None)], 50),
    ],
)
def test_the_public_position(
    *, thread: Position, own: bool, reading: Position, pace: Pace, members: list[MemberPosition], position: Position
) -> None:
    found = public_position(
        thread_position=thread, thread_has_own=own, reading_position=reading, pace=pace, members=members, now=NOW
    )
    assert found == position


@pytest.mark.parametrize(
    ("from_page", "to_page", "line"),
    [
        (40, 55, "Anna moved the thread from p. 40 to p. 55 (27 %)."),
        (55, 40, "Anna set the thread back from p. 55 to p. 40 (20 %)."),
        (None, 55, "Anna set the thread to p. 55 (27 %)."),
        (None, 0, "Anna set the thread to the beginning (0 %)."),
        (0, 200, "Anna moved the thread from the beginning to p. 200 (100 %)."),
        (55, 0, "Anna set the thread back from p. 55 to the beginning (0 %)."),
        (55, 55, "Still p. 55 (27 %)."),
        (55, None, "Anna reset the thread: it was at p. 55, and now no page is set."),
        (0, None, "Anna reset the thread: it was at the beginning, and now no page is set."),
        (None, None, "Anna reset the thread."),
    ],
)
def test_a_change_is_announced_in_one_line(from_page: Position, to_page: Position, line: str) -> None:
    assert announce(" Anna\n", from_page, to_page, BookOutline(pages=200)) == line


@st.composite
def outlines(draw: st.DrawFn) -> BookOutline:
    """Any book whose labels and chapters lie within its pages; chapters may overlap and be titled anyhow."""
    pages = draw(st.integers(1, 500))
    page = st.integers(1, pages)
    titles = st.sampled_from(["Chapter V", "Part 2", "3. Secret", "Secret", "IV"]) | st.text(max_size=12)
    spans = draw(st.lists(st.tuples(titles, page, page), max_size=8))
    chapters = [
        Chapter(number=n, title=title, first_page=min(a, b), last_page=max(a, b))
        for n, (title, a, b) in enumerate(spans, 1)
    ]
    names = st.sampled_from(["i", "X", "1", "2", "10", "Secret"]) | st.text(max_size=5)
    return BookOutline(pages=pages, labels=draw(st.dictionaries(names, page, max_size=8)), chapters=tuple(chapters))


NUMBERS = st.integers(0, 600)
FORMS = st.sampled_from(["{}", "p. {}", "ch {}", "finished {}", "{}%", "x", "end", "0", "reset", "undo"])


@given(outlines(), FORMS, NUMBERS)
def test_a_position_lies_in_the_book_or_is_refused_without_a_title(book: BookOutline, form: str, number: int) -> None:
    try:
        position = resolve(parse_position(form.format(number)), book)
    except PositionError as refusal:
        assert str(refusal).endswith(".")  # noqa: PT017
        assert "\n" not in str(refusal)  # noqa: PT017
        assert "Secret" not in str(refusal)  # noqa: PT017
    else:
        assert (position is None) == (form == "reset")
        assert position is None or 0 <= position <= book.pages


@given(outlines(), st.integers(0, 9))
def test_a_chapter_never_gives_more_than_was_said(book: BookOutline, number: int) -> None:
    try:
        start = resolve(chapter_request(number, percent=Fraction(0)), book)
        done = resolve(chapter_request(number, percent=Fraction(100)), book)
    except PositionError:
        return
    assert start in {chapter.first_page - 1 for chapter in book.chapters}
    assert done in {chapter.last_page for chapter in book.chapters}
    assert start is not None
    assert done is not None
    assert start < done


@given(outlines(), st.fractions(0, 100))
def test_a_percentage_never_gives_more_than_was_said(book: BookOutline, percent: Fraction) -> None:
    position = resolve(PercentRequest(percent=percent), book)
    assert position is not None
    assert position * 100 <= percent * book.pages < (position + 1) * 100


@given(st.text() | st.text("0123456789 .-%chpivx\n\x00done", max_size=20))
def test_parsing_raises_nothing_but_position_errors(text: str) -> None:
    try:
        parse_position(text)
    except PositionError as refusal:
        assert "\n" not in str(refusal)  # noqa: PT017


@pytest.mark.parametrize(
    ("text", "position"),
    [("2.", 2), ("p. 2.", 2), ("page 2 of 200", 2), ("2 of 200", 2), ("The End", 200), ("end.", 200), ("0 of 200", 0)],
)
def test_what_people_write_beside_the_forms_is_understood(text: str, position: int) -> None:
    assert resolve(parse_position(text), BookOutline(pages=200)) == position
