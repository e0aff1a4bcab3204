"""Places of a book by their printed names: volumes, parts, acts, letters, cantos, and the works of an omnibus."""

import pytest

from core.domain.book import BookOutline, Chapter
from core.domain.book_places import marks_in
from core.domain.errors import PositionError
from core.domain.position import Position
from core.domain.position_meaning import in_words, meanings, resolve
from core.understanding.position_forms import parse_position


def _book(*chains: tuple[str, ...], again: dict[str, tuple[int, ...]] | None = None) -> BookOutline:
    """Build a book with ten pages a chapter."""
    chapters = tuple(
        Chapter(number=n, title=chain[-1], path=chain[:-1], first_page=10 * n - 9, last_page=10 * n)
        for n, chain in enumerate(chains, 1)
    )
    again = again or {}
    return BookOutline(
        pages=10 * len(chains), chapters=chapters, again=again, labels={each: pages[0] for each, pages in again.items()}
    )


VOLUMES = _book(
    ("Volume I", "Chapter 1"),
    ("Volume I", "Chapter 2"),
    ("Volume II", "Chapter 1"),
    ("Volume II", "Chapter 2"),
    ("Volume II", "Epilogue"),
)
RUNNING_ON = _book(("Part One", "1"), ("Part One", "2"), ("Part Two", "3"), ("Part Two", "4"))
PLAY = _book(("Act I", "Scene 1"), ("Act I", "Scene 2"), ("Act II", "Scene 1"))
FLAT_PLAY = _book(("ACT I. SCENE I",), ("ACT I. SCENE II",), ("ACT II. SCENE I",))
OMNIBUS = _book(
    ("The Quay", "Chapter 1"), ("The Quay", "Chapter 2"), ("The Pier", "Chapter 1"), ("The Pier", "The Fall")
)
CANTOS = _book(("Inferno", "Canto I"), ("Inferno", "Canto II"), ("Purgatorio", "Canto I"), ("Purgatorio", "Canto II"))
LETTERS_FIRST = _book(("Letter 1",), ("Letter 2",), ("Chapter 1",), ("Chapter 2",))
FRAMED = _book(("Prologue",), ("1",), ("2",), ("Interlude",), ("3",), ("Epilogue",))
CLOSED = _book(("Part I: Out / I: Gate",), ("Part I: Out / II: Road",), ("Part II: Home / I: Inn",), ("Epilogue",))
TITLED = _book(
    ("Part I: Out", "Chapter 1: The Ferry"),
    ("Part I: Out", "Chapter 2: A Debt"),
    ("Part II: Home", "Chapter 3: The Bell"),
    ("Part II: Home", "Chapter 4: Salt"),
)
BARE_TITLED = _book(("I. The Ferry",), ("II: A Debt",), ("III The Bell",))
OLD = _book(("Part One / Chapter 1",), ("Chapter 2",), ("Part Two / Chapter 3",), ("Chapter 4",))


@pytest.mark.parametrize(
    ("book", "text", "position"),
    [
        (VOLUMES, "vol 2 ch 1", 20),
        (VOLUMES, "vol. ii, chapter one done", 30),
        (VOLUMES, "chapter 2 of volume 1 done", 20),
        (VOLUMES, "finished volume 1", 20),
        (VOLUMES, "volume two", 20),
        (VOLUMES, "halfway through vol 1", 10),
        (VOLUMES, "epilogue", 40),
        (RUNNING_ON, "ch 3 done", 30),
        (RUNNING_ON, "part 2", 20),
        (RUNNING_ON, "part two done", 40),
        (CLOSED, "part 2 done", 30),
        (TITLED, "the ferry done", 10),
        (TITLED, "a debt", 10),
        (TITLED, "Chapter 2: A Debt", 10),
        (TITLED, "finished Out", 20),
        (BARE_TITLED, "finished the ferry", 10),
        (BARE_TITLED, "a debt done", 20),
        (CLOSED, "epilogue done", 40),
        (PLAY, "act 2 scene 1", 20),
        (PLAY, "act 1 done", 20),
        (FLAT_PLAY, "act 2 scene 1 done", 30),
        (OMNIBUS, "book 2 ch 1", 20),
        (OMNIBUS, "end of the quay", 20),
        (OMNIBUS, "The Pier", 20),
        (CANTOS, "Purgatorio 2", 30),
        (CANTOS, "we finished Inferno", 20),
        (CANTOS, "inferno 1 done", 10),
        (LETTERS_FIRST, "ch 1", 20),
        (LETTERS_FIRST, "letter 2 done", 20),
        (FRAMED, "prologue done", 10),
        (FRAMED, "the prologue", 0),
        (FRAMED, "ch 3", 40),
        (OLD, "part 2", 20),
        (OLD, "part 1 done", 20),
        (OLD, "ch 4 done", 40),
    ],
)
def test_a_place_is_found_by_its_printed_name(book: BookOutline, text: str, position: Position) -> None:
    assert resolve(parse_position(text, titles=True), book, current=10) == position


