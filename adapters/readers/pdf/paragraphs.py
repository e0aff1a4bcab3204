"""Joins the lines of a PDF page into paragraphs, by indents, gaps and sizes, and rejoins hyphenated words.

Called by the PDF reader.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

from adapters.readers.pdf.lines import PdfLine

_SENTENCE_END = re.compile(r"[.!?:…—][\"”’»)\]_*]*$")
_INITIAL = re.compile(r"[\"“‘'«]?[^\W\d_]{1,2}")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_INDENT: Final = 0.6
_SAME_INDENT: Final = 0.3
_GAP: Final = 1.45
_LEAST_LEADING: Final = 0.8
_FAR: Final = 3
_OTHER_SIZE: Final = 0.15
_SHORT_OF: Final = 0.12
_LARGE_INITIAL: Final = 1.6
_AROUND: Final = 3
_SLACK: Final = 0.5
_RAGGED: Final = 4
_WORDS_ALONE: Final = frozenset("AIO")

_WORDS = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_LAST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*$")
_FIRST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_BOTH_KNOWN: Final = 3
_SHORTEST: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph: its text, the height of its letters, and the position of its first line."""

    text: str
    height: float
    base: float
    hyphenated: bool = False


def paragraphs_of(columns: Sequence[Sequence[PdfLine]], hyphens: "Hyphens") -> list[Paragraph]:
    """Return the paragraphs of one page, with hyphenated words rejoined.

    The last one is `hyphenated` if its last word continues on the next page.
    """
    found: list[Paragraph] = []
    for column in columns:
        lines = _with_initials(column, hyphens)
        shape = _Shape.of(lines)
        for place, line in enumerate(lines):
            joiner = _joiner(lines, place, shape, within_word=bool(found) and found[-1].hyphenated)
            if joiner is not None:
                found[-1] = _continued(found[-1], line, joiner, hyphens)
            else:
                one = Paragraph(text=line.text, height=line.height, base=line.base, hyphenated=_is_divided(line))
                found.append(_without_hyphen(one))
    return found


class Hyphens:
    """Rejoins words divided at line ends, by how often the book uses each form."""

    def __init__(self, lines: Iterable[PdfLine]) -> None:
        self._seen: Counter[str] = Counter()
        after_part = False
        for line in lines:
            words = _WORDS.findall(line.text)
            ends_in_part = line.hyphenated or line.text.endswith(("-", "‐"))
            self._seen.update(map(str.casefold, words[after_part : len(words) - ends_in_part]))
            after_part = ends_in_part

    def mended(self, before: str, behind: str) -> str:
        """Return two lines as one; `before` has lost its hyphen, which is restored if the word needs it."""
        first, second = _LAST.search(before), _FIRST.match(behind)
        if not first or not second:
            return f"{before}-{behind}"
        joined = self._seen[(first[0] + second[0]).casefold()]
        apart = self._seen[f"{first[0]}-{second[0]}".casefold()]
        if behind[0].isupper() and not first[0].isupper():
            return f"{before}-{behind}"
        if joined or apart:
            return before + behind if joined >= apart else f"{before}-{behind}"
        both = min(len(first[0]), len(second[0])) >= _SHORTEST and self._known(first[0]) and self._known(second[0])
        return f"{before}-{behind}" if both else before + behind

    def knows(self, word: str) -> int:
        """Return how often the book uses a word."""
        return self._seen[word.casefold()]

    def _known(self, word: str) -> bool:
        return self._seen[word.casefold()] >= _BOTH_KNOWN


