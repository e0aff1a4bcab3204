"""The ranking of pages, one kind of evidence at a time, and that unread pages count for nothing."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from adapters.retrieval.book_words import index_words
from adapters.retrieval.lexical_index import chunks_with_runs
from adapters.retrieval.page_ranking import Weights, look, ranked
from adapters.retrieval.query import Query, QueryTerms
from adapters.retrieval.read_words import read_words
from adapters.retrieval.word_likeness import WordLikeness
from adapters.retrieval.wordllama_vectors import WordLlamaVectors, wordllama_is_installed
from core.language.words import words
from core.ports.books import StoredChunk
from core.ports.vectors import Vectors
from core.ports.word_vectors import WordVectors

_PLAIN = Weights(run=0, gist=0, theme=0, meaning=0, recent=0, verbatim=0)
_NAMES = ("sea", "ocean", "lamp", "storm", "clock", "chapter")


class _FewMeanings(WordVectors):
    """Knows six words, two of them near in meaning; every other word is unrelated, in two pieces."""

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        return [[_NAMES.index(word)] if word in _NAMES else [6 + sum(word.encode()) % 50] * 2 for word in words]

    def rows(self, pieces: Sequence[int] | NDArray[np.integer[Any]]) -> Vectors:
        rows = np.eye(56, dtype=np.float32)
        rows[1, 0] = 2.0
        return rows[list(pieces)]


def _chunks(texts: Sequence[str | tuple[str, ...]]) -> list[StoredChunk]:
    """A text a page; a tuple is a page of several chunks. Ids are pages times ten and up."""
    return [
        StoredChunk(chunk_id=page * 10 + part, start_page=page, end_page=page, text=text)
        for page, parts in enumerate(texts, start=1)
        for part, text in enumerate((parts,) if isinstance(parts, str) else parts)
    ]


def _ranked(
    texts: Sequence[str | tuple[str, ...]],
    question: str,
    *,
    weights: Weights = _PLAIN,
    last_page: int | None = None,
    nearest: Sequence[tuple[int, float]] = (),
    vectors: WordVectors | None = None,
) -> list[tuple[int, float]]:
    likeness = WordLikeness(vectors) if vectors else None
    book, asked = index_words(_chunks(texts), likeness), Query.of(question)
    read = read_words(book, last_page or len(texts))
    assert read is not None
    looked = look(
        read,
        QueryTerms(likeness, likeness_from=weights.likeness_from).of(asked, read, known_as="a book"),
        chunk_ids=np.array([chunk.chunk_id for chunk in _chunks(texts)]),
        wholes=_wholes(texts, asked, likeness),
        nearest=nearest,
        verbatim=chunks_with_runs(book, asked.running, chunks=read.chunks),
    )
    return ranked(looked, weights, limit=1_000)


def _wholes(
    texts: Sequence[str | tuple[str, ...]], asked: Query, likeness: WordLikeness | None
) -> list[tuple[int, float]]:
    theme = likeness.theme_of(asked.running) if likeness else None
    return [
        (chunk.chunk_id, float(likeness.theme_of(words(chunk.text)) @ theme))
        for chunk in _chunks(texts)
        if likeness and theme is not None
    ]


def _pages(found: Sequence[tuple[int, float]]) -> list[int]:
    return [chunk_id // 10 for chunk_id, _ in found]


def test_one_chunk_of_each_page_comes_before_a_second_of_any() -> None:
    found = _ranked([("a lamp, a lamp", "one more lamp"), "nothing here", "the lamp by the long grey wall"], "lamp")
    assert [chunk_id for chunk_id, _ in found] == [10, 30, 11]
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_a_similar_word_stands_in() -> None:
    assert _pages(_ranked(["the wall", "a grey ocean", "the clock"], "sea", vectors=_FewMeanings()))[0] == 2


def test_the_gist_finds_a_page_without_the_word() -> None:
    texts = [f"{'wall ' * 40}", f"{'grey ' * 20} ocean {'grey ' * 20}", f"{'clock ' * 40}"]
    weights = replace(_PLAIN, likeness_from=0.99, gist=1.0)
    found = _ranked(texts, "sea", vectors=_FewMeanings(), weights=weights)
    assert _pages(found)[0] == 2
    assert sorted(_pages(found)) == [1, 2, 3]


def test_the_topic_of_a_whole_page_finds_it() -> None:
    texts = ["the wall, the wall", "the clock and the lamp", "the lamp and the clock in the storm", "the storm"]
    weights = replace(_PLAIN, likeness_from=0.99, theme=10.0)
    assert _pages(_ranked(texts, "storm lamp clock", vectors=_FewMeanings(), weights=weights))[0] == 3
    assert _pages(_ranked(texts, "wall wall", vectors=_FewMeanings(), weights=weights))[0] == 1


def test_among_equals_the_latest_page_comes_first_but_a_clear_match_wins() -> None:
    weights = replace(_PLAIN, recent=0.15)
    assert _pages(_ranked(["lamp oil", "wall", "lamp oil"], "lamp", weights=weights)) == [3, 1]
    texts = ["the brass lamp of the keeper", *["wall"] * 30, "keeper"]
    assert _pages(_ranked(texts, "brass lamp keeper", weights=weights))[0] == 1


def test_a_chunk_that_is_near_in_meaning_counts_and_one_that_is_not_readable_does_not() -> None:
    texts = ["lamp", "wall", "wall", "storm"]
    nearest = [(40, 0.9), (999, 0.8), (30, 0.7), (20, 0.2)]
    found = _ranked(texts, "lamp", weights=replace(_PLAIN, meaning=50.0), nearest=nearest, last_page=3)
    assert _pages(found) == [3, 1, 2]


_LINES = (
    "lamp lamp lamp. He said that he would come again",
    "in the morning, and that nobody was to know.",
    "Nobody would come in the morning, he said; again the lamp, the lamp.",
)


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("he said that he would come again", 1),
        ("who says “He would come AGAIN in the morning” about the lamp", 1),
        ("and that nobody was to know", 2),
        ("again in the morning and that nobody", 2),
    ],
)
def test_a_run_of_six_words_finds_its_page_first(typed: str, page: int) -> None:
    assert _pages(_ranked(_LINES, typed, weights=Weights()))[0] == page


def test_five_words_on_end_are_no_quotation_and_unread_ones_are_not_looked_at() -> None:
    weights = replace(_PLAIN, verbatim=1_000.0)
    texts = ["come again, come again", "he said that he would stay", "and said that he would come again"]
    assert _pages(_ranked(texts, "that he would come again", weights=weights))[0] == 1
    assert _pages(_ranked(texts, "said that he would come again", weights=weights, last_page=2))[0] == 1
    assert _pages(_ranked(texts, "said that he would come again", weights=weights))[0] == 3


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("chaper", []),
        ("chapetrs", [2]),
        ("Trelawny", [1]),
        ("trelawneey", [1]),
        ("tralawmey", [1]),
        ("lmap", []),
        ("Trelawnoid", []),
        ("squire", []),
        ("clock", []),
    ],
)
def test_a_misspelled_word_folds_to_the_books_own(typed: str, found: list[int]) -> None:
    texts = ["Mr. Trelawney lit a lamp", "in the last chapters", "a storm"]
    assert _pages(_ranked(texts, typed)) == found


def test_a_word_is_not_folded_to_one_that_is_not_read_yet() -> None:
    texts = ["Trelawnay lit the lamp", "Trelawney lit the clock"]
    assert _pages(_ranked(texts, "Trelawney", last_page=1)) == [1]
    assert _pages(_ranked(texts, "Trelawney")) == [2]


@pytest.fixture(scope="module")
def wordllama() -> WordVectors:
    if not wordllama_is_installed():
        pytest.skip("wordllama has no wheels for this Python")
    return WordLlamaVectors()


@pytest.mark.parametrize(
    "question", ["Who broke the lamp?", "the ocean at night", "Who is Hallam?", "Where is the keaper of Halam?"]
)
def test_unread_pages_weigh_nothing_with_real_word_vectors(wordllama: WordVectors, question: str) -> None:
    texts: list[str | tuple[str, ...]] = [
        "The keeper lit the lamp over the grey sea.",
        ("Hallam came in with a wet coat.", "A storm broke the window. “Who is there?”"),
        "The clock stopped at four; the boat was gone.",
        "Hallam the murderer drowned with the ocean liner, the lamp and the keeper of the whole coast.",
        "Ocean, ocean, lamps and keepers and broken nights.",
    ]
    for page in range(1, len(texts) + 1):
        whole = _ranked(texts, question, weights=Weights(), vectors=wordllama, last_page=page)
        cut = _ranked(texts[:page], question, weights=Weights(), vectors=wordllama)
        assert whole == cut
