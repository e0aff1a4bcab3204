"""Removes running heads and page numbers from a PDF's text; called by the PDF reader.

A row at the top or bottom of a page counts as such if its number keeps step with the pages around it, or if it repeats
their text; one with words must also stand apart from the text. The numbers become the page labels if the file has none
of its own.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from statistics import median
from typing import Final

from adapters.readers.pdf.columns import same_row
from adapters.readers.pdf.lines import PdfLine
from core.domain.numbers import read_number

_ROWS: Final = 2
_WINDOW: Final = 6
_FEWEST: Final = 3
_APART: Final = 1.25
_OFTEN: Final = 4
_LONGEST: Final = 100
_NUMBER = re.compile(r"\W{0,3}(?:(?P<arabic>\d{1,4})|(?P<roman>[ivxlcdm]{1,9}|[IVXLCDM]{1,9}))\W{0,3}")
_HEADS = re.compile(r"\W*(?:chapter|chap|part|book|volume|letter|act|scene|section|canto|no)?\W*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Number:
    """A number at one end of a row: its distance from the page's index, its printed form, and the rest of the row."""

    printed: str
    step: int
    is_roman: bool
    rest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _LineRow:
    lines: tuple[PdfLine, ...]
    text: str
    numbers: tuple[_Number, ...]
    is_apart: bool

    @property
    def keys(self) -> frozenset[str]:
        """The row's text without its numbers."""
        return frozenset({_DIGITS.sub("#", self.text.casefold()), *(number.rest for number in self.numbers)})


_Steps = Sequence[frozenset[tuple[int, bool]]]
"""For each page the distances of its numbers from its index, and whether they are Roman."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """The outermost rows of all pages on one side, their texts, and how often each occurs in the book."""

    rows: Sequence[Sequence[_LineRow]]
    keys: Sequence[frozenset[str]]
    often: Counter[str]

    @classmethod
    def of(cls, rows: Sequence[Sequence[_LineRow]]) -> "_Edge":
        keys = [frozenset().union(*(row.keys for row in page)) for page in rows]
        return cls(rows=rows, keys=keys, often=Counter(chain.from_iterable(keys)))

    def furniture(self, place: int, steps: _Steps) -> Iterator[tuple[_LineRow, _Number | None]]:
        """Yield a page's rows that are running heads or numbers, with the number that keeps step with other pages'."""
        for row in self.rows[place]:
            number = next((one for one in row.numbers if _keeps_step(one, steps, place)), None)
            if number is None and not self._repeats(row, place):
                return
            yield row, number

    def _repeats(self, row: _LineRow, place: int) -> bool:
        """Whether a row repeats the words of others nearby, or of many in the book."""
        if len(row.text) > _LONGEST or not any(map(str.isalpha, row.text)):
            return False
        if _HEADS.fullmatch(_DIGITS.sub("", row.text)):
            return False
        return any(self._is_usual(key, place) for key in row.keys - {""})

    def _is_usual(self, key: str, place: int) -> bool:
        around = self.keys[max(0, place - _WINDOW) : place + _WINDOW + 1]
        return self.often[key] >= _OFTEN or sum(key in one for one in around) >= _FEWEST


def without_furniture(pages: Sequence[Sequence[PdfLine]]) -> tuple[list[list[PdfLine]], list[str | None]]:
    """Return the pages without running heads and numbers, and the numbers printed on them."""
    leading = _leading(pages)
    tops, feet = (
        _Edge.of([_rows(page, place, leading, from_top=from_top) for place, page in enumerate(pages)])
        for from_top in (True, False)
    )
    steps = [_steps(chain(*rows)) for rows in zip(tops.rows, feet.rows, strict=True)]
    kept: list[list[PdfLine]] = []
    labels: list[str | None] = []
    for place, page in enumerate(pages):
        found = [*tops.furniture(place, steps), *feet.furniture(place, steps)]
        kept.append(_without(page, found))
        labels.append(next((number.printed for _, number in found if number), None))
    return kept, _filled(labels)


def _steps(rows: Iterable[_LineRow]) -> frozenset[tuple[int, bool]]:
    return frozenset((number.step, number.is_roman) for row in rows for number in row.numbers)


def _without(page: Sequence[PdfLine], furniture: Iterable[tuple[_LineRow, _Number | None]]) -> list[PdfLine]:
    """Return the text lines of a page; a row with more than a number is removed only if it stands apart."""
    rows = [row for row, number in furniture if row.is_apart or (number and not number.rest)]
    gone = {id(line) for row in rows for line in row.lines}
    left = [line for line in page if id(line) not in gone]
    return left or [line for line in page if not _NUMBER.fullmatch(line.text)]


def _leading(pages: Sequence[Sequence[PdfLine]]) -> float:
    """Return the usual distance between two lines."""
    steps = [above.base - line.base for page in pages for above, line in pairwise(page) if above.base > line.base]
    return median(steps) if steps else 0


def _rows(page: Sequence[PdfLine], place: int, leading: float, *, from_top: bool) -> list[_LineRow]:
    """Return the outermost rows of a page, outermost first."""
    rows: list[list[PdfLine]] = []
    for line in sorted(page, key=lambda line: (-line.base if from_top else line.base, line.left)):
        if rows and same_row(rows[-1][0], line):
            rows[-1].append(line)
        elif len(rows) > _ROWS:
            break
        else:
            rows.append([line])
    found: list[_LineRow] = []
    for row, inner in zip_longest(rows[:_ROWS], rows[1 : _ROWS + 1]):
        text = _SPACE.sub(" ", " ".join(line.text for line in sorted(row, key=lambda line: line.left))).strip()
        numbers = tuple(_numbers(text, place)) if len(text) <= _LONGEST else ()
        is_apart = inner is None or abs(row[0].base - inner[0].base) > _APART * leading
        found.append(_LineRow(lines=tuple(row), text=text, numbers=numbers, is_apart=is_apart))
    return found


def _numbers(text: str, place: int) -> Iterator[_Number]:
    words = text.split(" ")
    for at in dict.fromkeys((0, len(words) - 1)):
        match = _NUMBER.fullmatch(words[at])
        value = read_number((match["arabic"] or match["roman"]).upper()) if match else None
        if match is None or value is None:
            continue
        rest = " ".join(words[:at] + words[at + 1 :]).casefold()
        if rest and _HEADS.fullmatch(rest):
            continue  # `Chapter 5` heads a chapter, whatever page it is on
        printed = match["arabic"] or match["roman"]
        yield _Number(printed=printed, step=value - place, is_roman=match["roman"] is not None, rest=rest)


def _keeps_step(number: _Number, steps: _Steps, place: int) -> bool:
    around = steps[max(0, place - _WINDOW) : place + _WINDOW + 1]
    return sum((number.step, number.is_roman) in one for one in around) >= _FEWEST


def _filled(labels: list[str | None]) -> list[str | None]:
    """Return the labels, with missing ones filled in if their neighbours determine them."""
    numbers = {place: int(label) for place, label in enumerate(labels) if label and label.isdigit()}
    known = sorted(numbers)
    for before, behind in pairwise(known):
        if numbers[behind] - numbers[before] == behind - before:
            labels[before + 1 : behind] = map(str, range(numbers[before] + 1, numbers[behind]))
    return labels
