"""Which notes stand above a quotation: those of read pages that fit the question, best ones only, marked as notes."""

import pytest

from core.answering.extracts.in_short import LEAST_LIKE, NEXT_LIKE, NoteWords, chosen, noted, rendered
from core.answering.extracts.people import find_known
from core.answering.extracts.read_text import ReadText
from core.domain.note import Note
from tests.builders import a_book_text

_NOTES = [
    Note(page=1, number=1, text="Ada Lindqvist carries a brass compass."),
    Note(page=2, number=1, text="Tobias Fenn keeps the lighthouse."),
    Note(page=2, number=2, text="The seven clocks of Tobias never agree."),
    Note(page=4, number=1, text="Somebody steals the compass by night."),
    Note(page=6, number=1, text="The magistrate drowned the pilot to get the compass."),
]


@pytest.fixture(scope="module")
def words() -> NoteWords:
    return NoteWords(_NOTES[::-1])


def _chosen(words: NoteWords, question: str, *, last_page: int = 6, found: dict[int, float] | None = None) -> list[int]:
    return [note.page for note in chosen(words.fitting(question, last_page=last_page, found=found or {}))]


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("Who keeps the lighthouse?", [2]),
        ("Who steals a compass by night?", [4]),
        ("Do the seven clocks of Tobias agree?", [2]),
        ("Who drowned the pilot?", [6]),
        ("Who dances with the bishop?", []),
        ("", []),
        ("of the and to", []),
    ],
)
def test_a_question_gets_the_notes_that_fit_it(words: NoteWords, question: str, pages: list[int]) -> None:
    assert _chosen(words, question) == pages


@pytest.mark.parametrize("last_page", range(7))
def test_no_note_of_an_unread_page_ever_fits(words: NoteWords, last_page: int) -> None:
    for question in ("Who got the compass?", "Who drowned the pilot?", "Tobias and his clocks"):
        fitting = words.fitting(question, last_page=last_page, found={6: 1.0})
        assert all(each.note.page <= last_page for each in fitting)


def test_what_unread_notes_say_weighs_nothing(words: NoteWords) -> None:
    short = NoteWords([note for note in _NOTES if note.page <= 2])
    for question in ("Who has the compass?", "Which clocks does Tobias keep in the lighthouse?"):
        at_two = words.fitting(question, last_page=2, found={})
        assert [each.note for each in at_two] == [each.note for each in short.fitting(question, last_page=6, found={})]


def test_at_most_three_are_chosen_in_the_order_of_the_book() -> None:
    many = NoteWords([Note(page=page, number=1, text="The clocks strike.") for page in range(9, 0, -1)])
    assert _chosen(many, "When do the clocks strike?", last_page=9, found={7: 1.0, 8: 0.9, 3: 0.95}) == [3, 7, 8]


@pytest.mark.parametrize(
    ("near", "last_page", "pages"),
    [
        ([(1, 0.7), (0, 0.3)], 6, [2]),
        ([(3, 0.7), (1, 0.69), (0, 0.66), (2, 0.65)], 6, [1, 2, 4]),
        ([(4, 0.9), (1, 0.6)], 5, [2]),
        ([(1, 0.4)], 6, []),
        ([], 6, []),
    ],
)
def test_by_meaning_the_likest_notes_of_read_pages_are_chosen(
    words: NoteWords, near: list[tuple[int, float]], last_page: int, pages: list[int]
) -> None:
    alike = words.alike(near, last_page=last_page, found={})
    assert [note.page for note in chosen(alike, least=LEAST_LIKE, next_best=NEXT_LIKE)] == pages


_TELLING = [
    Note(page=1, number=1, text="It is a grey morning in the harbour."),
    Note(page=1, number=2, text="The wind seems cold."),
    Note(page=2, number=1, text="Ada hides the ledger under the coal."),
    Note(page=2, number=2, text="Tobias looks for the ledger and finds Ada."),
    Note(page=3, number=1, text="Ada drowns Tobias in the harbour with the ledger."),
]


def test_what_people_do_with_what_matters_tells_more_than_the_weather() -> None:
    best = NoteWords(_TELLING).telling(1, 2)
    assert {note.text for note in best[:2]} == {_TELLING[2].text, _TELLING[3].text}
    assert len(best) == 4


@pytest.mark.parametrize("last_page", range(1, 4))
def test_what_tells_most_and_who_somebody_is_hang_on_read_notes_alone(last_page: int) -> None:
    read = [note for note in _TELLING if note.page <= last_page]
    every, short = NoteWords(_TELLING), NoteWords(read)
    assert every.telling(1, last_page) == short.telling(1, last_page)
    mentions = find_known(ReadText(a_book_text([each.text for each in _TELLING]).pages), "Ada")
    assert mentions is not None
    assert every.about(mentions, last_page) == short.about(mentions, 3)


def test_who_somebody_is_comes_before_what_they_do_and_the_last_deed_before_talk() -> None:
    texts = ["Ada takes the ferry.", "Ada is the daughter of the pilot.", "Ada steals the compass.", "Ada seems tired."]
    mentions = find_known(ReadText(a_book_text(texts).pages), "Ada")
    assert mentions is not None
    who, latest = NoteWords([Note(page=page, text=text) for page, text in enumerate(texts, 1)]).about(mentions, 4)
    assert (who[0].page, latest[0].page) == (2, 3)


def test_beside_notes_stands_a_sentence_of_a_page_that_they_cite() -> None:
    read = ReadText(a_book_text().pages)
    told = noted("**Tobias**", rendered([Note(page=3, text="Tobias hides the ledger.")]), read)
    assert told.text == (
        "**Tobias**\n\n**In short** (reading notes, not the book's words): Tobias hides the ledger. (p. 3)\n\n"
        "> Tobias hid the ledger under the coal. (p. 3)"
    )
    assert told.pages == (3,)
