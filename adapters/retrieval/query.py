"""A question as the page ranking sees it: its words, its content words, and the book's words for them."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.book_words import Floats
from adapters.retrieval.read_words import Places, ReadWords
from adapters.retrieval.word_likeness import Cosines, WordLikeness
from core.language.book_memory import MEGABYTE, BookMemory, Held
from core.language.packed_words import Ints, Short
from core.language.words import FUNCTION_WORDS, stem_words, words

MOST_WORDS: Final = 400
_MOST_STEMS: Final = 200
_MOST_TERMS: Final = 8 * MEGABYTE
_MOST_WITH_LIKES: Final = 24
_MARKS: Final = "\"'([“‘«"
_LEAST_LENGTH: Final = 5
_LONG_WORD: Final = 8
_LEAST_RARITY: Final = 0.1
_LIKE_ENOUGH: Final = 0.5
"""A word at least this similar to one of the book means the same here; fitted on other books' queries (ADR 9)."""

_WORDS_OF_FORM: Final = """
    upon among amongst amid within without toward towards across along behind beside besides beyond beneath near
    since till unless unlike whether although though however therefore thus hence thereby whereas whenever wherever
    whoever whatever whichever onto throughout despite yet still already ever never always often perhaps quite rather
    almost even else either neither another every everybody everyone everything anybody anyone anything anywhere nobody
    none nothing nowhere somebody someone something somewhere many much several less least enough shall one ones
    nevertheless nonetheless otherwise moreover furthermore indeed instead like except around away per via everywhere mr
    mrs ms miss dr sir
"""
_CLOSED: Final = frozenset(_WORDS_OF_FORM.split())
"""Function-like words: they count in the ranking, but alone they ask for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The words of a question in order, and its content words: each stem once, with its first word.

    `names` are the words written with a capital letter.
    """

    running: Sequence[str]
    words: Sequence[str]
    stems: Sequence[str]
    names: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "Query":
        """Split a text into words; an overlong text is cut."""
        running = words(text)
        matter = [word for word in running if word not in FUNCTION_WORDS]
        first: dict[str, str] = {}
        for word, stem in zip(matter, stem_words(matter), strict=True):
            first.setdefault(stem, word)
        stems = list(first)[:_MOST_STEMS]
        names = words(" ".join(part for part in text.split() if part.lstrip(_MARKS)[:1].isupper()))
        return cls(
            running=running[:MOST_WORDS],
            words=[first[stem] for stem in stems],
            stems=stems,
            names=frozenset(names),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A content word of the question, matched against the words of a book.

    `words` are the numbers of the words of its stem, with `shares` of 1, and of similar words, with less; no other word
    counts for it. `cosines` are those of every word; None if similarity is not used. `is_held` says whether the read
    pages have the word itself, in another form, nearly spelled so (if it is long), or another word that means the same.
    Names have no such synonyms: they resemble other names but mean nobody else.
    """

    rarity: float
    weight: float
    words: Places
    shares: Floats
    cosines: Cosines | None
    is_held: bool


class QueryTerms:
    """Finds the terms of questions, and caches recent words, since the same people are asked about repeatedly.

    A word that is not on the read pages stands for words of similar spelling, since members write names from memory.
    """

    def __init__(self, likeness: WordLikeness | None, *, likeness_from: float) -> None:
        self._likeness = likeness
        self._likeness_from = likeness_from
        self._held: Held[Term] = Held("terms", BookMemory(_MOST_TERMS))

    def of(self, question: Query, read: ReadWords, *, known_as: Hashable) -> list[Term]:
        """Return the question's content words as the book has them; `known_as` identifies the read part."""
        found = []
        cosines = _cosines(question, read, self._likeness)
        for word, stem, like in zip(question.words, question.stems, cosines, strict=True):
            key = known_as, word, stem, like is None
            term = self._held.find(key)
            if term is None:
                term = self._made(read, word, stem, like)
                self._held.keep(key, replace(term, cosines=None))  # cosines are cached where they are computed
            is_held = term.is_held or (word not in question.names and self._is_meant(word, like, read))
            found.append(replace(term, cosines=like, is_held=is_held))
        return found

    def _is_meant(self, word: str, like: Cosines | None, read: ReadWords) -> bool:
        """Whether a word on the read pages means the same; unknown for a word that the vectors don't hold whole."""
        if like is None or self._likeness is None or word in _CLOSED or not self._likeness.is_one_piece(word):
            return False
        return bool(like[: read.words].max(initial=0) >= _LIKE_ENOUGH)

    def _made(self, read: ReadWords, word: str, stem: str, like: Cosines | None) -> Term:
        stems = _stems_read(read, word, stem, self._likeness)
        rarity = read.rarity_of(stems)
        same = np.flatnonzero(_has(read.book.word_stem, stems))
        others, shares = _alike(read, like, rarity, likeness_from=self._likeness_from)
        apart = ~_has(read.book.word_stem[others], stems)
        return Term(
            rarity=rarity,
            weight=read.weight_of(stems),
            words=np.concatenate([same, others[apart]]),
            shares=np.concatenate([np.ones(len(same)), shares[apart]]),
            cosines=like,
            is_held=_is_held(read, word, stem, stems),
        )


def _cosines(question: Query, read: ReadWords, likeness: WordLikeness | None) -> list[Cosines | None]:
    missing: list[Cosines | None] = [None] * len(question.words)
    if likeness is None or read.book.meanings is None:
        return missing
    found = likeness.cosines(read.book.meanings, question.words[:_MOST_WITH_LIKES])
    return [*found, *missing[len(found) :]]


def _has(word_stem: Short, stems: Ints) -> NDArray[np.bool_]:
    """Return which words have any of these stems, usually only one."""
    return np.asarray(word_stem == stems[0]) if len(stems) == 1 else np.isin(word_stem, stems)


def _alike(read: ReadWords, like: Cosines | None, rarity: float, *, likeness_from: float) -> tuple[Places, Floats]:
    """Return the words that may replace one of this rarity, with their shares: similar and no less rare."""
    if like is None:
        return np.array([], dtype=np.int64), np.array([])
    others = np.flatnonzero(like[:-1] > likeness_from)
    shares = np.minimum((like[others] - likeness_from) / (1 - likeness_from), 1)
    return others, np.asarray(shares * np.minimum(1, read.rarity[others] / max(rarity, _LEAST_RARITY)))


def _stems_read(read: ReadWords, word: str, stem: str, likeness: WordLikeness | None) -> Ints:
    number = read.book.stems.number_of(stem)
    if number is not None and read.found_on[number]:
        return np.array([number], dtype=np.int32)
    if len(word) < _LEAST_LENGTH or not word.isalpha() or (likeness is not None and likeness.is_one_piece(word)):
        return np.array([], dtype=np.int32)
    most = 1 if len(word) < _LONG_WORD else 2
    return np.unique(read.book.word_stem[_spelled_nearly(read, word, most=most)])


def _is_held(read: ReadWords, word: str, stem: str, stems: Ints) -> bool:
    """Whether the read pages have a word, by its stem or, if it is long, nearly spelled so."""
    if word in _CLOSED or not len(stems):
        return False
    is_itself = read.book.stems.number_of(stem) == stems[0]
    is_long = len(word) > _LONG_WORD or (len(word) == _LONG_WORD and bool(_spelled_nearly(read, word, most=1)))
    return is_itself or is_long


def _spelled_nearly(read: ReadWords, word: str, *, most: int) -> list[int]:
    """Return the numbers of the read words with the nearest spelling, if near enough."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    shaped = read.book.words.shaped_like(word, longer=most, first=read.words)
    others = {
        number: other for number, other in shaped.items() if len(other) >= _LEAST_LENGTH and other not in FUNCTION_WORDS
    }
    near = process.extract(word, others, scorer=OSA.distance, score_cutoff=most, limit=None)
    least = min((distance for _, distance, _ in near), default=0)
    return [number for _, distance, number in near if distance == least]
