"""How far people say they have read, in their own words: what is understood, what is asked back, what moves nothing."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.domain.book import BookOutline, Chapter
from core.domain.copy_numbers import Unit
from core.domain.errors import PositionError
from core.domain.position import Position, announce
from core.domain.position_meaning import in_words, meanings, resolve
from core.domain.position_requests import PageRequest, PlaceInCopyRequest
from core.understanding.position_forms import parse_position

CHAPTERS = tuple(Chapter(number=n, title="", first_page=10 * n - 9, last_page=10 * n) for n in range(1, 31))
BOOK = BookOutline(pages=300, chapters=CHAPTERS)
STANDS_AT = 125
"""In the middle of chapter 13."""


def _page(text: str, *, book: BookOutline = BOOK, current: Position = STANDS_AT) -> Position:
    return resolve(parse_position(text), book, current=current)


def _may_mean(text: str, *, book: BookOutline = BOOK, current: Position = STANDS_AT) -> list[tuple[str, Position]]:
    found = []
    for meaning in meanings(parse_position(text), book):
        try:
            found.append((in_words(meaning), resolve(meaning, book, current=current)))
        except PositionError:
            continue
    return found


@pytest.mark.parametrize(
    ("position", "texts"),
    [
        (20, "pp. 20; pg 20; pgs 20; page 20 of 300; 20/300; p20; #20; # 20; I'm on page 20; I’m on p. 20; Page: 20"),
        (20, "page twenty; twenty; the 20th page; no. 20; page number 20; page #20; p. 20/300; 20 out of 300; 20!"),
        (20, "we are at page 20 now; read to page 20; up to p 20; stopped at 20; got to page 20; page 20 done"),
        (
            20,
            "finished page 20; first 20 pages; 20 pages in; about 20; ~20; set the page to 20; /setpage 20; 20, thanks",
        ),
        (20, "ok so we're on p. 20; we have all read until page 20; currently on 20; PAGE 20 please; through page 20"),
        (30, "chapter 3 finished; end of chapter 3; done with ch 3; through chapter 3; ch. 3 done!; end of ch III"),
        (
            30,
            "I've read chapter 3; just finished chapter three; ch 3 complete; after chapter 3; the third chapter done",
        ),
        (30, "chapters 1-3; chapters 1 to 3 done; chapter 3, done; chapter 3 is done; up to and including chapter 3"),
        (25, "halfway through ch 3; half of chapter 3; mid ch 3; in the middle of chapter 3; ch 3 half; halfway ch3"),
        (
            20,
            "ch. III; chapter three; ch #3; third chapter; chapter no. 3; chapter 3 of 30; ch 3/30; start of chapter 3",
        ),
        (
            30,
            "start of chapter 4; on ch 4; I'm in chapter 4; starting chapter 4; about to start ch 4; before chapter 4",
        ),
        (
            30,
            "reached chapter 4; haven't started chapter 4 yet; beginning of ch. 4; chapter 4 started; next is ch 4",
        ),
        (130, "end of this chapter; finished this chapter; done with the chapter; chapter done; this chapter is done"),
        (125, "halfway through this chapter"),
        (
            0,
            "start; the start; beginning; at the beginning; not started; haven’t started; I haven't started yet",
        ),
        (0, "nothing; nothing yet; none; zero; just started; about to start; start of the book; 0 of 300; p. 0"),
        (
            150,
            "halfway; half; half way; halfway through the book; half of the book; the middle; 1/2; 150/300; 50 pct",
        ),
        (100, "a third; one third of the book; 1/3"),
        (225, "three quarters; three-quarters of the way through; 3/4; 75 pct; 75 per cent of the book; about 75%"),
        (135, "45 percent; 45%; 45 % done; I'm 45% in; we are at 45%; forty-five percent"),
        (136, "45,5%; 45.5 %"),
        (
            300,
            "the end; end; The End.; at the end; finished the book; the book is finished; the whole book; read it all",
        ),
        (
            300,
            "done with the book; all of it; last page; we've finished the novel; 100%; the very end; end of the book",
        ),
        (
            135,
            "+10; + 10; +10 pages; 10 more pages; ten more pages; another 10 pages; 10 more; 10 pages further; plus 10",
        ),
        (126, "one more page; +1"),
    ],
)
def test_what_people_say_is_understood(position: Position, texts: str) -> None:
    assert {text: _page(text) for text in texts.split("; ")} == dict.fromkeys(texts.split("; "), position)


@pytest.mark.parametrize(
    ("text", "may_mean"),
    [
        ("done", [("the whole book", 300), ("this chapter", 130)]),
        ("I'm finished!", [("the whole book", 300), ("this chapter", 130)]),
        ("20 pages", [("p. 20", 20), ("20 more pages", 145)]),
        ("I've read 20 pages", [("p. 20", 20), ("20 more pages", 145)]),
        ("7 done", [("p. 7", 7), ("chapter 7 done", 70)]),
        ("up to 7", [("p. 7", 7), ("chapter 7 done", 70)]),
        ("until chapter 7", [("chapter 7 begun", 60), ("chapter 7 done", 70)]),
    ],
)
def test_what_two_readings_fit_may_mean_either(text: str, may_mean: list[tuple[str, Position]]) -> None:
    assert _may_mean(text) == may_mean
    assert len({page for _, page in may_mean}) > 1
    with pytest.raises(PositionError):
        _page(text)


@pytest.mark.parametrize(
    ("text", "position", "current"),
    [
        ("done", 300, 295),
        ("done", 300, None),
        ("200 pages", 200, STANDS_AT),
        ("200 pages", 200, None),
        ("7 done", 7, 7),
    ],
)
def test_where_the_book_leaves_one_reading_nothing_is_asked(text: str, position: int, current: Position) -> None:
    book = BOOK if text != "7 done" else BookOutline(pages=300)
    assert _page(text, book=book, current=current) == position


def _of(number: int, of: int) -> PlaceInCopyRequest:
    return PlaceInCopyRequest(unit=Unit.PAGES, number=number, of=of)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("page 20 of 250", [_of(20, 250)]),
        ("20/250", [_of(20, 250)]),
        ("page 260 of 250", [PageRequest(label="260", of=250)]),
        ("7/30", [PageRequest(label="7"), _of(7, 30)]),
    ],
)
def test_a_page_of_so_many_is_one_of_a_copy_that_has_them(
    text: str, expected: list[PageRequest | PlaceInCopyRequest]
) -> None:
    assert meanings(parse_position(text), BOOK) == expected


NOT_SAID = """not page 20; I'm not on page 20; page 20?; is it page 20; never; almost page 20; nearly finished; all;
not done; not finished; haven't finished; haven't read chapter 3; not chapter 3; ch 3?; done?; 20 or 30; p. 20 or 30;
pages 20-30; 1.5; 20 minutes; in 20 minutes; tomorrow; by 7; back to 20; 10 back; -10; a few more pages; half baked;
twelve monkeys; chapter the last; finished with bob; done with you; no; yes; ok; lol; page; ch; 7/5; 5/0; read; third;
until; to; ch 3 p. 20; 20 20; +; more; the book; a; halfway to chapter 3 and back; five thirds; 300% sure"""


@pytest.mark.parametrize("text", " ".join(NOT_SAID.split()).split("; "))
def test_what_only_resembles_a_form_moves_nothing(text: str) -> None:
    with pytest.raises(PositionError):
        _page(text)


FORMS = [
    *("{}", "p. {}", "pages {}", "I'm on page {}", "#{}", "{}/300", "up to {}", "{} pages", "+{}", "{} more pages"),
    *("ch {}", "ch {} done", "halfway through ch {}", "chapters 1-{}", "finished {}", "through chapter {}"),
    *("until ch {}", "{} done", "{}%", "{} percent"),
]
WORDS = st.text("abcdefghijklmnopqrstuvwxyz'", min_size=1, max_size=12)
UNDERSTOOD = """
a about add additional after ahead all already an and another approx approximately around at before begin beginning
begun book by ch chap chapter chapters chpt chs circa complete completed currently done end ended extra finish
finished first follow for forward from further h half half-way halfway have hey hi i i'm i've im in included inclusive
into is it it's ive just left later mid middle midway more my next no none nothing novel now nr number of ok okay on one
only onto or out over p page pages past pct percent pg pgs please pls plus point pp reached read reading reset setpage
so start started starting still story thanks the there through thru til till to today tonight uh um undo until up was
way we we'd we'll we're we've well were weve whole yep yes yet zero
h hour hours hr hrs kindle loc location locations locs min mins minute minutes
"""


@given(st.sampled_from(FORMS), st.integers(0, 400), WORDS, st.integers(0, 5))
def test_one_foreign_word_makes_it_no_form(form: str, number: int, word: str, at: int) -> None:
    """A `not`, a name, whatever is not one of the words of the forms: nothing moves, wherever it stands."""
    assume(word.strip("'") not in UNDERSTOOD.split() and not set(word) <= set("ivxlcdm"))
    assume(not _is_number_word(word))
    said = form.format(number).split()
    with pytest.raises(PositionError):
        parse_position(" ".join([*said[:at], word, *said[at:]]))


def _is_number_word(word: str) -> bool:
    try:
        parse_position(word)
    except PositionError:
        return False
    return True


@given(
    st.text(max_size=70)
    | st.lists(st.sampled_from(UNDERSTOOD.split() + list("0123456789%#+/.,!-")), max_size=9).map(" ".join)
)
def test_whatever_is_said_stays_in_the_book_or_is_refused_in_one_sentence(text: str) -> None:
    for current in (None, 0, STANDS_AT, 300):
        try:
            found = _may_mean(text, current=current)
        except PositionError as refusal:
            assert "\n" not in str(refusal)  # noqa: PT017
            assert str(refusal).endswith(".")  # noqa: PT017
        else:
            assert all(page is None or 0 <= page <= BOOK.pages for _, page in found)


@given(st.integers(1, 300))
def test_a_number_that_was_said_is_the_page_that_is_set(number: int) -> None:
    for form in ("{}", "p{}", "pp. {}", "#{}", "I'm on page {}", "{}/300", "page {} of 300", "read up to p. {}"):
        assert _page(form.format(number)) == number


@pytest.mark.parametrize(
    ("said", "pages", "line"),
    [
        ("45%", 7, "Anna set the thread to p. 3 (45 %)."),
        ("45,5 %", 200, "Anna set the thread to p. 91 (45.5 %)."),
        ("a third", 200, "Anna set the thread to p. 66 (33 %)."),
        ("halfway", 7, "Anna set the thread to p. 3 (50 %)."),
    ],
)
def test_the_share_that_was_said_is_the_one_announced(said: str, pages: int, line: str) -> None:
    request = parse_position(said)
    percent = getattr(request, "percent", None)
    assert isinstance(percent, Fraction)
    position = resolve(request, BookOutline(pages=pages))
    assert announce("Anna", None, position, BookOutline(pages=pages), percent=percent) == line
