"""Sorts the lines of a page into reading order, column by column; called by the PDF reader."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from adapters.readers.pdf.lines import PdfLine, without_gap

_FEWEST_ROWS: Final = 5
_MOST_LINES: Final = 600
_LEAST_WIDTH: Final = 0.2
_MOST_CROSSING: Final = 0.25
_SAME_ROW: Final = 0.4


def columns_of(lines: Sequence[PdfLine]) -> list[list[PdfLine]]:
    """Return the columns of a page, from top to bottom and left to right; a single one if it has no columns.

    Lines across the columns (headings, captions) separate what is above from what is below.
    """
    gutter = _gutter(lines)
    if gutter is None:
        return [_in_order(_joined(lines))]
    columns: list[list[PdfLine]] = []
    sides: tuple[list[PdfLine], list[PdfLine]] = ([], [])
    for line in sorted(lines, key=lambda line: (-line.base, line.left)):
        if not _crosses(line, gutter):
            sides[line.left >= gutter].append(line)
            continue
        columns += filter(None, sides)
        sides = ([], [])
        if columns and _crosses(columns[-1][-1], gutter):
            columns[-1].append(line)
        else:
            columns.append([line])
    return [*columns, *filter(None, sides)]


def same_row(line: PdfLine, other: PdfLine) -> bool:
    """Whether two lines are side by side."""
    return abs(line.base - other.base) < _SAME_ROW * min(line.height, other.height)


def _crosses(line: PdfLine, gutter: float) -> bool:
    return line.left < gutter < line.right


def _joined(lines: Iterable[PdfLine]) -> list[PdfLine]:
    """Rejoin lines divided at wide gaps that do not separate columns."""
    found: list[PdfLine] = []
    for line in lines:
        if found and same_row(found[-1], line) and line.left >= found[-1].right:
            found[-1] = without_gap(found[-1], line)
        else:
            found.append(line)
    return found


def _in_order(lines: list[PdfLine]) -> list[PdfLine]:
    """Keep the file's order of lines if it runs down the page at all."""
    steps = [after.base - before.base for before, after in pairwise(lines)]
    runs_down = sum(step > 0 for step in steps) <= len(steps) / 2
    return lines if runs_down else sorted(lines, key=lambda line: (-line.base, line.left))


def _gutter(lines: Sequence[PdfLine]) -> float | None:
    """Return the x coordinate of the gap between two columns; None if the page has no two columns of text."""
    if not 2 * _FEWEST_ROWS <= len(lines) <= _MOST_LINES:
        return None
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    width = right - left
    begins = sorted({line.left for line in lines if 0.3 * width < line.left - left < 0.7 * width})
    return next((x - 0.1 for x in begins if _divides(x - 0.1, lines, width)), None)


def _divides(at: float, lines: Sequence[PdfLine], width: float) -> bool:
    """Whether text columns lie to the left and right of a position, with little text across it."""
    before = [line for line in lines if line.right <= at]
    behind = [line for line in lines if line.left >= at]
    crossing = len(lines) - len(before) - len(behind)
    if crossing > _MOST_CROSSING * len(lines) or min(len(before), len(behind)) < _FEWEST_ROWS:
        return False
    if min(_mean_width(before), _mean_width(behind)) < _LEAST_WIDTH * width:
        return False
    return sum(any(same_row(line, other) for other in behind) for line in before) >= _FEWEST_ROWS


def _mean_width(lines: Sequence[PdfLine]) -> float:
    return sum(line.right - line.left for line in lines) / len(lines)