def _joiner(lines: Sequence[PdfLine], place: int, shape: "_Shape", *, within_word: bool) -> str | None:
    """Return the text that joins a line to the paragraph before; None if the line begins a paragraph.

    A column's first line continues a paragraph only `within_word`.
    """
    if not place:
        return " " if within_word else None
    if shape.begins(lines[place], lines[place - 1]):
        return None
    return " " if _is_full(lines, place - 1, lines[place], shape) else "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """The shape of a column: the usual left and right edges, the rightmost edge, and the line distance."""

    left: float
    right: float
    longest: float
    leading: float

    @classmethod
    def of(cls, lines: Sequence[PdfLine]) -> "_Shape":
        ends = sorted(line.right for line in lines)
        steps = [above.base - line.base for above, line in pairwise(lines) if above.base > line.base]
        return cls(
            left=_left(lines),
            right=ends[len(ends) * 9 // 10] if ends else 0,
            longest=ends[-1] if ends else 0,
            leading=median(steps) if steps else 0,
        )

    def begins(self, line: PdfLine, above: PdfLine) -> bool:
        """Whether a line begins a paragraph."""
        if _is_divided(above):
            return False
        if abs(line.height - above.height) > _OTHER_SIZE * max(line.height, above.height):
            return True
        if above.base - line.base > _GAP * max(self.leading, line.height * _LEAST_LEADING):
            return True
        is_in = line.left - self.left > _INDENT * line.height
        if is_in and abs(line.left - above.left) > _SAME_INDENT * line.height:
            return True
        if not self._ends_short(above):
            return False
        was_far_in = above.left - self.left > _FAR * line.height
        ended = bool(_SENTENCE_END.search(above.text)) and not line.text[0].islower()
        return ended or (was_far_in and not is_in)

    def _ends_short(self, line: PdfLine) -> bool:
        return line.right < self.right - _SHORT_OF * (self.right - self.left)


def _continued(paragraph: Paragraph, line: PdfLine, joiner: str, hyphens: Hyphens) -> Paragraph:
    text = hyphens.mended(paragraph.text, line.text) if paragraph.hyphenated else f"{paragraph.text}{joiner}{line.text}"
    return _without_hyphen(replace(paragraph, text=text, hyphenated=_is_divided(line)))


def _without_hyphen(paragraph: Paragraph) -> Paragraph:
    return replace(paragraph, text=paragraph.text.rstrip("-‐")) if paragraph.hyphenated else paragraph


def _is_divided(line: PdfLine) -> bool:
    """Whether a line ends within a word."""
    return line.hyphenated or (line.text.endswith(("-", "‐")) and len(line.text) > 1 and line.text[-2].isalpha())


def _is_full(lines: Sequence[PdfLine], place: int, following: PdfLine, shape: _Shape) -> bool:
    """Whether the next word would not have fitted on the line; then the line break means nothing."""
    line = lines[place]
    block = [
        one
        for one in lines[max(0, place - _AROUND) : place + _AROUND + 1]
        if abs(one.left - line.left) < _INDENT * line.height * 4
    ]
    right = max(one.right for one in block)
    reaching = sum(one.right > right - line.height for one in block)
    if 2 * reaching < len(block) and line.right < shape.longest - _RAGGED * line.height:
        return False  # lines of varying length, none ended by the margin: verse
    width = (line.right - line.left) / max(len(line.text), 1)
    word = following.text.split(maxsplit=1)[0]
    return line.right + width * (len(word) + 1) > right - _SLACK * line.height


def _left(lines: Sequence[PdfLine]) -> float:
    """Return where most lines begin; the leftmost of several equal candidates."""
    if not lines:
        return 0
    places = Counter(round(line.left) for line in lines)
    most = max(places.values())
    return min(place for place, count in places.items() if count >= most / 2)


def _with_initials(lines: Sequence[PdfLine], hyphens: Hyphens) -> list[PdfLine]:
    """Put a chapter's large initial before the rest of its word, wherever the file draws it."""
    usual = median(line.height for line in lines) if lines else 0
    initials = [line for line in lines if line.height > _LARGE_INITIAL * usual and _INITIAL.fullmatch(line.text)]
    found = [*lines]
    for initial in initials:
        found = _with_initial(found, initial, hyphens)
    return found


def _with_initial(lines: list[PdfLine], initial: PdfLine, hyphens: Hyphens) -> list[PdfLine]:
    """Return the lines with the initial in the first line beside it, and all of these at the margin."""
    beside = [line for line in lines if _stands_beside(line, initial)]
    first = max(beside, key=lambda line: line.base, default=None)
    whole = first and _beginning_with(initial, first, hyphens)
    if whole is None:
        return lines
    margin = _left(lines)
    moved = {id(line): replace(line, left=margin) for line in beside} | {id(first): whole}
    return [moved.get(id(line), line) for line in lines if line is not initial]


def _beginning_with(initial: PdfLine, line: PdfLine, hyphens: Hyphens) -> PdfLine | None:
    """Return the line with the initial before it; None if the line begins with no word."""
    letter, word = initial.text[-1], _FIRST_WORD.match(line.text)
    if word is None:
        return None
    apart = letter in _WORDS_ALONE and hyphens.knows(letter + word[0]) < hyphens.knows(word[0])
    return replace(line, text=f"{initial.text}{' ' if apart else ''}{line.text}", left=initial.left)


def _stands_beside(line: PdfLine, initial: PdfLine) -> bool:
    return (
        initial.height > _LARGE_INITIAL * line.height
        and initial.left <= line.left < initial.right + initial.height
        and initial.base - line.height <= line.base <= initial.base + initial.height
    )
