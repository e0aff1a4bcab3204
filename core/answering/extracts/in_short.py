"""Chooses the reading notes that fit a question, for "In short" above a quotation.

Pure functions, so that benchmarks can measure them. Word weights come from notes on read pages only. The limits are
fitted on four novels (ADR 25).
"""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.extracts.found_answer import cited
from core.catalogue.sentences import say
from core.domain.note import Note
from core.language.words import content_stems

MOST_NOTES: Final = 3
LOOKED_AT: Final = 9
"""How many notes are considered; some of them may not be shown."""

_LEAST_SHARE: Final = 0.25
_LEAST_FIT: Final = 0.5
_NEXT_BEST: Final = 0.75
_ON_FOUND_PAGE: Final = 0.5
_LEAST_LIKE: Final = 0.45
_NEXT_LIKE: Final = 0.85
_LIKE_ON_FOUND_PAGE: Final = 0.1
_OF_LENGTH: Final = 0.2
_LEAST_LENGTH: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingNote:
    """A note and how well it fits a question.

    `fit` is the share of the question's weight that the note contains, or its similarity by an embedding model, plus a
    bonus for a page that the search found.
    """

    note: Note
    fit: float


class NoteWords:
    """The notes of one book, indexed by their content words. Can be searched at any position."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._notes = sorted(notes, key=lambda note: (note.page, note.number))
        self._pages = [note.page for note in self._notes]
        stems = [content_stems(note.text) for note in self._notes]
        self._lengths = [len(each) for each in stems]
        self._usual = sum(self._lengths) / max(len(stems), 1)
        places: defaultdict[str, list[int]] = defaultdict(list)
        for row, each in enumerate(stems):
            for stem in each:
                places[stem].append(row)
        self._places = dict(places)

    def fitting(self, question: str, *, last_page: int, found: Mapping[int, float]) -> list[FittingNote]:
        """Return the notes on read pages that fit a question best by its words, best first.

        `found` maps the pages that a search found to their shares; a note on such a page fits better.
        """
        read = bisect_right(self._pages, last_page)
        weights = self._weights(content_stems(question), read)
        total = sum(weights.values())
        if not total:
            return []
        held: defaultdict[int, float] = defaultdict(float)
        for stem, weight in weights.items():
            rows = self._places.get(stem, [])
            for row in rows[: bisect_left(rows, read)]:
                held[row] += weight
        fits = [
            FittingNote(note=self._notes[row], fit=self._fit(row, weight / total, found))
            for row, weight in held.items()
            if weight >= _LEAST_SHARE * total
        ]
        return sorted(fits, key=lambda each: -each.fit)[:LOOKED_AT]

    def alike(
        self, near: Sequence[tuple[int, float]], *, last_page: int, found: Mapping[int, float]
    ) -> list[FittingNote]:
        """Return the notes on read pages that an embedding model finds most similar to a question, best first.

        `near` has indexes of notes, in the order of the book from 0, and their similarities.
        """
        read = bisect_right(self._pages, last_page)
        fits = [
            FittingNote(note=self._notes[row], fit=like + _LIKE_ON_FOUND_PAGE * found.get(self._pages[row], 0.0))
            for row, like in near
            if row < read
        ]
        return sorted(fits, key=lambda each: -each.fit)[:LOOKED_AT]

    def on_pages(self, first_page: int, last_page: int) -> list[Note]:
        """Return the notes on some pages, in order."""
        return self._notes[bisect_left(self._pages, first_page) : bisect_right(self._pages, last_page)]

    def _fit(self, row: int, share: float, found: Mapping[int, float]) -> float:
        length = 1 + _OF_LENGTH * (self._lengths[row] / self._usual - 1)
        return share / max(length, _LEAST_LENGTH) + _ON_FOUND_PAGE * found.get(self._pages[row], 0.0)

    def _weights(self, stems: Iterable[str], read: int) -> dict[str, float]:
        # Sorted, because the sum of floats depends on their order, and so would the result.
        counts = {stem: bisect_left(self._places.get(stem, []), read) for stem in sorted(stems)}
        return {stem: math.log(1 + (read - count + 0.5) / (count + 0.5)) for stem, count in counts.items()}


def chosen(fitting: Sequence[FittingNote]) -> list[Note]:
    """Return up to three notes in the order of the book: the best, if it fits well, and those almost as good."""
    return _chosen(fitting, least=_LEAST_FIT, next_best=_NEXT_BEST)


def chosen_alike(fitting: Sequence[FittingNote]) -> list[Note]:
    """Return up to three notes as `chosen` does, with the limits for similarities of an embedding model."""
    return _chosen(fitting, least=_LEAST_LIKE, next_best=_NEXT_LIKE)


def _chosen(fitting: Sequence[FittingNote], *, least: float, next_best: float) -> list[Note]:
    best = max((each.fit for each in fitting), default=0.0)
    if best < least:
        return []
    near = [each.note for each in sorted(fitting, key=lambda each: -each.fit) if each.fit >= next_best * best]
    return sorted(near[:MOST_NOTES], key=lambda note: (note.page, note.number))


def rendered(notes: Sequence[Note]) -> str:
    """Return notes as the beginning of an answer: marked as notes, each with its page."""
    told = " ".join(f"{note.text} {cited(note.page)}" for note in notes)
    return say("**In short** (reading notes, not the book's words): {notes}", notes=told)
