"""Which page comes first, step by step, and that nothing unread weighs anything."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from adapters.retrieval.book_words import index_words
from adapters.retrieval.page_ranking import Weights, rank_chunks
from adapters.retrieval.question import Question
from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider, wordllama_is_installed
from core.ports.books import StoredChunk
from core.ports.vectors import Vectors
from core.ports.word_vectors import WordVectors

_PLAIN = Weights(beside=0, two_off=0, likeness=0, gist=0, recent=0, just_now=0, introduced=0, nearest=0)
_NAMES = ("sea", "ocean", "lamp", "storm", "clock")


class _FewMeanings(WordVectors):
    """Knows five words, of which two mean nearly the same; every other word is on its own."""

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        return [[_NAMES.index(word) if word in _NAMES else 5 + sum(word.encode()) % 50] for word in words]

    def table(self) -> Vectors:
        rows = np.eye(55, dtype=np.float32)
        rows[1, 0] = 2.0
        return rows


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
    nearest: Sequence[int] = (),
    vectors: WordVectors | None = None,
) -> list[tuple[int, float]]:
    asked = Question.of(question, most=50)
    return rank_chunks(
        index_words(_chunks(texts), vectors),
        asked,
        last_page=last_page or len(texts),
        nearest=nearest,
        table=vectors.table() if vectors else None,
        question_pieces=vectors.pieces(asked.words) if vectors else (),
        weights=weights,
    )


def _pages(found: Sequence[tuple[int, float]]) -> list[int]:
    return [chunk_id // 10 for chunk_id, _ in found]


def test_one_chunk_of_each_page_comes_before_a_second_of_any() -> None:
    found = _ranked([("a lamp, a lamp", "one more lamp"), "nothing here", "the lamp by the long grey wall"], "lamp")
    assert [chunk_id for chunk_id, _ in found] == [10, 30, 11]
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_without_word_vectors_only_what_holds_a_word_is_found() -> None:
    assert _pages(_ranked(["lamp", "storm", "clock"], "storm")) == [2]


def test_pages_beside_others_that_speak_of_it_come_first() -> None:
    texts = ["lamp", "wall", "wall", "lamp", "lamp keeper", "lamp", "wall", "wall"]
    assert _pages(_ranked(texts, "lamp", weights=replace(_PLAIN, beside=0.5, two_off=0.25)))[0] in {4, 5, 6}
    assert _pages(_ranked(texts, "lamp"))[0] == 1


def test_a_word_that_is_alike_stands_in() -> None:
    texts = ["the wall", "a grey ocean", "the clock"]
    assert _pages(_ranked(texts, "sea", vectors=_FewMeanings(), weights=replace(_PLAIN, likeness=1.0)))[0] == 2


def test_the_gist_finds_a_page_without_the_word() -> None:
    texts = ["the wall", "a grey ocean", "the clock"]
    found = _ranked(texts, "sea", vectors=_FewMeanings(), weights=replace(_PLAIN, gist=1.0))
    assert _pages(found)[0] == 2
    assert sorted(_pages(found)) == [1, 2, 3]


def test_of_equals_what_was_read_last_comes_first_and_what_clearly_fits_still_wins() -> None:
    weights = replace(_PLAIN, recent=0.6)
    assert _pages(_ranked(["lamp oil", "wall", "lamp oil"], "lamp", weights=weights)) == [3, 1]
    texts = ["the brass lamp of the keeper", *["wall"] * 30, "keeper"]
    assert _pages(_ranked(texts, "brass lamp keeper", weights=weights))[0] == 1


def test_what_just_happened_stands_on_the_last_pages() -> None:
    texts = ["it happened so", "it never happened", *["the wall"] * 20, "it happened", "he drowned", "she wept"]
    weights = replace(_PLAIN, just_now=8.0, gist=0.5)
    assert sorted(_pages(_ranked(texts, "What just happened?", vectors=_FewMeanings(), weights=weights))[:3]) == [
        23,
        24,
        25,
    ]
    assert _pages(_ranked(texts, "What happened?", vectors=_FewMeanings(), weights=weights))[0] in {1, 2}


@pytest.mark.parametrize(
    ("question", "asks_now"),
    [
        ("What just happened?", True),
        ("Who just came in?", True),
        ("what did he JUST say", True),
        ("Where did we stop?", True),
        ("What is going on right now?", True),
        ("What happened on the last two pages?", True),
        ("Where had we left off?", True),
        ("What happened last?", True),
        ("Is it just a dream?", False),
        ("Is the judge just?", False),
        ("Write the last chapter.", False),
        ("What happened?", False),
        ("", False),
    ],
)
def test_which_questions_are_about_what_was_read_a_moment_ago(question: str, asks_now: bool) -> None:
    assert Question.of(question, most=9).asks_now is asks_now


def test_who_somebody_is_stands_where_they_come_in() -> None:
    texts = ["wall", "Hallam, a surveyor of eleven years", "wall", "wall", "Hallam! Hallam! Hallam!", "wall"]
    assert _pages(_ranked(texts, "Who is Hallam?", weights=replace(_PLAIN, introduced=2.0)))[0] == 2
    assert _pages(_ranked(texts, "Hallam", weights=replace(_PLAIN, introduced=2.0)))[0] == 5


def test_a_chunk_that_is_near_in_meaning_counts_and_one_that_is_not_readable_does_not() -> None:
    texts = ["lamp", "wall", "wall", "storm"]
    found = _ranked(texts, "lamp", weights=replace(_PLAIN, nearest=50.0), nearest=[40, 999, 30], last_page=3)
    assert _pages(found) == [3, 1]


@pytest.mark.parametrize("question", ["", "the of and", "zzz", "lamp " * 400, "\x00 🙂"])
def test_any_question_is_ranked(question: str) -> None:
    found = _ranked(["lamp", "", "storm"], question, vectors=_FewMeanings(), weights=Weights())
    assert len(found) in {0, 3}


@pytest.fixture(scope="module")
def wordllama() -> Iterator[WordVectors]:
    if not wordllama_is_installed():
        pytest.skip("wordllama has no wheels for this Python")
    with ThreadPoolExecutor(max_workers=1) as workers:
        yield WordLlamaEmbeddingProvider(workers=workers)


def test_a_word_is_the_mean_of_its_pieces_whatever_batch_it_comes_in(wordllama: WordVectors) -> None:
    words = ["lamp", "weighbridge", "\ud800", "", "x" * 500, "夜"]
    together = wordllama.pieces(words)
    assert together == [wordllama.pieces([word])[0] for word in words]
    assert all(0 <= piece < len(wordllama.table()) for pieces in together for piece in pieces)
    assert all(together)


@pytest.mark.parametrize(
    "question", ["Who broke the lamp?", "the ocean at night", "Who is Hallam?", "Where is the keeper?"]
)
def test_unread_pages_weigh_nothing_with_real_word_vectors(wordllama: WordVectors, question: str) -> None:
    texts: list[str | tuple[str, ...]] = [
        "The keeper lit the lamp over the grey sea.",
        ("Hallam came in with a wet coat.", "A storm broke the window."),
        "The clock stopped at four; the boat was gone.",
        "Hallam the murderer drowned with the ocean liner, the lamp and the keeper of the whole coast.",
        "Ocean, ocean, lamps and keepers and broken nights.",
    ]
    for page in range(1, len(texts) + 1):
        whole = _ranked(texts, question, weights=Weights(), vectors=wordllama, last_page=page)
        cut = _ranked(texts[:page], question, weights=Weights(), vectors=wordllama)
        assert whole == cut
