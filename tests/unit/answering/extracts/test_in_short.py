"""Which notes stand above a quotation: those of read pages that fit the question, best ones only, marked as notes."""

import pytest

from core.answering.extracts.in_short import NoteWords, chosen, chosen_alike
from core.domain.note import Note

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
    assert [note.page for note in chosen_alike(words.alike(near, last_page=last_page, found={}))] == pages
