"""What is known of a book's words at one position: counts and rarities of the pages read, and of no other."""

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
    """Where some words of a book stand among the blocks read: for each place the number of the word, and the block.

    A question's words and those like them are one in a hundred, so what counts for a term is 0 in most blocks.
    """

    words: Short
    at: Places
    of_all: int
    blocks: int

    def by_block(self, numbers: Places, values: Floats) -> Floats:
        """Return the sum in each block of what words count, all of which are among these."""
        of_word = np.zeros(self.of_all)
        of_word[numbers] = values
        sums = np.bincount(self.at, weights=of_word.take(self.words), minlength=self.blocks)
        return sums.astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWords:
    """The readable prefix of a book, and what depends on it alone: made once for a position, used for many questions.

    Rarities are those of each word of the book, 0 for what fills up a block. `rarity` goes by pages, `weight` by
    passages of a dozen words, so that it still tells apart what stands on every page. A `room` is the length of a page
    or chunk as BM25 takes it. `window_lengths`: how long the sum of the word vectors around each block is, taken as if
    its words had nothing to do with one another.
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
        """How many bytes it takes beside its book."""
        own = (self.found_on, self.occurrences, self.rarity, self.weight, self.window_lengths)
        return sum(each.nbytes for each in own)

    def by_block(self, of_word: Floats) -> Floats:
        """Return the sum in each block of what each word of the book, and last what fills up, counts."""
        return np.asarray(of_word.take(self.book.grid[:, : self.blocks]).sum(axis=0))

    def standing(self, numbers: Places) -> TokenPlaces:
        """Return where the words of these numbers stand: looked for once for all that a question asks for."""
        is_asked = np.zeros(len(self.rarity), dtype=np.bool_)
        is_asked[numbers] = True
        grid = self.book.grid[:, : self.blocks].ravel()
        found = np.flatnonzero(is_asked.take(grid))
        return TokenPlaces(words=grid[found], at=found % self.blocks, of_all=len(self.rarity), blocks=self.blocks)

    def rarity_of(self, stems: Ints) -> float:
        """Return how rare a word is among the pages read that is written with any of these stems, or with none."""
        return float(_rarity(self.found_on[stems].max(initial=0), self.pages))

    def weight_of(self, stems: Ints) -> float:
        """Return how rare it is among passages of what is read."""
        return float(_rarity(self.occurrences[stems].max(initial=0), self.passages))


def read_words(book: BookWords, last_page: int) -> ReadWords | None:
    """Return what is read of a book up to a page; None where that is nothing."""
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
    """Return the sums along the blocks of counts most of which are 0, to the last bit those of `np.cumsum`."""
    at = np.flatnonzero(counts > 0)
    sums = np.concatenate([[0.0], np.cumsum(counts[at])])
    bounds = np.concatenate([[0], at, [len(counts)]])
    return sums.repeat(bounds[1:] - bounds[:-1])


def centred(sums: Floats, words: int) -> Floats:
    """Return what stands in as many words around each block, of sums along the blocks."""
    width = words // BLOCK
    before = width // 2
    padded = np.concatenate([np.zeros(before + 1), sums, np.full(width - before - 1, sums[-1])])
    return np.asarray(padded[width:] - padded[:-width])


def _rarity(found: Ints | np.int32, total: float) -> Floats:
    return np.asarray(np.log1p(np.maximum(total - found + 0.5, 0.5) / (found + 0.5)))


def _room(lengths: Floats) -> Floats:
    return K1 * (1 - B + B * lengths / (lengths.mean() or 1.0))
