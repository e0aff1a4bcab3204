"""The guard's indexes of the words of a book and of its notes, as arrays in the order of the book."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from core.domain.book import Page
from core.guard.words import guard_stems, is_latin, tokens
from core.language.packed_words import Ints, PackedWords, Short, short
from core.language.sentences import sentences
from core.language.words import FUNCTION_WORDS

Bits = NDArray[np.uint8]
"""Bits, eight to a byte (`np.packbits`)."""
Tops = NDArray[np.uint32]
RUN = 8
"""How many words in a row count as a quotation."""

_LEAST_NOTED = 0.8
_LEAST_NOTES = 2
_LOOKED_AT = 1_000
_MOSTLY = 3
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, kw_only=True)
class StemIndex:
    """Where the stems of a text occur: of a book, or of the reading notes on its pages.

    Stems and sentences are numbered from 0, in order. The first word of an array's name says what its rows are.

    Attributes:
        pages: how many pages the book has.
        stems: the stems.
        sentence_page: the page number of each sentence.
        matter: how many content words each sentence has.
        stem_sentences: the sentences in which each stem occurs, stem by stem.
        stem_counts: how often it occurs in each of them.
        stem_starts: where each stem's part of both arrays starts, with one more row for the end.
        stem_first_page: the first page of each stem.
    """

    pages: int
    stems: PackedWords
    sentence_page: Ints
    matter: NDArray[np.float32]
    stem_sentences: Short
    stem_counts: Short
    stem_starts: Ints
    stem_first_page: Ints

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.sentence_page)

    def boundary(self, last_page: int) -> int:
        """Return the number of the first unread sentence."""
        return int(np.searchsorted(self.sentence_page, last_page, side="right"))

    def stem_places(self, stem: int) -> slice:
        """Return the slice of a stem in `stem_sentences` and `stem_counts`."""
        return slice(int(self.stem_starts[stem]), int(self.stem_starts[stem + 1]))

    def sentences_with(self, stem: int) -> int:
        """Return how many sentences contain a stem; 0 for the number -1, an unknown stem."""
        return int(self.stem_starts[stem + 1] - self.stem_starts[stem]) if stem >= 0 else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BookIndex(StemIndex):
    """Where the stems and the words of a book occur.

    Distinct words and tokens (each occurrence of a word) are numbered like stems. Function words such as "the" are
    words and tokens, but have no stem.

    Attributes:
        words: the distinct words.
        token_word: the word of each token.
        token_capital: a bit per token: whether it begins with a capital.
        sentence_starts: the first token of each sentence, with one more row for the end.
        word_first_page: the first page of each word.
        capitals: how often each word has a capital inside a sentence; words that nearly always have one are names.
        lowers: how often each word has none inside a sentence.
        runs: the tops of the hashes of all runs of eight words, sorted.
        run_tokens: the first token of each run.
        is_latin: whether the book is written in Latin letters.
    """

    words: PackedWords
    token_word: Short
    token_capital: Bits
    sentence_starts: Ints
    word_first_page: Ints
    capitals: Ints
    lowers: Ints
    runs: Tops
    run_tokens: Ints
    is_latin: bool

    def page_of(self, token: int) -> int:
        """Return the page of a token."""
        return int(self.sentence_page[np.searchsorted(self.sentence_starts, token, side="right") - 1])

    def is_named(self, word: int) -> bool:
        """Whether a word, given by its number, is written as a name."""
        capitals = int(self.capitals[word])
        return capitals > 0 and capitals >= _MOSTLY * int(self.lowers[word])

    def late_names(self, last_page: int) -> list[str]:
        """Return the names that first occur after a page, in the order of the book."""
        late = np.flatnonzero(self.word_first_page > last_page)
        capitals = self.capitals[late]
        named = late[(capitals > 0) & (capitals >= _MOSTLY * self.lowers[late])]
        return self.words.words_of(named.tolist())


def index_book(pages: Iterable[Page]) -> BookIndex:
    """Index a book. Takes half a second for a long novel."""
    read = _read(pages)
    placed = _placed_stems(read, read.pages)
    token_sentence = read.token_sentence
    word_first_page = np.full(len(read.vocabulary), read.pages + 1, dtype=np.int32)
    np.minimum.at(word_first_page, read.token_word, read.sentence_page[token_sentence])
    capitals, lowers = writings(read.token_word, read.token_capital, read.sentence_starts, len(read.vocabulary))
    runs, run_tokens = _runs(read.token_word)
    return BookIndex(
        pages=placed.pages,
        stems=placed.stems,
        sentence_page=placed.sentence_page,
        matter=placed.matter,
        stem_sentences=placed.stem_sentences,
        stem_counts=placed.stem_counts,
        stem_starts=placed.stem_starts,
        stem_first_page=placed.stem_first_page,
        words=PackedWords.of(list(read.vocabulary)),
        token_word=short(read.token_word),
        token_capital=np.packbits(read.token_capital),
        sentence_starts=read.sentence_starts,
        word_first_page=word_first_page,
        capitals=capitals,
        lowers=lowers,
        runs=runs,
        run_tokens=run_tokens,
        is_latin=_is_latin(read.vocabulary),
    )


def index_notes(notes: Iterable[tuple[int, str]], book: BookIndex) -> StemIndex | None:
    """Index a book's reading notes, each given with its page; None if there are too few to be useful.

    If many pages lack notes, the others would bias the score towards their side. One note per page also leaves out so
    much that the text alone is better.
    """
    ordered = sorted(notes, key=itemgetter(0))
    pages = len(np.unique(book.sentence_page))
    noted = len({page for page, _ in ordered})
    if not ordered or noted < _LEAST_NOTED * pages or len(ordered) < _LEAST_NOTES * noted:
        return None
    return _placed_stems(_read(Page(number=page, text=text) for page, text in ordered), book.pages)


def writings(
    token_word: Short, token_capital: NDArray[np.bool_], sentence_starts: Ints, vocabulary: int
) -> tuple[Ints, Ints]:
    """Return how often each word has a capital within sentences, and how often it has none."""
    is_within = np.ones(len(token_word), dtype=np.bool_)
    is_within[sentence_starts[:-1]] = False
    capital, lower = is_within & token_capital, is_within & ~token_capital
    return _counts(token_word[capital], vocabulary), _counts(token_word[lower], vocabulary)


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


def tops_of(hashes: NDArray[np.uint64]) -> Tops:
    """Return the top bits of hashes; two runs of a long novel may share them."""
    return (hashes >> np.uint64(32)).astype(np.uint32)


@dataclass(frozen=True, slots=True, kw_only=True)
class _IndexedReading:
    """The tokens of a book in order, before they are indexed."""

    pages: int
    vocabulary: dict[str, int]
    token_word: Ints
    token_capital: NDArray[np.bool_]
    sentence_starts: Ints
    sentence_page: Ints

    @property
    def token_sentence(self) -> Ints:
        return np.repeat(np.arange(len(self.sentence_page), dtype=np.int32), np.diff(self.sentence_starts))


def _read(pages: Iterable[Page]) -> _IndexedReading:
    vocabulary: dict[str, int] = {}
    last_page = 0
    token_word, token_capital = array("i"), array("b")
    sentence_starts, sentence_page = array("i", [0]), array("i")
    for page in pages:
        last_page = page.number
        for found in filter(None, map(tokens, sentences(page.text))):
            token_word.extend(vocabulary.setdefault(word, len(vocabulary)) for word in found.words)
            token_capital.extend(found.capital)
            sentence_starts.append(len(token_word))
            sentence_page.append(page.number)
    return _IndexedReading(
        pages=last_page,
        vocabulary=vocabulary,
        token_word=np.array(token_word, dtype=np.int32),
        token_capital=np.array(token_capital, dtype=np.bool_),
        sentence_starts=np.array(sentence_starts, dtype=np.int32),
        sentence_page=np.array(sentence_page, dtype=np.int32),
    )


def _placed_stems(read: _IndexedReading, pages: int) -> StemIndex:
    """Return the index of the stems."""
    stems, word_stem = _numbered_stems(read.vocabulary)
    token_stem, token_sentence = word_stem[read.token_word], read.token_sentence
    carries = token_stem >= 0
    stem_sentences, stem_counts, stem_starts = _places(token_stem[carries], token_sentence[carries], len(stems))
    return StemIndex(
        pages=pages,
        stems=PackedWords.of(list(stems)),
        sentence_page=read.sentence_page,
        matter=np.bincount(token_sentence[carries], minlength=len(read.sentence_page)).astype(np.float32),
        stem_sentences=short(stem_sentences),
        stem_counts=short(stem_counts),
        stem_starts=stem_starts,
        stem_first_page=read.sentence_page[stem_sentences[stem_starts[:-1]]],
    )


def _numbered_stems(vocabulary: Mapping[str, int]) -> tuple[dict[str, int], Ints]:
    """Return the stems with their numbers, and the number of each word's stem."""
    stems: dict[str, int] = {}
    word_stem = [
        -1 if word in FUNCTION_WORDS else stems.setdefault(stem, len(stems))
        for word, stem in zip(vocabulary, guard_stems(vocabulary), strict=True)
    ]
    return stems, np.array(word_stem, dtype=np.int32)


def _runs(token_word: Ints) -> tuple[Tops, Ints]:
    hashes, first = np.unique(run_hashes(token_word), return_index=True)
    return tops_of(hashes), first.astype(np.int32)


def _is_latin(words: Iterable[str]) -> bool:
    letters = "".join(islice(words, _LOOKED_AT))
    return sum(map(is_latin, letters)) > len(letters) / 2


def _places(token_stem: Ints, token_sentence: Ints, stems: int) -> tuple[Ints, Ints, Ints]:
    """Return the sentences of each stem in order, its counts in them, and where each stem's part starts."""
    order = np.lexsort((token_sentence, token_stem))
    stem, sentence = token_stem[order], token_sentence[order]
    is_new = np.append(True, (np.diff(stem) != 0) | (np.diff(sentence) != 0))[: len(stem)]
    first = np.flatnonzero(is_new)
    times = np.diff(np.append(first, len(stem))).astype(np.int32)
    return sentence[first], times, np.searchsorted(stem[first], np.arange(stems + 1)).astype(np.int32)


def _counts(numbers: Short, size: int) -> Ints:
    return np.bincount(numbers, minlength=size).astype(np.int32)
