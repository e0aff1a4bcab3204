"""The words of one whole book as arrays: what the guard holds of it, in the order of the book."""

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.domain.book import Page
from core.guard.stems import guard_stems
from core.guard.tokens import is_latin, tokens
from core.text.sentences import sentences
from core.text.words import FUNCTION_WORDS

Ints = NDArray[np.int32]
RUN = 8
"""So many words in a row are a quotation."""

_LOOKED_AT = 1_000
_MOSTLY = 3
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookIndex:
    """Tokens are all words where they stand, function words too; a stem is that of a content word, -1 for others.

    Words, stems, sentences and tokens are rows from 0; `starts` arrays have one more. Pages are page numbers.
    `stem_sentences` are the sentences in which each stem stands, in order, `stem_counts` how often it does; those of a
    stem lie between its `stem_starts`. `runs` are the hashes of all runs of eight words, sorted, and
    `run_tokens` the first token at which each begins. `capitals` and `lowers` count how each word is written within a
    sentence, `matter` how many content words each sentence has;
    `name_words` are those that are nearly always written with a capital. `is_latin`: it is written in Latin letters.
    """

    pages: int
    words: dict[str, int]
    stems: dict[str, int]
    word_stem: Ints
    token_word: Ints
    token_sentence: Ints
    sentence_starts: Ints
    sentence_page: Ints
    matter: NDArray[np.float32]
    stem_sentences: Ints
    stem_counts: NDArray[np.float32]
    stem_starts: Ints
    stem_first_page: Ints
    word_first_page: Ints
    capitals: Ints
    lowers: Ints
    runs: NDArray[np.uint64]
    run_tokens: Ints
    name_words: frozenset[str]
    is_latin: bool

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.sentence_page)

    def boundary(self, last_page: int) -> int:
        """Return the first sentence that is not read."""
        return int(np.searchsorted(self.sentence_page, last_page, side="right"))

    def page_of(self, token: int) -> int:
        """Return the page on which a token stands."""
        return int(self.sentence_page[self.token_sentence[token]])

    def stem_places(self, stem: int) -> slice:
        """Return where a stem's part of `stem_sentences` and `stem_counts` lies."""
        return slice(int(self.stem_starts[stem]), int(self.stem_starts[stem + 1]))


def index_book(pages: Iterable[Page]) -> BookIndex:
    """Index a book; half a second for a long novel."""
    vocabulary: dict[str, int] = {}
    token_word, sentence_starts, sentence_page = array("i"), [0], array("i")
    inner_capital, inner_lower = array("i"), array("i")
    last = 0
    for page in pages:
        last = page.number
        for sentence in sentences(page.text):
            found = tokens(sentence)
            if not found.words:
                continue
            numbers = [vocabulary.setdefault(sys.intern(word), len(vocabulary)) for word in found.words]
            token_word.extend(numbers)
            sentence_starts.append(len(token_word))
            sentence_page.append(page.number)
            for number, capital in list(zip(numbers, found.capital, strict=True))[1:]:
                (inner_capital if capital else inner_lower).append(number)
    stems: dict[str, int] = {}
    word_stem = np.array(
        [
            -1 if word in FUNCTION_WORDS else stems.setdefault(sys.intern(stem), len(stems))
            for word, stem in zip(vocabulary, guard_stems(vocabulary), strict=True)
        ],
        dtype=np.int32,
    )
    words_at = np.array(token_word, dtype=np.int32)
    starts = np.array(sentence_starts, dtype=np.int32)
    pages_at = np.array(sentence_page, dtype=np.int32)
    stem_at = word_stem[words_at]
    token_sentence = np.repeat(np.arange(len(pages_at), dtype=np.int32), np.diff(starts))
    carries = stem_at >= 0
    stem_sentences, stem_counts, stem_starts = _places(stem_at[carries], token_sentence[carries], len(stems))
    token_page = pages_at[token_sentence]
    word_first = np.full(len(vocabulary), last + 1, dtype=np.int32)
    np.minimum.at(word_first, words_at, token_page)
    hashes, at = _runs(words_at)
    capitals, lowers = (_counts(numbers, len(vocabulary)) for numbers in (inner_capital, inner_lower))
    named = (capitals > 0) & (capitals >= _MOSTLY * lowers)
    return BookIndex(
        pages=last,
        words=vocabulary,
        stems=stems,
        word_stem=word_stem,
        token_word=words_at,
        token_sentence=token_sentence,
        sentence_starts=starts,
        sentence_page=pages_at,
        matter=np.bincount(token_sentence[carries], minlength=len(pages_at)).astype(np.float32),
        stem_sentences=stem_sentences,
        stem_counts=stem_counts,
        stem_starts=stem_starts,
        stem_first_page=pages_at[stem_sentences[stem_starts[:-1]]],
        word_first_page=word_first,
        capitals=capitals,
        lowers=lowers,
        runs=hashes,
        run_tokens=at,
        name_words=frozenset(word for word, is_named in zip(vocabulary, named, strict=True) if is_named),
        is_latin=_is_latin(vocabulary),
    )


def run_hashes(numbers: Sequence[int] | Ints) -> NDArray[np.uint64]:
    """Return a hash of each run of eight words, given as numbers."""
    given = np.asarray(numbers, dtype=np.int64).astype(np.uint64) + np.uint64(1)
    count = len(given) - RUN + 1
    if count <= 0:
        return np.zeros(0, dtype=np.uint64)
    value = np.zeros(count, dtype=np.uint64)
    for offset in range(RUN):
        value = (value ^ given[offset : offset + count]) * _MIX
        value ^= value >> np.uint64(29)
    return value


def _runs(token_word: Ints) -> tuple[NDArray[np.uint64], Ints]:
    hashes, first = np.unique(run_hashes(token_word), return_index=True)
    return hashes, first.astype(np.int32)


def _is_latin(words: Iterable[str]) -> bool:
    letters = "".join(islice(words, _LOOKED_AT))
    return sum(map(is_latin, letters)) > len(letters) / 2


def _places(token_stem: Ints, token_sentence: Ints, stems: int) -> tuple[Ints, NDArray[np.float32], Ints]:
    """Return the sentences of each stem in order, how often it stands in each, and where the part of each begins."""
    order = np.lexsort((token_sentence, token_stem))
    stem, sentence = token_stem[order], token_sentence[order]
    is_new = np.append(True, (np.diff(stem) != 0) | (np.diff(sentence) != 0))[: len(stem)]
    first = np.flatnonzero(is_new)
    times = np.diff(np.append(first, len(stem))).astype(np.float32)
    return sentence[first], times, np.searchsorted(stem[first], np.arange(stems + 1)).astype(np.int32)


def _counts(numbers: Sequence[int], size: int) -> Ints:
    return np.bincount(np.array(numbers, dtype=np.int32), minlength=size).astype(np.int32)
