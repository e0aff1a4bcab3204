"""Reading notes as a file: JSON Lines of page, note and, for other editions, an anchor."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.book import Page
from core.language.anchors import AnchoredPages
from core.language.sentences import fold_space

EXAMPLE: Final = '{"page": 12, "note": "Silver talks the crew into mutiny."}'
_LONGEST_NOTE: Final = 500
_LONGEST_ANCHOR: Final = 500
_MOST_NOTES: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenNote:
    """A note in a line of a file."""

    line: int
    page: int
    text: str
    anchor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A line that was left out, and why."""

    line: int
    reason: str


def parsed(text: str) -> tuple[list[GivenNote], list[LeftOut]]:
    """Parse the lines of a file; return the notes, and the lines left out with reasons. Empty lines are ignored."""
    notes: list[GivenNote] = []
    left_out: list[LeftOut] = []
    for line, given in enumerate(text.splitlines(), start=1):
        if not given.strip():
            continue
        read = _note(line, given) if len(notes) < _MOST_NOTES else f"a book has at most {_MOST_NOTES:,} notes"
        if isinstance(read, GivenNote):
            notes.append(read)
        else:
            left_out.append(LeftOut(line=line, reason=read))
    return notes, left_out


def placed(notes: Sequence[GivenNote], pages: Sequence[Page]) -> Iterator[GivenNote | LeftOut]:
    """Yield each note with its page in this book, found by its anchor if it has one, or why it is left out.

    If an anchor occurs several times, the place between those of the notes around it is used. If anchors show that the
    page numbers are those of another edition, notes without an anchor are left out.
    """
    found = _found(notes, pages)
    sure = [_only(each) if note.anchor else None for note, each in zip(notes, found, strict=True)]
    is_other = any(page not in {None, note.page} for note, page in zip(notes, sure, strict=True))
    for at, note in enumerate(notes):
        fits = found[at] if _only(found[at]) else _between(found[at], sure, at)
        reason = _why_nowhere(note, found[at], fits, pages=len(pages), is_other=is_other)
        yield LeftOut(line=note.line, reason=reason) if reason else _on(note, fits[0])


def _found(notes: Sequence[GivenNote], pages: Sequence[Page]) -> list[list[int]]:
    """Return the possible pages of each note."""
    if not any(note.anchor for note in notes):
        return [[note.page] for note in notes]
    anchored = AnchoredPages(pages)
    return [anchored.pages_of(note.anchor) if note.anchor else [note.page] for note in notes]


def _only(pages: Sequence[int]) -> int | None:
    return pages[0] if len(pages) == 1 else None


def _on(note: GivenNote, page: int) -> GivenNote:
    return GivenNote(line=note.line, page=page, text=note.text, anchor=note.anchor)


def _between(pages: Sequence[int], sure: Sequence[int | None], at: int) -> list[int]:
    """Return the pages between the nearest certain pages before and after."""
    before = next((page for page in reversed(sure[:at]) if page is not None), 1)
    behind = next((page for page in sure[at + 1 :] if page is not None), max(pages, default=0))
    return [page for page in pages if before <= page <= behind]


def _why_nowhere(
    note: GivenNote, found: Sequence[int], fits: Sequence[int], *, pages: int, is_other: bool
) -> str | None:
    if note.anchor is not None:
        if not found:
            return "its anchor stands nowhere in this book"
        return None if len(fits) == 1 else "its anchor stands in several places"
    if is_other:
        return "it has no anchor, and the pages are another edition's"
    return None if note.page <= pages else f"this book has pages 1 to {pages}"


def _note(line: int, given: str) -> GivenNote | str:
    """Return the note of a line, or why it is not one."""
    try:
        fields = json.loads(given.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return "this line is no JSON"
    if not isinstance(fields, dict):
        return f"a line is an object such as {EXAMPLE}"
    page, text, anchor = fields.get("page"), fields.get("note"), fields.get("anchor")
    wrong = _wrong(page, text, anchor)
    if wrong is not None or not isinstance(text, str) or not isinstance(page, int):
        return wrong or f"a line is an object such as {EXAMPLE}"
    plain = fold_space(text)
    return GivenNote(line=line, page=page, text=plain, anchor=anchor or None)


def _wrong(page: object, text: object, anchor: object) -> str | None:
    checks = (
        (type(page) is int and page >= 1, "`page` is a whole number from 1"),
        (isinstance(text, str) and bool(text.strip()), "`note` is a text, and is needed"),
        (not isinstance(text, str) or len(text) <= _LONGEST_NOTE, f"a note is at most {_LONGEST_NOTE} characters"),
        (anchor is None or isinstance(anchor, str), "`anchor` is a text"),
        (not isinstance(anchor, str) or len(anchor) <= _LONGEST_ANCHOR, "its anchor is too long"),
        (not isinstance(text, str) or _is_whole(text), "`note` holds halves of characters"),
    )
    return next((reason for holds, reason in checks if not holds), None)


def _is_whole(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text) and "\x00" not in text
