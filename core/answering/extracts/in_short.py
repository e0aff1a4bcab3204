"""Chooses the reading notes that fit a question, for "In short" above a quotation.

Pure functions, so that benchmarks can measure them. Word weights come from notes on read pages only. The limits are
fitted on four novels (ADR 25).
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.extracts.found_answer import FoundAnswer, cited, pages_of, put_together, quotation
from core.answering.extracts.introductions import tells_who
from core.answering.extracts.passages import Passage, shortened
from core.answering.extracts.people import Mentions
from core.answering.extracts.places import chosen as chosen_places
from core.answering.extracts.places import places_by_words, taken_apart
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.recap_extracts import ActionScore
from core.catalogue.sentences import say, sentence
from core.domain.note import Note
from core.guard.citations import cited_pages
from core.language.names import names_in
from core.language.words import content_stems

FROM_NOTES: Final = sentence("From reading notes, not the book's words:")
MOST_NOTES: Final = 3
LOOKED_AT: Final = 9
"""How many notes are considered; some of them may not be shown."""

_LEAST_SHARE: Final = 0.25
_LEAST_FIT: Final = 0.5
_NEXT_BEST: Final = 0.75
_ON_FOUND_PAGE: Final = 0.5
LEAST_LIKE: Final = 0.45
NEXT_LIKE: Final = 0.85
_LIKE_ON_FOUND_PAGE: Final = 0.1
_NAMES: Final = 6
_FEW_STEMS: Final = 8
_OF_OUTCOME: Final = 2.0
_EARLY: Final = 16
_LATE: Final = 12
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

    def telling(self, first_page: int, last_page: int) -> list[Note]:
        """Return the notes on some read pages, those that tell most of what happens there first.

        Words that are repeated on these pages and rare before weigh more, so do people who act, and what comes of it.
        Later notes have no effect.
        """
        read = bisect_right(self._pages, last_page)
        notes = self._notes[bisect_left(self._pages, first_page) : read]
        names = Counter(name for note in notes for name in names_in(note.text))
        actions = ActionScore([name for name, _ in names.most_common(_NAMES)])
        stems = [content_stems(note.text) for note in notes]
        counts = Counter(stem for each in stems for stem in each)
        rare = self._weights(counts, read)
        weights = {stem: math.log(count) * rare[stem] for stem, count in counts.items()}

        def worth(row: int) -> float:
            matter = math.fsum(weights[stem] for stem in stems[row]) / math.sqrt(max(len(stems[row]), _FEW_STEMS))
            return matter + actions.of(notes[row].text) + _OF_OUTCOME * row / len(notes)

        return [notes[row] for row in sorted(range(len(notes)), key=worth, reverse=True)]

    def about(self, mentions: Mentions, last_page: int) -> tuple[list[Note], list[Note]]:
        """Return the read notes that say who someone is, and those of what they did last; both best first."""
        read = self._notes[: bisect_right(self._pages, last_page)]
        named = [note for note in read if mentions.pattern.search(note.text)]
        actions = ActionScore([mentions.name])
        who = sorted(named[:_EARLY], key=lambda note: -tells_who(note.text, mentions))
        return who, sorted(named[: -_LATE - 1 : -1], key=lambda note: -actions.of(note.text))

    def _fit(self, row: int, share: float, found: Mapping[int, float]) -> float:
        length = 1 + _OF_LENGTH * (self._lengths[row] / self._usual - 1)
        return share / max(length, _LEAST_LENGTH) + _ON_FOUND_PAGE * found.get(self._pages[row], 0.0)

    def _weights(self, stems: Iterable[str], read: int) -> dict[str, float]:
        # Sorted, because the sum of floats depends on their order, and so would the result.
        counts = {stem: bisect_left(self._places.get(stem, []), read) for stem in sorted(stems)}
        return {stem: math.log(1 + (read - count + 0.5) / (count + 0.5)) for stem, count in counts.items()}


def chosen(
    fitting: Sequence[FittingNote],
    *,
    least: float = _LEAST_FIT,
    next_best: float = _NEXT_BEST,
    most: int = MOST_NOTES,
) -> list[Note]:
    """Return some notes in the order of the book: the best, if it fits well, and those almost as good.

    `LEAST_LIKE` and `NEXT_LIKE` are the limits for similarities of an embedding model.
    """
    ranked = sorted(fitting, key=lambda each: -each.fit)
    if not ranked or ranked[0].fit < least:
        return []
    near = [each.note for each in ranked if each.fit >= next_best * ranked[0].fit]
    return sorted(near[:most], key=lambda note: (note.page, note.number))


def rendered(notes: Sequence[Note]) -> str:
    """Return notes as the beginning of an answer: marked as notes, each with its page; empty for none."""
    return say("**In short** (reading notes, not the book's words): {notes}", notes=with_pages(notes)) if notes else ""


def with_pages(notes: Iterable[Note]) -> str:
    """Return notes as sentences, each with its page."""
    return " ".join(f"{note.text} {cited(note.page)}" for note in notes)


def noted(head: str, shown: str, read: ReadText) -> FoundAnswer:
    """Return an answer of notes, or of what a model tells, and the sentence that fits it best on the pages it cites."""
    stems, pages = content_stems(shown), cited_pages(shown)
    there = [each for page in pages for each in read.sentences_on(page) if not each.is_heading]
    ranked = sorted(there, key=lambda each: -len(stems.intersection(each.stems)) / math.sqrt(len(each.stems) + 1))
    beside = [shortened(each) for each in ranked[:1]]
    return put_together(head, shown, quotation(beside), pages=[*pages, *pages_of(beside)])


def passage_of(notes: Sequence[Note], read: ReadText) -> list[Passage]:
    """Return the passage on the notes' pages that fits the notes best; empty without notes.

    If no word of theirs is there, it is the beginning of the first note's page.
    """
    told = " ".join(note.text for note in notes)
    best = places_by_words(told, read, [(note.page, 1.0) for note in notes], most=1, threshold=0.0)
    page = taken_apart(read.sentences_on(notes[0].page)) if notes and not best else []
    return best or chosen_places([page], [[1.0] * len(page)], most=1)
