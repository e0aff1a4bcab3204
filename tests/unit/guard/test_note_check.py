"""A note is held against the book's text: what tells of later pages moves there, what cannot be checked stays out."""

import pytest

from core.domain.note import Note
from core.guard.book_index import BookIndex
from core.guard.judge import Exempt
from core.guard.note_check import NoteCheck
from core.guard.score import fitted_score


@pytest.fixture(scope="module")
def check(sample_index: BookIndex) -> NoteCheck:
    return NoteCheck(index=sample_index, exempt=Exempt.of("Short Weight", None, None), fitted=fitted_score())


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("The narrator is Inspector of Weights and Measures for the Borough of Garsby Haven.", 1),
        ("The stove in the weighbridge hut is out and has been raked clean.", 2),
        ("The farmer says that the factory made his load of beet three hundredweight short.", 14),
    ],
)
def test_a_note_of_its_page_stays_there(check: NoteCheck, text: str, page: int) -> None:
    assert check.place(text, page).page == page


@pytest.mark.parametrize(
    ("text", "page", "first_told"),
    [
        ("Detective Inspector Lacey comes from the county.", 3, 7),
        ("The widow's husband is called Wilfred Coupland.", 10, 35),
        ("The clock on the wall said seven minutes to eight and her watch three minutes to.", 1, 2),
        ("The Home Secretary writes that Hallam need not hang.", 20, 80),
    ],
)
def test_a_note_that_tells_of_later_pages_goes_there(check: NoteCheck, text: str, page: int, first_told: int) -> None:
    place = check.place(text, page)
    assert place.page is not None
    assert place.page >= first_told


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A detective called Holmes comes to Garsby Haven.", "'holmes', whom this book does not"),
        ("…", "says nothing"),
        ("Xyzzy quux.", "says nothing"),
        ("Der Wiegemeister Prewett ist nicht in seiner Hütte an der Brücke.", "it "),
    ],
)
def test_what_cannot_be_held_against_the_book_stays_out(check: NoteCheck, text: str, reason: str) -> None:
    place = check.place(text, 2)
    assert place.page is None
    assert reason in place.reason


_SHOWN = Note(
    page=2, text="Prewett's cap and muffler still hang on their nail, with the grey mittens tucked into the cap."
)


def test_a_note_is_shown_from_its_page_on(check: NoteCheck) -> None:
    assert [page for page in (0, 1, 2, 40, 83) if check.may_be_shown(_SHOWN, last_page=page)] == [2, 40, 83]


@pytest.mark.parametrize(
    "note",
    [
        Note(page=2, text=_SHOWN.text, moved_from=1),
        Note(page=2, text="He is gone."),
        Note(page=2, text="Hallam moved the hands of the clock to get a later time on the ticket."),
        Note(page=2, text="Something is wrong with the plate of the bridge, as will be seen."),
    ],
)
def test_what_does_not_clearly_rest_on_its_page_is_not_shown(check: NoteCheck, note: Note) -> None:
    assert not check.may_be_shown(note, last_page=2)
