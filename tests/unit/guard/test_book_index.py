"""What the index of a book holds, and that odd books can be judged too."""

import pytest

from core.domain.book import Page
from core.guard.book_index import BookIndex, index_book
from core.guard.claim import claim_of
from core.guard.features import features
from core.guard.judge import Exempt, Judge
from core.guard.score import fitted_score
from tests.builders import a_book_text


@pytest.fixture
def story() -> BookIndex:
    return index_book(a_book_text().pages)


@pytest.mark.parametrize(("stem", "page"), [("ferri", 1), ("ledger", 3), ("magistr", 5), ("drown", 6)])
def test_a_stem_knows_the_page_it_is_first_read_on(stem: str, page: int, story: BookIndex) -> None:
    assert story.stem_first_page[story.stems.numbers_of([stem])] == [page]


def test_the_boundary_is_the_first_sentence_that_is_not_read(story: BookIndex) -> None:
    assert [story.boundary(page) for page in range(7)] == [0, 2, 4, 6, 8, 10, 12]
    assert story.boundary(6) == story.sentences


def test_forms_of_a_word_are_one() -> None:
    index = index_book([Page(number=1, text="He ran away. She runs too. His death came soon. They die.")])
    run, die = (index.stem_places(index.stems.number_of(stem) or 0) for stem in ("run", "die"))
    assert index.stem_sentences[run].tolist() == [0, 1]
    assert index.stem_sentences[die].tolist() == [2, 3]
    assert index.stem_counts[run].tolist() == [1, 1]


def test_names_are_late_where_no_page_up_to_there_has_them(story: BookIndex) -> None:
    first = {word: int(story.word_first_page[story.words.numbers_of([word])[0]]) for word in story.late_names(0)}
    assert len(set(first.values())) > 1
    for page in range(7):
        assert story.late_names(page) == [word for word in first if first[word] > page]


@pytest.mark.parametrize(("word", "folded"), [("İstanbul", "istanbul"), ("τῶν", "των")], ids=["Turkish", "Greek"])
def test_a_word_whose_small_letters_have_marks_of_their_own_is_one_word(word: str, folded: str) -> None:
    index = index_book([Page(number=1, text=f"Then he read {word} on the stone.")])
    assert [*index.words] == ["then", "he", "read", folded, "on", "the", "stone"]
    assert claim_of(f"It says {word}.", index).words == ("says", folded)


@pytest.mark.parametrize(
    "pages",
    [[], [""], ["***", "* * *"], ["One."], ["Это книга.", "В ней два листа."], ["word " * 3_000]],
    ids=["no page", "empty", "signs", "one word", "another script", "one sentence"],
)
@pytest.mark.parametrize("text", ["One day the keeper lit the lamp, and nobody saw him do it.", "Yes.", "— … —", ""])
def test_an_odd_book_can_be_judged(pages: list[str], text: str) -> None:
    index = index_book([Page(number=number, text=page) for number, page in enumerate(pages, start=1)])
    for last_page in range(len(pages) + 1):
        judge = Judge(index=index, last_page=last_page, fitted=fitted_score())
        found = judge.verdicts(text, Exempt.of("A Book", None, "Who?"), question="Who?")
        assert 0.0 <= found.score <= 1.0


@pytest.mark.parametrize("last_page", [0, 1, 3, 5, 6])
def test_there_are_all_the_features_that_the_fitted_model_asks_for(last_page: int, story: BookIndex) -> None:
    found = features(claim_of("The magistrate took the compass.", story), last_page=last_page)
    assert set(fitted_score().leaks.features) <= set(found)
    assert all(abs(value) < 1e6 for value in found.values())


@pytest.mark.parametrize(
    ("text", "last_page", "whole"),
    [
        ("Ann killed Ben.", 1, 1.0),
        ("Ann killed Ben.", 2, 0.0),
        ("Ann met Ben.", 1, 0.0),
        ("Ann killed Carl.", 1, 0.0),
        ("Somebody killed a fox.", 1, 0.0),
        ("Ann.", 1, 0.0),
    ],
    ids=["later", "read", "read in three sentences", "never", "nobody's name", "one word"],
)
def test_what_one_unread_sentence_says_whole_of_somebody_known_is_a_feature(
    text: str, last_page: int, whole: float
) -> None:
    apart = "It rained. It blew. It snowed. It cleared."
    index = index_book(
        [
            Page(number=1, text=f"There was Ann. She had met Ben. {apart} The hunter killed a fox. {apart}"),
            Page(number=2, text="So it was said that Ann had killed Ben. He killed another fox."),
        ]
    )
    assert features(claim_of(text, index), last_page=last_page)["whole"] == whole
