"""The words of a book at one position: counts and rarities from the read pages only."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.book_words import BLOCK, BookWords, Floats
from core.language.packed_words import Ints, Short

Places = NDArray[np.int64]

K1: Final = 1.2
B: Final = 0.75
WINDOW_WORDS: Final = 30
_PASSAGE_WORDS: Final = 12
_TINY: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPlaces:
    """The places of some words among the read blocks: for each place the word's number and the block.

    A question's words and those like them are one in a hundred, so most blocks count 0 for a term.
    """

    words: Short
    at: Places
    of_all: int
    blocks: int

    def by_block(self, numbers: Places, values: Floats) -> Floats:
        """Return for each block the sum of the values of these words, which must all be among the stored ones."""
        of_word = np.zeros(self.of_all)
        of_word[numbers] = values
        sums = np.bincount(self.at, weights=of_word.take(self.words), minlength=self.blocks)
        return sums.astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWords:
    """The readable prefix of a book and its statistics: computed once per position, used for many questions.

    Rarities cover each word of the book; padding has 0. `rarity` is by pages, `weight` by passages of a dozen words, so
    that it still distinguishes words that occur on every page. A `room` is the length of a page or chunk in BM25.
    `window_lengths`: the length of the sum of word vectors around each block, as if its words were unrelated.
    """

    book: BookWords
    last_page: int
    pages: int
    chunks: int
    words: int
    blocks: int
    page_chunks: Ints
    chunk_blocks: Ints
    passages: float
    found_on: Ints
    occurrences: Ints
    rarity: Floats
    weight: Floats
    page_room: Floats
    chunk_room: Floats
    window_lengths: Floats

    @property
    def nbytes(self) -> int:
        """The bytes used in addition to the book."""
        own = (self.found_on, self.occurrences, self.rarity, self.weight, self.window_lengths)
        return sum(each.nbytes for each in own)

    def by_block(self, of_word: Floats) -> Floats:
        """Return the sum in each block of the values per word; the last value is for padding."""
        return np.asarray(of_word.take(self.book.grid[:, : self.blocks]).sum(axis=0))

    def standing(self, numbers: Places) -> TokenPlaces:
        """Return the places of these words, searched once for all terms of a question."""
        is_asked = np.zeros(len(self.rarity), dtype=np.bool_)
        is_asked[numbers] = True
        grid = self.book.grid[:, : self.blocks].ravel()
        found = np.flatnonzero(is_asked.take(grid))
        return TokenPlaces(words=grid[found], at=found % self.blocks, of_all=len(self.rarity), blocks=self.blocks)

    def rarity_of(self, stems: Ints) -> float:
        """Return the rarity on the read pages of a word with any of these stems, or of an unknown word."""
        return float(_rarity(self.found_on[stems].max(initial=0), self.pages))

    def weight_of(self, stems: Ints) -> float:
        """Return its rarity among passages of the read part."""
        return float(_rarity(self.occurrences[stems].max(initial=0), self.passages))


def read_words(book: BookWords, last_page: int) -> ReadWords | None:
    """Return the read part of a book up to a page; None if it is empty."""
    pages = book.readable_pages(last_page)
    if pages == 0:
        return None
    chunks = int(book.page_starts[pages])
    blocks = int(book.block_starts[chunks])
    in_grid = np.bincount(book.grid[:, :blocks].ravel(), minlength=len(book.words) + 1)[:-1]
    occurrences = np.bincount(book.word_stem, weights=in_grid, minlength=len(book.stems)).astype(np.int32)
    found_on = np.bincount(book.page_stems[: book.page_stem_starts[pages]], minlength=len(book.stems)).astype(np.int32)
    rarity = np.append(_rarity(found_on, pages)[book.word_stem], 0.0)
    passages = in_grid.sum() / _PASSAGE_WORDS
    weight = np.append(_rarity(occurrences, passages)[book.word_stem], 0.0)
    lengths = book.chunk_lengths[:chunks].astype(np.float64)
    squares = np.cumsum((weight**2).take(book.grid[:, :blocks]).sum(axis=0))
    return ReadWords(
        book=book,
        last_page=last_page,
        pages=pages,
        chunks=chunks,
        words=int(book.words_upto_page[pages]),
        blocks=blocks,
        page_chunks=book.page_starts[:pages],
        chunk_blocks=book.block_starts[:chunks],
        passages=passages,
        found_on=found_on,
        occurrences=occurrences,
        rarity=rarity,
        weight=weight,
        page_room=_room(np.add.reduceat(lengths, book.page_starts[:pages])),
        chunk_room=_room(lengths),
        window_lengths=np.sqrt(np.maximum(centred(squares, WINDOW_WORDS), _TINY)),
    )


def summed_up(counts: Floats) -> Floats:
    """Return the running sums of mostly zero counts along the blocks, bit for bit as `np.cumsum`."""
    at = np.flatnonzero(counts > 0)
    sums = np.concatenate([[0.0], np.cumsum(counts[at])])
    bounds = np.concatenate([[0], at, [len(counts)]])
    return sums.repeat(bounds[1:] - bounds[:-1])


def centred(sums: Floats, words: int) -> Floats:
    """Return the sum over a window of so many words around each block, from running sums."""
    width = words // BLOCK
    before = width // 2
    padded = np.concatenate([np.zeros(before + 1), sums, np.full(width - before - 1, sums[-1])])
    return np.asarray(padded[width:] - padded[:-width])


def _rarity(found: Ints | np.int32, total: float) -> Floats:
    return np.asarray(np.log1p(np.maximum(total - found + 0.5, 0.5) / (found + 0.5)))


def _room(lengths: Floats) -> Floats:
    return K1 * (1 - B + B * lengths / (lengths.mean() or 1.0))
