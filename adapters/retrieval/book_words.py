"""The words of one book as arrays in book order, so that the readable part is always a prefix.

Fifty books may be in use at once, so numbers are stored in the smallest type, and all words in one string.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.word_likeness import Meanings, Themes, WordLikeness
from core.domain.folding import folded
from core.language.packed_words import Ints, PackedWords, Short, short
from core.language.words import FUNCTION_WORDS, stem_words, words
from core.ports.books import StoredChunk

Floats = NDArray[np.float64]

BLOCK: Final = 5
"""The number of content words in a block; runs and windows are measured in blocks."""

_SPEECH_LENGTH: Final = 400
_ENDS_ASKING: Final = re.compile(r"(?:\"|(?<!\w)')([^\"]*\?)[\"'][^\"?]{0,60}$")
"""A question between quotation marks; an apostrophe within a word is no quotation mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookWords:
    """Words by number, in the order in which the book first uses them. `starts` has one more entry than there are rows.

    `grid` holds the content words: each column is a block of `BLOCK` of them, every chunk starts a new column, and
    short columns are padded with a number that is no word's. `running` holds every word in its place.
    """

    words: PackedWords
    words_upto_page: Ints
    stems: PackedWords
    word_stem: Short
    chunk_lengths: Ints
    block_starts: Ints
    page_numbers: Ints
    page_starts: Ints
    page_stems: Short
    page_stem_starts: Ints
    grid: Short
    running: Short
    running_starts: Ints
    meanings: Meanings | None
    themes: Themes | None

    def readable_pages(self, last_page: int) -> int:
        """Return the number of readable pages with text."""
        return int(np.searchsorted(self.page_numbers, last_page, side="right"))


def index_words(
    chunks: Sequence[StoredChunk], likeness: WordLikeness | None, *, with_themes: bool = False
) -> BookWords:
    """Index a book; `with_themes` stores each chunk's theme, for texts without another source of it."""
    numbers: dict[str, int] = {}
    running, words_upto = [], [0]
    for chunk in chunks:
        running.append(_ints([numbers.setdefault(word, len(numbers)) for word in words(chunk.text)]))
        words_upto.append(len(numbers))
    known = list(numbers)
    matters = np.array([word not in FUNCTION_WORDS for word in known], dtype=np.bool_)
    matter = [numbered[matters[numbered]] for numbered in _with_preceding_question(chunks, running, numbers)]
    columns = [_in_blocks(numbered, fill=len(known)) for numbered in matter]
    stem_of_word = stem_words(known)
    stems = {stem: number for number, stem in enumerate(dict.fromkeys(stem_of_word))}
    word_stem = _ints([stems[stem] for stem in stem_of_word])
    page_numbers, first_chunks = np.unique(_ints([chunk.end_page for chunk in chunks]), return_index=True)
    page_starts = _ints([*first_chunks, len(chunks)])
    page_stems = [np.unique(word_stem[_joined(matter[start:end])]) for start, end in pairwise(page_starts)]
    return BookWords(
        words=PackedWords.of(known),
        words_upto_page=_ints(words_upto)[page_starts],
        stems=PackedWords.of(list(stems)),
        word_stem=short(word_stem),
        chunk_lengths=_ints([len(numbered) for numbered in matter]),
        block_starts=_starts(column.shape[1] for column in columns),
        page_numbers=page_numbers,
        page_starts=page_starts,
        page_stems=short(_joined(page_stems)),
        page_stem_starts=_starts(len(of_page) for of_page in page_stems),
        grid=short(np.concatenate([np.zeros((BLOCK, 0), dtype=np.int32), *columns], axis=1)),
        running=short(_joined(running)),
        running_starts=_starts(len(numbered) for numbered in running),
        meanings=likeness.meanings(known) if likeness is not None and known else None,
        themes=_themes(chunks, likeness) if with_themes and likeness is not None and known else None,
    )


def _themes(chunks: Sequence[StoredChunk], likeness: WordLikeness) -> Themes:
    return np.stack([likeness.theme_of(words(chunk.text) or [""]) for chunk in chunks])


def _with_preceding_question(
    chunks: Sequence[StoredChunk], running: Sequence[Ints], numbers: Mapping[str, int]
) -> Iterator[Ints]:
    """Yield each chunk's words, preceded by those of the question in dialogue that ends the previous chunk.

    The answering line belongs to the question, and often shares no word with it.
    """
    asked = _ints([])
    for chunk, numbered in zip(chunks, running, strict=True):
        yield np.concatenate([asked, numbered])
        text = folded(chunk.text)
        ending = _ENDS_ASKING.search(text, max(len(text) - _SPEECH_LENGTH, 0))
        asked = _ints([numbers[word] for word in words(ending[1])] if ending else [])


def _in_blocks(numbered: Ints, *, fill: int) -> Ints:
    """Return the words in columns of `BLOCK`, at least one, with the last one padded."""
    columns = max(-(-len(numbered) // BLOCK), 1)
    blocks = np.full(columns * BLOCK, fill, dtype=np.int32)
    blocks[: len(numbered)] = numbered
    return blocks.reshape(columns, BLOCK).T


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([_ints([]), *parts])


def _starts(lengths: Iterable[int]) -> Ints:
    return _ints([0, *accumulate(lengths)])


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int32)
