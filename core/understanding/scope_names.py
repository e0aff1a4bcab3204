"""Whether a message names or points at somebody or something that passages of the book speak of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Final

from core.domain.folding import folded, unaccented
from core.domain.passage import SearchResult
from core.domain.patterns import late_pattern
from core.language.words import FUNCTION_WORDS, content_stems, words

_CALENDAR: Final = frozenset(
    words(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
        "september october november december christmas easter"
    )
)
_POINTED_AT = late_pattern(r"\b(?:the|this|that|these|those)\s+((?:[^\W\d_][\w'’-]*\s*){1,3})", re.IGNORECASE)
_POINTED_AT_THERE = late_pattern(
    r"\b(?:the|this|that|these|those|a|an|his|her|its|their|my|our|your)\s+((?:[^\W\d_][\w'’-]*\s*){1,3})",
    re.IGNORECASE,
)
_LEAST_LETTERS: Final = 4
_PASSAGES_KEPT: Final = 512
_WORD = late_pattern(r"\b[^\W\d_]\w+")
_CAPITAL_WORD = late_pattern(r"\b[^\W\d_a-z]\w+")  # or of a script without capitals
_LOOK_BACK: Final = 16
_SHORTENED = late_pattern(r"\b(?:[A-Z]|Mrs?|Ms|Dr|St)\.$")


def names_somebody(message: str, passages: Sequence[SearchResult], *, but: frozenset[str] = frozenset()) -> bool:
    """Whether a message names somebody of the passages: at least one side has the capital of a name inside a sentence.

    At the beginning of a sentence a capital says nothing, least of all of a word that is also written without one.
    """
    said = _capitals(message)
    texts = [passage.text for passage in passages]
    read = [_capitals_of_passage(text) for text in texts]
    small = {word for word in words(message) if len(word) >= _LEAST_LETTERS} - said.anywhere - _CALENDAR
    if any(_is_only_a_name(word, read, texts) and not content_stems(word) & but for word in small):
        return True
    return any(
        _is_surely_a_name(word, said, read) or (_may_be_a_name(word, said, read) and not _is_written_small(word, texts))
        for word in said.anywhere - _CALENDAR
    )


def _is_only_a_name(word: str, read: Sequence["_Capitals"], texts: Sequence[str]) -> bool:
    """Whether the passages write a word with a capital inside a sentence, and never without."""
    return any(word in each.inside for each in read) and not _is_written_small(word, texts)


def _is_surely_a_name(word: str, said: "_Capitals", read: Sequence["_Capitals"]) -> bool:
    return word in said.inside and any(word in each.inside for each in read)


def _may_be_a_name(word: str, said: "_Capitals", read: Sequence["_Capitals"]) -> bool:
    """Whether either side has a word with a capital inside a sentence, and the other has its capital at all."""
    if word in said.inside:
        return any(word in each.anywhere for each in read)
    return any(word in each.inside for each in read)


def _is_written_small(word: str, texts: Sequence[str]) -> bool:
    return any(word in plain and word in _WORD.findall(plain) for plain in map(unaccented, texts))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Capitals:
    """The words that a text writes with a capital, folded: all, and those where no sentence's beginning asks for it."""

    anywhere: frozenset[str]
    inside: frozenset[str]


def _capitals(text: str) -> _Capitals:
    text = unaccented(text)
    found = [match for match in _CAPITAL_WORD.finditer(text) if match[0][0].isupper()]
    inside = (folded(match[0]) for match in found if _is_inside(text, match.start()))
    return _Capitals(
        anywhere=frozenset(folded(match[0]) for match in found) - FUNCTION_WORDS,
        inside=frozenset(inside) - FUNCTION_WORDS,
    )


_capitals_of_passage = lru_cache(maxsize=_PASSAGES_KEPT)(_capitals)
"""Kept, since a club's questions find the same pages again and again."""


def capitals_inside(text: str) -> frozenset[str]:
    """Return the words that a text writes with a capital inside a sentence, folded."""
    return _capitals(text).inside


def _is_inside(text: str, start: int) -> bool:
    """Whether a word stands within a sentence, not at its beginning."""
    before = text[max(start - _LOOK_BACK, 0) : start].rstrip(" \t\"'“”‘’(—-")
    return bool(before) and (before[-1] not in ".!?:\n" or _SHORTENED.search(before) is not None)


def _pointed_at(text: str, pattern: re.Pattern[str]) -> frozenset[str]:
    """Return the stems that stand behind "the" and its like, up to the next small word."""
    behind = (takewhile(lambda word: word not in FUNCTION_WORDS, words(match)) for match in pattern.findall(text))
    return content_stems(" ".join(word for run in behind for word in run if len(word) >= _LEAST_LETTERS))


def points_at(message: str, passages: Sequence[SearchResult], *, but: frozenset[str] = frozenset()) -> bool:
    """Whether a message points at a person or a thing ("the poor hunchback") that the passages speak of, `but` some."""
    pointed_at = _pointed_at(message, _POINTED_AT) - but
    return any(pointed_at & _pointed_at_in_passage(passage.text) for passage in passages)


@lru_cache(maxsize=_PASSAGES_KEPT)
def _pointed_at_in_passage(text: str) -> frozenset[str]:
    return _pointed_at(text, _POINTED_AT_THERE)
