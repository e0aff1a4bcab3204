"""A sentence to be judged, looked up in a book: which of its words the book has, and in which sentences they stand."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from core.guard.book_index import BookIndex
from core.guard.common_names import COMMON_NAMES
from core.guard.stems import guard_stems
from core.guard.tokens import tokens
from core.text.words import FUNCTION_WORDS

Floats = NDArray[np.float32]
_MOST_STEMS = 40
_SURE = 3


class Written(IntEnum):
    """How a word is written, by how much that says of its being a name."""

    SMALL = 0
    FIRST_CAPITAL = 1
    INNER_CAPITAL = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One row a distinct stem that carries matter, in `words`, `counts` (a column a sentence of the book) and the rest.

    `weights`: how much it tells that a stem is there (inverse document frequency over sentences). `names`: the book
    writes it with a capital. `strangers`: written with a capital here, and nowhere in the book.
    """

    text: str
    all_words: tuple[str, ...]
    words: tuple[str, ...]
    stem_ids: tuple[int, ...]
    counts: Floats
    weights: Floats
    known: NDArray[np.bool_]
    names: NDArray[np.bool_]
    strangers: NDArray[np.bool_]

    @property
    def total(self) -> float:
        """The weight of all that it says."""
        return float(self.weights.sum()) or 1.0


def claim_of(text: str, index: BookIndex, *, exempt: frozenset[str] = frozenset()) -> Claim:
    """Look a sentence up; of a very long one the first forty distinct stems.

    `exempt` are words that are no names here: of the book's title, its author.
    """
    found = tokens(text)
    rows: dict[str, tuple[str, Written]] = {}
    places = [at for at, word in enumerate(found.words) if word not in FUNCTION_WORDS]
    for at, stem in zip(places, guard_stems(found.words[at] for at in places), strict=True):
        word, written = rows.get(stem, (found.words[at], Written.SMALL))
        rows[stem] = word, max(written, _written(capital=found.capital[at], opens=at == 0))
    kept = list(rows.items())[:_MOST_STEMS]
    ids = [index.stems.get(stem, -1) for stem, _ in kept]
    counts = np.zeros((len(kept), index.sentences), dtype=np.float32)
    found_in = np.zeros(len(kept), dtype=np.float64)
    for row, stem_id in enumerate(ids):
        if stem_id >= 0:
            within = index.stem_places(stem_id)
            counts[row, index.stem_sentences[within]] = index.stem_counts[within]
            found_in[row] = within.stop - within.start
    known = np.array([stem_id >= 0 for stem_id in ids], dtype=bool)
    inner = np.array([written is Written.INNER_CAPITAL for _, (_, written) in kept], dtype=bool)
    free = np.array([word in exempt or word in COMMON_NAMES for _, (word, _) in kept], dtype=bool)
    in_book = np.array([is_name(word, index, written) for _, (word, written) in kept], dtype=bool)
    return Claim(
        text=text,
        all_words=found.words,
        words=tuple(word for _, (word, _) in kept),
        stem_ids=tuple(ids),
        counts=counts,
        weights=np.log1p((index.sentences - found_in + 0.5) / (found_in + 0.5)).astype(np.float32),
        known=known,
        names=in_book & ~free,
        strangers=inner & ~known & ~free,
    )


def is_name(word: str, index: BookIndex, written: Written) -> bool:
    """Whether a word is a name: the book writes it with a capital within sentences, save for once in a while.

    Of a word that has no capital here, or only since it opens the sentence, the book has to be surer.
    """
    number = index.words.get(word)
    if number is None:
        return False
    capitals, lowers = int(index.capitals[number]), int(index.lowers[number])
    if written is Written.INNER_CAPITAL:
        return capitals > lowers
    least = 1 if written is Written.FIRST_CAPITAL else _SURE
    return capitals >= least and capitals >= _SURE * lowers


def _written(*, capital: bool, opens: bool) -> Written:
    if not capital:
        return Written.SMALL
    return Written.FIRST_CAPITAL if opens else Written.INNER_CAPITAL
