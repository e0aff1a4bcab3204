"""A sentence to judge, looked up in a book: which of its words the book has, where, and which are names."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.guard.book_index import BookIndex, StemIndex
from core.guard.words import COMMON_NAMES, Tokens, guard_stems, tokens
from core.language.words import FUNCTION_WORDS

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
_MOST_STEMS = 40
_SURE = 3


class Written(IntEnum):
    """How a word is written, ordered by how strongly that suggests a name."""

    SMALL = 0
    FIRST_CAPITAL = 1
    INNER_CAPITAL = 2


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A sentence's content words, with one row for each distinct stem.

    Not slotted, because cached properties compute what only the score needs.

    Attributes:
        text: the sentence.
        index: the index it is looked up in.
        all_words: all its words, including function words.
        words: for each row, the first word with the stem.
        stems: for each row, the stem.
        stem_ids: for each row, the stem's number in the index, or -1.
        known: for each row, whether the index has the stem.
        names: for each row, whether the book writes the word as a name.
        strangers: for each row, whether the word has a capital here and is not in the book.
    """

    text: str
    index: StemIndex
    all_words: tuple[str, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    stem_ids: tuple[int, ...]
    known: Bools
    names: Bools
    strangers: Bools

    def among_notes(self, notes: StemIndex) -> "Claim":
        """Return the sentence looked up in the notes; names and strangers stay as the book's text says."""
        stem_ids = _standing_in(notes, self.stems)
        known = np.array([stem_id >= 0 for stem_id in stem_ids], dtype=bool)
        return replace(self, index=notes, stem_ids=stem_ids, known=known)

    @cached_property
    def counts(self) -> Floats:
        """How often each row's stem occurs in each sentence of the book (a column per sentence)."""
        counts = np.zeros((len(self.stem_ids), self.index.sentences), dtype=np.float32)
        for row, stem_id in enumerate(self.stem_ids):
            if stem_id >= 0:
                within = self.index.stem_places(stem_id)
                counts[row, self.index.stem_sentences[within]] = self.index.stem_counts[within]
        return counts

    @cached_property
    def weights(self) -> Floats:
        """The weight of each row: higher the fewer sentences contain its stem."""
        found_in = np.array([self.index.sentences_with(stem_id) for stem_id in self.stem_ids], dtype=np.float64)
        return np.log1p((self.index.sentences - found_in + 0.5) / (found_in + 0.5)).astype(np.float32)

    @cached_property
    def total(self) -> float:
        """The sum of all weights."""
        return float(self.weights.sum()) or 1.0


def claim_of(
    text: str, index: BookIndex, *, exempt: frozenset[str] = frozenset(), asked: frozenset[str] = frozenset()
) -> Claim:
    """Look a sentence up in a book, up to its first forty distinct stems.

    Args:
        text: the sentence.
        index: the book.
        exempt: words that do not count as names: those of the title and the author.
        asked: words that do not count as strangers: those of the question.
    """
    found = tokens(text)
    rows = _rows(found)[:_MOST_STEMS]
    free = np.array([row.word in exempt or row.word in COMMON_NAMES for row in rows], dtype=bool)
    stem_ids = _standing_in(index, [row.stem for row in rows])
    known = np.array([stem_id >= 0 for stem_id in stem_ids], dtype=bool)
    called = np.array([is_name(row.word, index, row.written) for row in rows], dtype=bool)
    unasked = np.array([row.written is Written.INNER_CAPITAL and row.word not in asked for row in rows], dtype=bool)
    return Claim(
        text=text,
        index=index,
        all_words=found.words,
        words=tuple(row.word for row in rows),
        stems=tuple(row.stem for row in rows),
        stem_ids=stem_ids,
        known=known,
        names=called & ~free,
        strangers=unasked & ~known & ~free,
    )


def is_name(word: str, index: BookIndex, written: Written) -> bool:
    """Whether a word is a name: the book nearly always writes it with a capital inside sentences.

    The book has to be more certain about a word without a capital, or one that opens the sentence.
    """
    number = index.words.number_of(word)
    if number is None:
        return False
    capitals, lowers = int(index.capitals[number]), int(index.lowers[number])
    if written is Written.INNER_CAPITAL:
        return capitals > lowers
    least = 1 if written is Written.FIRST_CAPITAL else _SURE
    return capitals >= least and capitals >= _SURE * lowers


def _standing_in(index: StemIndex, stems: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of stems; -1 for a stem that does not occur in this index or this part of a book."""
    return tuple(stem if index.sentences_with(stem) else -1 for stem in index.stems.numbers_of(stems))


@dataclass(frozen=True, slots=True, kw_only=True)
class _StemRow:
    """A stem, its first word in the sentence, and the form of its words that most suggests a name."""

    stem: str
    word: str
    written: Written


def _rows(found: Tokens) -> Sequence[_StemRow]:
    """Return the distinct stems of the content words, in order."""
    places = [at for at, word in enumerate(found.words) if word not in FUNCTION_WORDS]
    words: dict[str, str] = {}
    written: dict[str, Written] = {}
    for at, stem in zip(places, guard_stems(found.words[at] for at in places), strict=True):
        words.setdefault(stem, found.words[at])
        here = written_as(capital=found.capital[at], opens=at == 0)
        written[stem] = max(here, written.get(stem, Written.SMALL))
    return [_StemRow(stem=stem, word=word, written=written[stem]) for stem, word in words.items()]


def written_as(*, capital: bool, opens: bool) -> Written:
    """Return how a word is written: with a capital or not, and whether it opens the sentence."""
    if not capital:
        return Written.SMALL
    return Written.FIRST_CAPITAL if opens else Written.INNER_CAPITAL
