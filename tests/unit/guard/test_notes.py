"""Reading notes as evidence: they have a say in how likely a sentence leaks, and in nothing else."""

import math

import pytest

from core.domain.book import Page
from core.domain.verdict import SentenceVerdict
from core.guard.book_index import BookIndex, StemIndex, index_book, index_notes
from core.guard.judge import Exempt, Judge
from core.guard.score import fitted_score

_DAYS = (
    "The ferry left at dawn and the gulls cried over the grey harbour.",
    "Old Marten mended the nets and sang of winters long past.",
    "A stranger asked for bread, and Ilse gave him half of hers.",
    "The bell of the chapel had been stolen in the night, said the sexton.",
    "Ilse counted the boats, and one of them did not come home.",
    "At the inn they drank to the lost, and nobody spoke of the storm.",
    "Marten put down his knife. He said: it was I who cut the rope, and I would do so again.",
    "They took him over the water, and Ilse kept his nets.",
)
_NOTES = tuple(
    enumerate(
        (
            "The ferry sets out in the early morning. There are seagulls.",
            "Marten repairs his fishing gear. He remembers the past.",
            "Ilse shares her food with a beggar. She is kind to him.",
            "Somebody has robbed the chapel of its bell. The sexton tells of it.",
            "Ilse notices that a boat is missing. She is afraid.",
            "The villagers mourn the drowned sailors in the tavern. They are silent about the weather.",
            "Marten confesses that he murdered the skipper by severing the line. He is not sorry.",
            "The murderer is brought to prison. Ilse inherits his belongings.",
        ),
        start=1,
    )
)
_SENTENCES = tuple((page, f"{part.strip('.')}.") for page, note in _NOTES for part in note.split(". "))
_AHEAD = "Marten confesses that he murdered the skipper."
_READ = "Ilse shares her food with a beggar."


@pytest.fixture(scope="module")
def book() -> BookIndex:
    return index_book(Page(number=number, text=text) for number, text in enumerate(_DAYS, start=1))


@pytest.fixture(scope="module")
def notes(book: BookIndex) -> StemIndex:
    found = index_notes(_SENTENCES, book)
    assert found is not None
    return found


def _judged(text: str, page: int, book: BookIndex, notes: StemIndex | None, *, strict: bool = False) -> SentenceVerdict:
    judge = Judge(index=book, last_page=page, fitted=fitted_score(), notes=notes, strict=strict)
    return judge.verdicts(text, Exempt.of("The Ferry", None, None)).sentences[0]


def test_what_an_unread_note_says_looks_worse_and_what_a_read_one_says_better(
    book: BookIndex, notes: StemIndex
) -> None:
    assert _judged(_AHEAD, 5, book, notes).score > _judged(_AHEAD, 5, book, None).score
    assert _judged(_READ, 5, book, notes).score < _judged(_READ, 5, book, None).score


def test_a_name_that_only_notes_have_stays_a_stranger(book: BookIndex) -> None:
    naming = index_notes([(page, f"Tobias sees it. {note}") for page, note in _SENTENCES], book)
    found = _judged("Ilse met Tobias.", 5, book, naming)
    assert [(reason.kind, reason.evidence) for reason in found.reasons] == [("name", "tobias")]


@pytest.mark.parametrize(
    ("kept", "is_used"),
    [
        (slice(0), False),
        (slice(0, None, 2), False),  # one a page
        (slice(12), False),  # nothing on the last two pages
        (slice(14), True),
        (slice(16), True),
    ],
)
def test_notes_are_used_only_where_nearly_every_page_has_two(kept: slice, is_used: bool, book: BookIndex) -> None:
    assert (index_notes(_SENTENCES[kept], book) is not None) == is_used


def test_notes_clear_a_sentence_of_what_the_text_says_only_by_a_little(book: BookIndex) -> None:
    told_early = [*_SENTENCES, *((page, _AHEAD) for page in range(1, 6))]
    suspect = "Marten put down his knife and told them that he cut the rope and would do so again."
    for text in (_AHEAD, suspect):
        by_text = _judged(text, 5, book, None).score
        trusting = _judged(text, 5, book, index_notes([*told_early, *((1, suspect) for _ in range(3))], book)).score
        assert _log_odds(trusting) >= _log_odds(by_text) - 1.001


def _log_odds(chance: float) -> float:
    return math.log(chance / (1 - chance))
