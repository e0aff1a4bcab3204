"""The places that answer best: what they hold, how long they are, where they end, and that no sentence comes twice."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.extracts.place_scores import QuestionCover, features
from core.answering.extracts.places import MOST_WORDS, chosen, likeliest_places, places_by_words, widened
from core.answering.extracts.read_text import ReadSentence, ReadText
from core.domain.book import Page
from core.language.words import content_words, stem_words, words
from core.ports.word_traces import Traces
from tests.builders import STORY

_LONG = " ".join(f"On day {day} the keeper counted his gulls and wrote the number down." for day in range(40))


def _runs(*pages: str) -> list[list[ReadSentence]]:
    return [_read(*pages).sentences(1, len(pages))]


def _traces(question: str, runs: Sequence[Sequence[ReadSentence]], *, best: int = 1, last: int = 3) -> Traces:
    texts = [" ".join(each.text for each in run) for run in runs]
    return _plain_traces(question, texts, {page: 5.0 if page == best else 1.0 for page in range(1, last + 1)})


def _held(question: str, runs: Sequence[Sequence[ReadSentence]]) -> QuestionCover:
    return QuestionCover(runs, _traces(question, runs))


def _texts(question: str, *pages: str, most: int = 1) -> list[str]:
    runs = _runs(*pages)
    found = likeliest_places(runs, _traces(question, runs), most=most)
    return [" ".join(passage.paragraphs) for passage in found]


def test_it_holds_whole_sentences_around_what_is_asked_and_uses_its_90_words() -> None:
    [text] = _texts("Who broke the brass lamp?", f"{_LONG} Tobias broke the brass lamp in anger. {_LONG}")
    assert "Tobias broke the brass lamp in anger." in text
    assert MOST_WORDS - 15 <= len(text.split()) <= MOST_WORDS


def test_another_passage_shares_no_sentence_with_one_that_was_given() -> None:
    page = f"{_LONG} Tobias broke the lamp. {_LONG} The lamp was brass. Tobias wept. {_LONG}"
    runs = _runs(page)
    found = likeliest_places(runs, _traces("Who broke the lamp?", runs), most=4)
    assert len(found) == 4
    given_ones = [id(sentence) for passage in found for sentence in passage.sentences]
    assert len(set(given_ones)) == len(given_ones)


def test_nothing_is_given_where_no_sentence_holds_enough_of_the_question() -> None:
    assert _texts("Who broke the brass lamp?", "A castle on a hill.") == []


def test_a_run_says_nothing_of_what_stands_in_another() -> None:
    question = "Who broke the lamp?"
    [one], [other] = _runs("It was a quiet day."), _runs("Tobias broke the lamp.")
    names, both = features([one, other], _held(question, [one, other]))
    assert both[0, names.index("alike_near")] == 0
    assert both[1, names.index("alike_near")] > 0


@given(st.lists(st.floats(0, 1), min_size=41, max_size=41), st.integers(1, 5))
def test_passages_are_short_enough_and_apart_wherever_the_values_lie(likely: list[float], most: int) -> None:
    runs = _runs(_LONG, "III\n\nThe end.")
    values = np.resize(np.array(likely), len(runs[0])).tolist()
    found = chosen(runs, [values], most=most)
    places = [id(sentence) for each in found for sentence in each.sentences]
    assert len(set(places)) == len(places)
    assert all(sum(one.words for one in each.sentences) <= MOST_WORDS for each in found)
    assert not any(one.is_heading for each in found for one in each.sentences)


def test_no_place_ends_on_a_question_whose_reply_is_left_out() -> None:
    page = f"{_LONG}\n\n“Who broke the brass lamp?” asked Ruth.\n\n“Tobias did,” {'said Ann and ' * 40}wept.\n\n{_LONG}"
    texts = _texts("Who broke the brass lamp?", page, most=3)
    assert texts
    assert not any(text.rstrip().endswith("asked Ruth.") for text in texts)


def test_it_ends_on_a_question_only_where_nothing_else_follows() -> None:
    question = "Who broke the brass lamp?"
    assert _texts(question, "The brass lamp was gone. “Who broke it?”") == ["The brass lamp was gone."]
    assert _texts(question, "“Who broke the brass lamp?” asked Ruth.\n\nIV") == [
        "“Who broke the brass lamp?” asked Ruth."
    ]


def test_a_sentence_that_is_too_long_is_cut_around_the_words_that_are_asked_for() -> None:
    long = f"The keeper {'walked and ' * 80}broke the brass lamp and {'walked and ' * 80}slept."
    [text] = _texts("Who broke the brass lamp?", long)
    assert "broke the brass lamp" in text
    assert text.startswith("…")
    assert len(text.replace("…", "").split()) <= MOST_WORDS


def test_its_surroundings_are_what_stands_before_and_after_it_up_to_a_heading() -> None:
    read = _read(f"III\n\nRuth came home. {_LONG} Tobias broke the lamp.\n\nAnn wept.\n\nIV\n\nIt rained.")
    [place] = places_by_words("Who broke the lamp?", read, [(1, 1.0)], most=1)
    wide = widened(place, read)
    text = " ".join(wide.paragraphs)
    assert " ".join(place.paragraphs) in text
    assert text.endswith("Ann wept.")
    assert len(place.sentences) < len(wide.sentences)
    assert sum(each.words for each in wide.sentences) <= MOST_WORDS + 150


def test_by_words_alone_it_is_on_the_pages_that_are_given() -> None:
    read = _read(f"Someone broke the lamp. {_LONG}", f"The lamp was lit. {_LONG}")
    for page in (1, 2):
        [place] = places_by_words("Who broke the lamp?", read, [(page, 1.0)], most=1)
        assert place.page <= page <= place.last_page


def test_by_words_alone_it_goes_over_a_page_and_puts_a_broken_sentence_together() -> None:
    read = _read("The lamp was hidden under", "the coal in the cellar. Nobody looked.")
    [place] = places_by_words("Where was the lamp hidden?", read, [(1, 1.0)], most=1)
    assert place.paragraphs == ["The lamp was hidden under the coal in the cellar. Nobody looked."]


def test_what_the_last_page_breaks_off_is_left_out() -> None:
    read = _read("The lamp is in the hall. They took it and")
    [place] = places_by_words("Where is the lamp?", read, [(1, 1.0)], most=1)
    assert place.paragraphs == ["The lamp is in the hall."]


def test_nothing_fits_what_never_stands_there() -> None:
    assert places_by_words("kangaroo?", _read(*STORY), [(1, 1.0)], most=1) == []


@pytest.mark.parametrize("page", [1, 2, 3, 4])
def test_a_sentence_that_goes_on_over_three_pages_is_quoted_from_any_of_them(page: int) -> None:
    read = _read("The lamp", "of the", "old", "lighthouse went out!")
    found = places_by_words("lamp lighthouse", read, [(page, 1.0)], most=3)
    assert all(place.sentences for place in found)


def _read(*pages: str) -> ReadText:
    return ReadText([Page(number=number, text=text) for number, text in enumerate(pages, start=1)])


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
