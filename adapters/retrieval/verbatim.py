"""Where words of a question stand in the book as they are: a member has typed, or pasted, a line of it."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from adapters.retrieval.book_words import BookWords
from core.text.packed_words import Ints, Short
from core.text.words import FUNCTION_WORDS

RUN: Final = 6
"""How many words on end are no accident."""


def chunks_with_runs(book: BookWords, asked: Sequence[str], *, chunks: int) -> list[int]:
    """Return the chunk, by number, of each place where `RUN` words of a question stand, among the first chunks.

    A run without a word that carries matter is anybody's. One that goes over the end of a chunk belongs to where its
    fourth word stands.
    """
    running = book.running[: book.running_starts[chunks]]
    stands: dict[int, Ints] = {}
    places: list[int] = []
    for run in _runs(book, asked):
        # Looked for by the word that the book has used first last: a rare one, most likely.
        rarest = int(run.argmax())
        number = int(run[rarest])
        if number not in stands:
            stands[number] = np.flatnonzero(running == number).astype(np.int32)
        places += _begins(running, run, stands[number] - rarest)
    return [int(chunk) for chunk in np.searchsorted(book.running_starts, np.add(places, RUN // 2), side="right") - 1]


def _runs(book: BookWords, asked: Sequence[str]) -> Iterator[Ints]:
    """Give the runs of which the book has each word, as its numbers."""
    numbers = [book.words.number_of(word) for word in asked] if len(asked) >= RUN else []
    for start in range(len(numbers) - RUN + 1):
        run = [number for number in numbers[start : start + RUN] if number is not None]
        if len(run) == RUN and not FUNCTION_WORDS.issuperset(asked[start : start + RUN]):
            yield np.array(run, dtype=np.int32)


def _begins(running: Short, run: Ints, begins: Ints) -> list[int]:
    """Return those of the places at which the run does begin."""
    begins = begins[(begins >= 0) & (begins <= len(running) - RUN)]
    for step, number in enumerate(run):
        begins = begins[running[begins + step] == number]
    return [int(begin) for begin in begins]
