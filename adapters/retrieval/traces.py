"""The traces of a question on some pages, taken from what the ranking has looked at already."""

from collections.abc import Sequence

import numpy as np

from adapters.retrieval.book_words import BookWords, Floats
from adapters.retrieval.page_ranking import Looked
from adapters.retrieval.question import Question, Term
from adapters.retrieval.read_words import ReadWords
from core.ports.word_traces import Traces
from core.text.packed_words import Ints, Short


def traces_on(
    looked: Looked, scores: Floats, question: Question, asked: Sequence[Term], runs: Sequence[tuple[int, int]]
) -> Traces:
    """Return the traces on some runs of pages; of pages that are not read, nothing."""
    read = looked.read
    numbers = read.book.page_numbers[: read.pages]
    gist_of_word = np.zeros(len(read.rarity))
    for term in asked:
        if term.cosines is not None:
            gist_of_word += term.weight * term.cosines
    gist_of_word *= read.weight
    shares = np.stack([term.shares for term in asked])
    squares_of_word = read.weight**2
    words, themes = (
        zip(*(_standing(read.book, looked, numbers, run) for run in runs), strict=True) if runs else ((), ())
    )
    return Traces(
        pages=numbers.tolist(),
        scores=scores,
        stems=question.stems,
        rarities=np.array([term.rarity for term in asked]),
        is_read=[_is_read(read, stem) for stem in question.stems],
        held=[shares[:, each] for each in words],
        gist=[gist_of_word[each] for each in words],
        squares=[squares_of_word[each] for each in words],
        theme=list(themes),
    )


def _is_read(read: ReadWords, stem: str) -> bool:
    number = read.book.stems.number_of(stem)
    return number is not None and bool(read.found_on[number])


def _standing(book: BookWords, looked: Looked, numbers: Ints, run: tuple[int, int]) -> tuple[Short, Floats]:
    """Return the numbers of the words that stand on a run of pages, and the theme of the chunk that each stands in."""
    first, stop = np.searchsorted(numbers, [run[0], run[1] + 1])
    chunks = slice(int(book.page_starts[first]), int(book.page_starts[stop]))
    bounds = book.running_starts[chunks.start : chunks.stop + 1]
    return book.running[bounds[0] : bounds[-1]], np.repeat(looked.chunks.theme[chunks], np.diff(bounds))
