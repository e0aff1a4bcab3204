"""What is known of a book's words at one position: counts and rarities of the pages read, and of no other."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from adapters.retrieval.book_words import BLOCK, BookWords, Floats
from core.text.packed_words import Ints

K1: Final = 1.2
B: Final = 0.75
_PASSAGE_WORDS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWords:
    """The readable prefix of a book, and what depends on it alone: made once for a position, used for many questions.

    Rarities are those of each word of the book, 0 for what fills up a block. `rarity` goes by pages, `weight` by
    passages of a dozen words, so that it still tells apart what stands on every page. A `room` is the length of a page
    or chunk as BM25 takes it; `squares` are the weights squared, summed up along the blocks.
    """

    book: BookWords
    last_page: int
    pages: int
    chunks: int
    words: int
    blocks: int
    page_blocks: Ints
    page_chunks: Ints
    chunk_blocks: Ints
    passages: float
    found_on: Ints
    occurrences: Ints
    rarity: Floats
    weight: Floats
    page_room: Floats
    chunk_room: Floats
    squares: Floats

    @property
    def nbytes(self) -> int:
        """How many bytes it takes beside its book."""
        return sum(each.nbytes for each in (self.found_on, self.occurrences, self.rarity, self.weight, self.squares))

    def by_block(self, of_word: Floats) -> Floats:
        """Return the sum in each block of what each word of the book, and last what fills up, counts."""
        return np.asarray(of_word.take(self.book.grid[:, : self.blocks]).sum(axis=0))

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
    return ReadWords(
        book=book,
        last_page=last_page,
        pages=pages,
        chunks=chunks,
        words=int(book.words_upto_page[pages]),
        blocks=blocks,
        page_blocks=book.block_starts[book.page_starts[:pages]],
        page_chunks=book.page_starts[:pages],
        chunk_blocks=book.block_starts[:chunks],
        passages=passages,
        found_on=found_on,
        occurrences=occurrences,
        rarity=rarity,
        weight=weight,
        page_room=_room(np.add.reduceat(lengths, book.page_starts[:pages])),
        chunk_room=_room(lengths),
        squares=np.cumsum((weight**2).take(book.grid[:, :blocks]).sum(axis=0)),
    )


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
