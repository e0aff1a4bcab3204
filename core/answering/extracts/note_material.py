"""Which reading notes a model is given beside passages, as material for its draft; pure.

With a question they are those that fit it; with one for a recap or a chapter, some of each stretch that it asks for.
"""

from collections.abc import Sequence
from typing import Final

from core.answering.extracts.in_short import FittingNote
from core.answering.extracts.read_text import ReadText
from core.domain.note import Note
from core.understanding.asked import Asked, Kind

MOST_FITTING: Final = 6
MOST_OF_STRETCH: Final = 10
"""So many notes go along from a stretch of pages, about 200 tokens."""

_HEADING: Final = (
    "Reading notes on pages read so far, not the book's words. They may be wrong: state nothing on a note alone. What "
    "you take from one is checked against the text of its page, so give that page."
)
_LEAST_FIT: Final = 0.4
_NEXT_BEST: Final = 0.6
_LAST_PAGES: Final = 3
_LATELY: Final = 20

Stretch = tuple[int, int]
"""The first and last of some pages."""


def near(fitting: Sequence[FittingNote]) -> list[Note]:
    """Return the notes that fit a question, in the order of the book; none where the best of them hardly does."""
    best = max((each.fit for each in fitting), default=0.0)
    if best < _LEAST_FIT:
        return []
    kept = sorted((each for each in fitting if each.fit >= _NEXT_BEST * best), key=lambda each: -each.fit)
    return sorted((each.note for each in kept[:MOST_FITTING]), key=lambda note: (note.page, note.number))


def spread(notes: Sequence[Note], *, most: int) -> list[Note]:
    """Return so many of some notes, evenly from first to last."""
    if len(notes) <= most:
        return list(notes)
    return [notes[round(at * (len(notes) - 1) / (most - 1))] for at in range(most)]


def stretches(asked: Asked | None, read: ReadText, *, last_page: int) -> list[Stretch]:
    """Return the read pages that a question wants told, as stretches; none for a question that names what it wants.

    `read` need hold the chapters begun alone.
    """
    if asked is None or not last_page:
        return []
    begun = [each.first_page for each in read.chapters]
    match asked.kind:
        case Kind.RECAP:
            latest = begun[-2:][0] if begun else max(last_page - _LATELY, 0) + 1
            return [(1, latest - 1), (latest, last_page)] if latest > 1 else [(1, last_page)]
        case Kind.JUST_NOW:
            return [(max(last_page - _LAST_PAGES, 0) + 1, last_page)]
        case Kind.CHAPTER:
            chapters = read.chapters_meant(asked.chapter, asked.called)[-1:]
        case Kind.LAST_CHAPTER:
            chapters = [each for each in read.chapters if each.last_page <= last_page][-1:]
        case Kind.THIS_CHAPTER:
            chapters = list(read.chapters[-1:])
        case _:
            chapters = []
    return [(each.first_page, min(each.last_page, last_page)) for each in chapters]


def as_material(notes: Sequence[Note]) -> str:
    """Return notes as a model reads them: marked as what they are, each with its page; empty for none."""
    lines = [f"- (note on p. {note.page}) {note.text}" for note in notes]
    return "\n".join([_HEADING, *lines]) if lines else ""
