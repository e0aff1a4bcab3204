"""The likeliest passages: what they hold, how long they are, and that no sentence is given twice."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.extracts.answer_chances import QuestionCover, chances, features
from core.answering.extracts.likeliest import choose, likeliest_passages
from core.answering.extracts.read_text import ReadSentence, ReadText
from core.domain.book import Page
from core.guard.draft import MOST_WORDS
from core.language.words import content_words, stem_words, words
from core.ports.word_traces import Traces

_LONG = " ".join(f"On day {day} the keeper counted his gulls and wrote the number down." for day in range(40))


def _runs(*pages: str) -> list[list[ReadSentence]]:
    return [ReadText([Page(number=at, text=text) for at, text in enumerate(pages, 1)]).sentences(1, len(pages))]


def _traces(question: str, runs: Sequence[Sequence[ReadSentence]], *, best: int = 1, last: int = 3) -> Traces:
    texts = [" ".join(each.text for each in run) for run in runs]
    return _plain_traces(question, texts, {page: 5.0 if page == best else 1.0 for page in range(1, last + 1)})


def _held(question: str, runs: Sequence[Sequence[ReadSentence]]) -> QuestionCover:
    return QuestionCover(runs, _traces(question, runs))


def _texts(question: str, *pages: str, most: int = 1) -> list[str]:
    runs = _runs(*pages)
    found = likeliest_passages(question, runs, _traces(question, runs), most=most)
    return [" ".join(passage.paragraphs) for passage in found]


def test_it_holds_whole_sentences_around_what_is_asked_and_uses_its_150_words() -> None:
    [text] = _texts("Who broke the brass lamp?", f"{_LONG} Tobias broke the brass lamp in anger. {_LONG}")
    assert "Tobias broke the brass lamp in anger." in text
    assert MOST_WORDS - 15 <= len(text.split()) <= MOST_WORDS


def test_another_passage_shares_no_sentence_with_one_that_was_given() -> None:
    page = f"{_LONG} Tobias broke the lamp. {_LONG} The lamp was brass. Tobias wept. {_LONG}"
    runs = _runs(page)
    found = likeliest_passages("Who broke the lamp?", runs, _traces("Who broke the lamp?", runs), most=4)
    assert len(found) == 4
    given_ones = [id(sentence) for passage in found for sentence in passage.sentences]
    assert len(set(given_ones)) == len(given_ones)


def test_nothing_is_given_where_no_sentence_holds_enough_of_the_question() -> None:
    assert _texts("Who broke the brass lamp?", "A castle on a hill.") == []


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How many lamps were there?", "Twenty years of it, he said."),
        ("Why did the lamp break?", "It was because he fell."),
        ("Where was the lamp?", "It stood in the cellar."),
        ("Who broke the lamp?", "It had been Tobias all along."),
    ],
)
def test_what_looks_like_an_answer_to_what_is_asked_is_likelier(question: str, sentence: str) -> None:
    runs = _runs(f"The lamp! {sentence}")
    plain = _runs("The lamp! So they all went on, and on.")
    with_it, without = ([chances(question, each, _held(question, each))[0][1]] for each in (runs, plain))
    assert with_it > without


def test_a_run_says_nothing_of_what_stands_in_another() -> None:
    question = "Who broke the lamp?"
    [one], [other] = _runs("It was a quiet day."), _runs("Tobias broke the lamp.")
    names, both = features(question, [one, other], _held(question, [one, other]))
    assert both[0, names.index("alike_near")] == 0
    assert both[1, names.index("alike_near")] > 0


@given(st.lists(st.floats(0, 1), min_size=41, max_size=41), st.integers(1, 5))
def test_passages_are_short_enough_and_apart_wherever_the_chances_lie(likely: list[float], most: int) -> None:
    runs = _runs(_LONG, "III\n\nThe end.")
    values = np.resize(np.array(likely), len(runs[0]))
    chosen = choose(runs, [values], most=most)
    places = [place for each in chosen for place in range(each.begin, each.end)]
    assert len(set(places)) == len(places)
    assert all(sum(one.words for one in runs[0][each.begin : each.end]) <= MOST_WORDS for each in chosen)
    assert not any(runs[0][place].is_heading for place in places)


def _plain_traces(query: str, texts: Sequence[str], scores: dict[int, float]) -> Traces:
    """Return the traces on runs of pages of some texts by words alone: all equally rare, nothing like anything else."""
    stems = list(dict.fromkeys(stem_words(content_words(query))))
    standing = [stem_words(words(text)) for text in texts]
    known = {stem for of_run in standing for stem in of_run}
    return Traces(
        pages=list(scores),
        scores=np.array(list(scores.values())),
        stems=stems,
        rarities=np.ones(len(stems)),
        is_read=[stem in known for stem in stems],
        held=[
            np.array([[float(word == stem) for word in of_run] for stem in stems]).reshape(len(stems), -1)
            for of_run in standing
        ],
        gist=[np.zeros(len(of_run)) for of_run in standing],
        squares=[np.ones(len(of_run)) for of_run in standing],
        theme=[np.zeros(len(of_run)) for of_run in standing],
    )
