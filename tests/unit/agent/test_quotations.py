"""Choosing quotations: verbatim, bounded, never twice, and for any question whatever."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.strategies.quotations import (
    FIT_THRESHOLD,
    MOST_WORDS,
    Quotation,
    best_sentences,
    choose_quotations,
    together,
)
from core.domain.passage import SearchResult
from core.text.sentences import fold_space, word_count
from tests.builders import STORY, a_passage

_PASSAGES = [a_passage(text, chunk_id=page, page=page) for page, text in enumerate(STORY, start=1)]

_WORDS = st.sampled_from([*" ".join(STORY).split(), "Mr.", "?", "…", "the", "one.", "\n\n", "Zug!"])
_TEXTS = st.lists(_WORDS, min_size=1, max_size=300).map(" ".join)
_DRAWN = st.lists(_TEXTS, max_size=6).map(
    lambda texts: [a_passage(text, chunk_id=number, page=number) for number, text in enumerate(texts, start=1)]
)
_QUESTIONS = st.text(max_size=60) | st.lists(_WORDS, max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("question", "quoted", "page"),
    [
        ("Who carried the brass compass?", "Ada Lindqvist carried a brass compass in her coat.", 1),
        ("Where did Tobias hide the ledger?", "Tobias hid the ledger under the coal.", 3),
        ("Whose glove was it?", "The glove belonged to the magistrate.", 5),
    ],
)
def test_the_sentence_that_fits_is_quoted_with_its_page(question: str, quoted: str, page: int) -> None:
    found = choose_quotations(question, _PASSAGES)
    assert any(quoted in q.text for q in found)
    assert page in {q.page for q in found}


@pytest.mark.parametrize("question", ["", "?!", "who is it and why", "Kangaroo bicycle repair", "\x00", "🙂🙂"])
def test_where_nothing_fits_nothing_is_quoted(question: str) -> None:
    assert choose_quotations(question, _PASSAGES) == []


def test_without_passages_nothing_is_quoted() -> None:
    assert choose_quotations("Who carried the compass?", []) == []


@given(_QUESTIONS, _DRAWN)
def test_every_quotation_stands_in_its_passage_and_all_are_short(
    question: str, passages: Sequence[SearchResult]
) -> None:
    found = choose_quotations(question, passages)
    assert all(fold_space(q.text).removesuffix(" …") in fold_space(q.passage.text) for q in found)
    assert all(q.passage in passages for q in found)
    assert sum(word_count(q.text) for q in found) <= MOST_WORDS


@given(_QUESTIONS, _DRAWN)
def test_no_passage_is_quoted_twice_and_all_stand_in_the_order_of_the_book(
    question: str, passages: Sequence[SearchResult]
) -> None:
    places = [(q.page, q.passage.chunk_id) for q in choose_quotations(question, passages)]
    assert places == sorted(set(places))
    assert len(places) <= 3


@given(_QUESTIONS, _DRAWN)
def test_the_fit_is_a_share_and_what_is_quoted_reaches_the_threshold(
    question: str, passages: Sequence[SearchResult]
) -> None:
    assert all(q is None or 0 < q.fit <= 1 + 1e-9 for q in best_sentences(question, passages))
    assert all(q.fit >= FIT_THRESHOLD for q in choose_quotations(question, passages))


def test_a_threshold_of_everything_wants_every_word_of_the_question() -> None:
    assert choose_quotations("brass compass", _PASSAGES, threshold=0.999) != []
    assert choose_quotations("brass compass zebra", _PASSAGES, threshold=0.999) == []


def test_a_sentence_beyond_all_measure_is_cut_and_marked() -> None:
    monster = a_passage("The compass " + "and the sea " * 200 + "end.")
    [quotation] = choose_quotations("compass", [monster])
    assert word_count(quotation.text) <= MOST_WORDS
    assert quotation.text.endswith(" …")
    assert monster.text.startswith(quotation.text.removesuffix(" …"))


def test_a_short_sentence_brings_the_next_one_along() -> None:
    [quotation] = choose_quotations("compass", [a_passage("It rained. The compass spun. Nobody saw it. They slept.")])
    assert quotation.text == "The compass spun. Nobody saw it."


def test_of_many_passages_that_fit_at_most_three_are_quoted_within_150_words() -> None:
    long = "The compass lay " + "far " * 60 + "away."
    found = choose_quotations("compass", [a_passage(long, chunk_id=number, page=number) for number in range(1, 8)])
    assert [q.page for q in found] == [1, 2]


@pytest.mark.parametrize("text", ["“The compass?”—“Here it is.” She smiled.", "The compass!—cried Ada. She ran."])
def test_sentences_that_stand_close_together_are_quoted_so(text: str) -> None:
    [quotation] = choose_quotations("compass", [a_passage(text)])
    assert text.startswith(quotation.text)


def test_a_heading_is_not_quoted() -> None:
    passage = a_passage("The Burglary at the Vicarage\n\nThe facts of the burglary came to us through the vicar.")
    [quotation] = choose_quotations("What of the burglary?", [passage])
    assert quotation.text == "The facts of the burglary came to us through the vicar."


def test_a_short_sentence_is_not_joined_with_the_next_paragraph() -> None:
    [quotation] = choose_quotations("compass", [a_passage("“The compass!”\n\nShe ran to the boats.")])
    assert quotation.text == "“The compass!”"


def test_of_a_long_speech_the_stretch_that_fits_is_quoted() -> None:
    speech = "“" + "I had gone down to the sea again. " * 14 + "The compass was broken. " + "Nobody came. " * 20 + "”"
    [quotation] = choose_quotations("What was broken?", [a_passage(speech)])
    assert "The compass was broken." in quotation.text
    assert quotation.text.startswith("… ")
    assert len(quotation.text.split()) <= 72


@pytest.mark.parametrize(
    "question", ["How does the book end?", "What happens in the next chapter?", "hello", "Thanks!"]
)
def test_what_asks_for_no_word_of_the_book_is_not_answered_with_one(question: str) -> None:
    passage = a_passage("Thus ends the first book. “Hello,” he said. It happened in the next chapter, thanks to her.")
    assert choose_quotations(question, [passage]) == []


def _quotation(text: str, page: int) -> Quotation:
    return Quotation(text=text, fit=0.5, passage=a_passage(text, chunk_id=page, page=page))


def test_what_is_given_first_stays_and_the_rest_fills_the_room() -> None:
    first, same, other = _quotation("Ada did it.", 5), _quotation("Ada did it.", 2), _quotation("It rained.", 1)
    assert together([first], [same, other]) == [other, first]
    assert together([], [other]) == [other]
    many = [_quotation(f"Page {page}.", page) for page in range(1, 9)]
    assert together([first], many) == [many[0], many[1], first]


def test_together_they_hold_no_more_words_than_one_answer() -> None:
    long = [_quotation(" ".join([f"word{page}"] * 100), page) for page in (1, 2)]
    assert together(long, [_quotation("It rained.", 3)]) == [long[0], _quotation("It rained.", 3)]
