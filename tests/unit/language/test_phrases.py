"""Words off somebody's copy, found in the text however they are typed or broken."""

import random
import re
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.phrases import FoldedText, find_phrase

TEXT = (
    "It was the dampest evening of the year, and the ferry-\nman’s lantern — a ﬂickering thing — threw no light.\n\n"
    "“Don’t wait for me,” she said; he naïvely waited. Nobody came to the quay that night.\f"
    "In the morning the café by the har\u00adbour was open. Nobody came to the quay that day, though it was mur-\f"
    "mured that the pilot had been seen. 船は夜明けに港を出た。誰もそれを見なかった。"
)


def _found(phrase: str, text: str = TEXT) -> list[str]:
    """The hits, as the text has them on one line."""
    return [" ".join(text[hit.start : hit.end].split()) for hit in find_phrase(FoldedText(text), phrase)]


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("it was the dampest evening of the year", "It was the dampest evening of the year"),
        ("IT WAS THE DAMPEST EVENING", "It was the dampest evening"),
        ("it was teh dampset evening of the yaer", "It was the dampest evening of the year"),
        (
            "it was the evening of the year and the ferryman's lantern, a flickering thing",
            "the dampest evening of the year, and the ferry- man’s lantern — a ﬂickering thing",
        ),
        ("and the ferryman's lantern, a flickering thing", "and the ferry- man’s lantern — a ﬂickering thing"),
        (
            "the ferryman’s lantern - a flickering\n   thing -- threw",
            "the ferry- man’s lantern — a ﬂickering thing — threw",
        ),
        ('"dont wait for me" she said', "Don’t wait for me,” she said"),
        ("he naively waited nobody came", "he naïvely waited. Nobody came"),
        ("the cafe by the harbour was open", "the café by the har\u00adbour was open"),
        ("though it was mur- mured that the pilot", "though it was mur- mured that the pilot"),
        ("though it was murmured that the pilot", "though it was mur- mured that the pilot"),
        ("夜明けに港を出た", "夜明けに港を出た"),
    ],
)
def test_a_phrase_is_found_however_it_is_typed(phrase: str, found: str) -> None:
    assert _found(phrase) == [found]


_WORDS = st.lists(st.text("abcdefghij", min_size=2, max_size=8), min_size=8, max_size=60)


@given(_WORDS, st.data())
def test_words_of_the_text_itself_are_always_found_and_end_where_they_end(
    words: list[str], data: st.DataObject
) -> None:
    text = " ".join(words)
    begin = data.draw(st.integers(0, len(words) - 5))
    end = data.draw(st.integers(begin + 5, len(words)))
    wanted = words[max(begin, end - 40) : end]
    phrase = " ".join(words[begin:end])
    hits = find_phrase(FoldedText(text), phrase)
    assert any(text[hit.start : hit.end] == " ".join(wanted) for hit in hits)


def _novel(pages: int) -> str:
    """A text of 300 words a page with the vocabulary of a novel."""
    chance = random.Random(5)
    vocabulary = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 11))) for _ in range(12_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    return " ".join(chance.choices(vocabulary, weights, k=pages * 300))


def test_a_phrase_with_typos_is_found_in_six_hundred_pages_in_less_than_a_second() -> None:
    text = _novel(600)
    words = list(re.finditer(r"\w+", text))
    first, last = words[120_000], words[120_011]
    phrase = text[first.start() : last.end()]
    typed = phrase[:10] + phrase[11:30] + "x" + phrase[30:]
    began = time.process_time()
    hits = find_phrase(FoldedText(text), typed)
    assert time.process_time() - began < 1
    assert [(abs(hit.start - first.start()) < 12, hit.end) for hit in hits] == [(True, last.end())]