@pytest.mark.parametrize(
    ("current", "choices"),
    [
        (None, [("chapter 1 of volume 1 done", 10), ("chapter 1 of volume 2 done", 30)]),
        (25, [("chapter 1 of volume 2 done", 30), ("chapter 1 of volume 1 done", 10)]),
    ],
)
def test_where_two_fit_both_are_named_the_nearest_ahead_first(
    current: Position, choices: list[tuple[str, int]]
) -> None:
    request = parse_position("ch 1 done")
    found = meanings(request, VOLUMES, current=current)
    assert [(in_words(each), resolve(each, VOLUMES)) for each in found] == choices
    with pytest.raises(PositionError, match="more than one page"):
        resolve(request, VOLUMES)


def test_pages_with_one_label_are_named_by_their_chapters() -> None:
    book = _book(("Chapter 1",), ("Chapter 2",), again={"5": (5, 15)})
    found = meanings(parse_position("5"), book, current=7)
    assert [(in_words(each), resolve(each, book)) for each in found] == [
        ("p. 5 of chapter 2 done", 15),
        ("p. 5 of chapter 1 done", 5),
    ]


@pytest.mark.parametrize("text", ["the fall", "end of the fall", "no such title"])
def test_a_title_that_comes_later_gets_the_reply_of_an_unknown_one(text: str) -> None:
    with pytest.raises(PositionError) as refused:
        resolve(parse_position(text, titles=True), OMNIBUS, current=5)
    assert str(refused.value) == "I didn't catch the page. Try `120`, `ch 7 done` or `45%`."


@pytest.mark.parametrize("text", ["salt", "chapter 4: salt", "finished salt", "no such title"])
def test_a_title_behind_a_number_is_as_unknown_before_it_comes(text: str) -> None:
    with pytest.raises(PositionError, match="didn't catch"):
        resolve(parse_position(text, titles=True), TITLED, current=10)


@pytest.mark.parametrize(
    ("book", "text", "told"),
    [
        (VOLUMES, "vol 3 ch 1", "This book has volumes 1 to 2 with chapters; try `volume 1 chapter 1`."),
        (FRAMED, "ch 5 done", "This book has chapters 1 to 3; try `chapter 1`."),
        (_book(("Part One",), ("Part Two",)), "ch 2 done", "This book has parts 1 to 2; try `part 1`."),
    ],
)
def test_a_refusal_says_what_the_book_has(book: BookOutline, text: str, told: str) -> None:
    with pytest.raises(PositionError) as refused:
        resolve(parse_position(text), book)
    assert str(refused.value).endswith(told)


@pytest.mark.parametrize(
    ("title", "marks"),
    [
        ("Act II. Scene I", [("act", 2), ("scene", 1)]),
        ("Chapter the Third: The Sea", [("chapter", 3)]),
        ("IV", [("", 4)]),
        ("7. The Shore", [("", 7)]),
        ("1984", []),
        ("12 June", [("", 12)]),
        ("3 Days Later", [("", 3)]),
        ("The Book of Hours", []),
    ],
)
def test_the_numbers_that_a_title_prints(title: str, marks: list[tuple[str, int]]) -> None:
    assert [*marks_in(title)] == marks


TITLED = _book(("The Storm",), ("Seven",), ("The Letter I Never Sent",), ("Letter Day",))
NUMBERED_TITLES = _book(("1 The Quay",), ("2. A Letter from Home",), ("3 – The Book I Loved",), ("Epilogue",))


@pytest.mark.parametrize(
    ("book", "text", "position"),
    [
        (TITLED, "ch 3 done", 30),
        (NUMBERED_TITLES, "ch 2 done", 20),
        (NUMBERED_TITLES, "ch 3", 20),
        (_book(("Chapter 1: Act Two",), ("Chapter 2: The Letter I Never Sent",)), "ch 2 done", 20),
        (_book(("FIRST ACT",), ("SECOND ACT",)), "act 2 done", 20),
        (_book(("Part One", "1"), ("Interlude",), ("Part Two", "2")), "part one done", 10),
    ],
)
def test_words_and_numbers_within_a_title_count_nothing(book: BookOutline, text: str, position: Position) -> None:
    assert resolve(parse_position(text), book) == position
