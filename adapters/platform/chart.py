"""Draws how far a club has come, as a PNG that reads the same on light and on dark, with colours and without.

What differs in colour differs in shape too: read pages are hatched, those up to the goal are dotted, the goal has a
flag, one's own page is a diamond, and a member who has come so far has a tick.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from core.catalogue.sentences import say
from core.domain.progress import PageMark, ProgressChart, counted_line

_FINE: Final = 4
"""So many pixels are drawn for a unit of length below; half of them are left, so that edges come out smooth."""
_WIDTH: Final = 600
_EDGE: Final = 32
_LONG: Final = _WIDTH - 2 * _EDGE
_HIGH: Final = 26
_ROW: Final = 36
_MOST_SIGNS: Final = 20
"""Of more sections or members only the words are shown."""
_LONGEST_NAME: Final = 8

_CARD: Final = "#212d3a"
_WORDS: Final = "#f6eedf"
_QUIET: Final = "#b3bfcb"
_EMPTY: Final = "#384959"
_READ: Final = "#f0b549"
_HATCHED: Final = "#c68a20"
_GOAL: Final = "#7ed0c6"

_BIG: Final = 36
_MIDDLE: Final = 22
_SMALL: Final = 18

_Point = tuple[float, float]


def drawn(chart: ProgressChart) -> bytes | None:
    """Return the picture as a PNG; None where it has no room or no letters for its page names."""
    marks = [mark for mark in (chart.last, chart.together, chart.own, chart.goal) if mark is not None]
    if not all(mark.name.isascii() and len(mark.name) <= _LONGEST_NAME for mark in marks):
        return None
    rows = _rows(chart)
    top = 104 if chart.goal is not None else 80
    below = top + _HIGH + (38 if _own_beside(chart) is not None else 14)
    canvas = _Canvas(height=below + _ROW * len(rows) + (18 if rows else 14))
    _head(canvas, chart)
    _bar(canvas, chart, top)
    for number, row in enumerate(rows):
        _signs(canvas, row, below + _ROW * number + _ROW / 2)
    return canvas.as_png()


class _Canvas:
    """A dark card to draw on, in units of length from its upper left corner."""

    def __init__(self, *, height: float) -> None:
        self._image = Image.new("RGBA", (_fine(_WIDTH), _fine(height)))
        self._pen = ImageDraw.Draw(self._image)
        self.rounded((0, 0, _WIDTH, height), radius=20, fill=_CARD)

    def rounded(self, box: Sequence[float], *, radius: float, fill: str | None = None, line: str | None = None) -> None:
        self._pen.rounded_rectangle([_fine(each) for each in box], _fine(radius), fill, line, _fine(2))

    def circle(self, at: _Point, radius: float, *, fill: str | None = None, line: str | None = None) -> None:
        self._pen.circle((_fine(at[0]), _fine(at[1])), _fine(radius), fill, line, _fine(2))

    def shape(self, corners: Sequence[_Point], fill: str) -> None:
        self._pen.polygon([(_fine(x), _fine(y)) for x, y in corners], fill)

    def stroke(self, points: Sequence[_Point], fill: str, *, width: float) -> None:
        self._pen.line([(_fine(x), _fine(y)) for x, y in points], fill, _fine(width), "curve")

    def words(self, at: _Point, text: str, *, size: int = _SMALL, fill: str = _WORDS, anchor: str = "lm") -> float:
        """Write words at a point of theirs that the anchor names, as Pillow has it; return how long they are."""
        self._pen.text((_fine(at[0]), _fine(at[1])), text, fill, _font(size), anchor)
        return _length(text, size)

    def clipped(self, other: "_Canvas", box: Sequence[float], *, radius: float) -> None:
        """Lay another canvas on this one, as far as it is within a box with round corners."""
        mask = Image.new("L", self._image.size)
        ImageDraw.Draw(mask).rounded_rectangle([_fine(each) for each in box], _fine(radius), 255)
        self._image.paste(other._image, (0, 0), mask)  # noqa: SLF001 (its own kind)

    @property
    def height(self) -> float:
        return self._image.height / _FINE

    def as_png(self) -> bytes:
        out = BytesIO()
        self._image.reduce(2).save(out, "PNG")
        return out.getvalue()


def _head(canvas: _Canvas, chart: ProgressChart) -> None:
    """Write how far that is: of all, or where nobody has said that, of the asker."""
    mark, line = chart.together or chart.own, 46
    if mark is None:
        return
    if not mark.page:
        where = say("nothing read yet")
    elif chart.together is None:
        where = say("You: p. {page}", page=mark.name)
    else:
        where = say("p. {page}", page=mark.name)
    at = _EDGE + canvas.words((_EDGE, line), where, size=_BIG, anchor="ls")
    if 0 < mark.page <= chart.last.page:
        canvas.words((at + 10, line), say("of {page}", page=chart.last.name), size=_MIDDLE, fill=_QUIET, anchor="ls")
    share = f"{chart.share(mark)} %"
    canvas.words((_WIDTH - _EDGE, line), share, size=_BIG, anchor="rs")


def _bar(canvas: _Canvas, chart: ProgressChart, top: float) -> None:
    """Draw the book from its first page to its last, what is read of it, the way to the goal, and the asker's page."""
    mark = chart.together or chart.own
    read = _EDGE if mark is None else _along(mark, chart)
    within = _Canvas(height=canvas.height)
    _hatch(within, read, top)
    within.rounded((read, top, _WIDTH, top + _HIGH), radius=0, fill=_EMPTY)
    if chart.goal is not None:
        _dots(within, read, _along(chart.goal, chart), top)
    canvas.clipped(within, (_EDGE, top, _WIDTH - _EDGE, top + _HIGH), radius=_HIGH / 2)
    if chart.goal is not None:
        _flag(canvas, chart.goal, _along(chart.goal, chart), top)
    own = _own_beside(chart)
    if own is not None:
        _diamond(canvas, own, _along(own, chart), top)


def _dots(canvas: _Canvas, begin: float, end: float, top: float) -> None:
    for column in range(int(begin // 10), int(end // 10) + 1):
        for row in (7.0, 19.0) if column % 2 else (13.0,):
            if begin + 3 < column * 10 < end - 2:
                canvas.circle((column * 10, top + row), 1.8, fill=_GOAL)


def _hatch(canvas: _Canvas, end: float, top: float) -> None:
    canvas.rounded((_EDGE, top, end, top + _HIGH), radius=0, fill=_READ)
    for x in range(_EDGE - _HIGH, int(end), 14):
        canvas.stroke([(x, top + _HIGH + 1), (x + _HIGH + 2, top - 1)], _HATCHED, width=3)


def _flag(canvas: _Canvas, goal: PageMark, x: float, top: float) -> None:
    """Put a flag over the bar, with its page beside it, on the side where there is room."""
    words, peak = say("goal p. {page}", page=goal.name), top - 34
    canvas.stroke([(x, peak), (x, top + _HIGH + 5)], _GOAL, width=2.5)
    to_the_right = x + 24 + _length(words, _SMALL) <= _WIDTH - _EDGE
    side = 1 if to_the_right else -1
    canvas.shape([(x, peak - 1), (x + 17 * side, peak + 7), (x, peak + 15)], _GOAL)
    canvas.words((x + 24 * side, peak + 8), words, fill=_GOAL, anchor="lm" if to_the_right else "rm")


def _diamond(canvas: _Canvas, own: PageMark, x: float, top: float) -> None:
    """Put a diamond under the bar at the asker's page, with its words, all of them on the card."""
    middle, words = top + _HIGH + 14, say("you, p. {page}", page=own.name)
    canvas.shape([(x, middle - 10), (x + 8, middle), (x, middle + 10), (x - 8, middle)], _WORDS)
    to_the_right = x + 16 + _length(words, _SMALL) <= _WIDTH - _EDGE
    canvas.words((x + 16 if to_the_right else x - 16, middle), words, anchor="lm" if to_the_right else "rm")


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChartRow:
    """Words with a sign for each of what they count: squares for sections, circles for members."""

    words: str
    full: int
    of: int
    is_round: bool = False


def _rows(chart: ProgressChart) -> list[_ChartRow]:
    rows = list[_ChartRow]()
    if chart.section is not None:
        number, sections = chart.section
        rows.append(
            _ChartRow(
                words=say("Section {number} of {sections}", number=number, sections=sections),
                full=number - 1,
                of=sections,
            )
        )
    if chart.counted is not None and chart.together is not None:
        words = counted_line(chart.counted, chart.together.name).rstrip(".")
        rows.append(_ChartRow(words=words, full=chart.counted[0], of=chart.counted[1], is_round=True))
    return rows


def _signs(canvas: _Canvas, row: _ChartRow, middle: float) -> None:
    """Draw a row: its signs end at the right edge."""
    canvas.words((_EDGE, middle), row.words)
    if row.of > _MOST_SIGNS:
        return
    apart = min(24.0, (_LONG - _length(row.words, _SMALL) - 24) / row.of)
    size = min(8.0, apart * 0.36)
    for number in range(row.of):
        x = _WIDTH - _EDGE - size - (row.of - 1 - number) * apart
        if row.is_round:
            _person(canvas, (x, middle), size, has_come=number < row.full)
        else:
            _section(canvas, (x, middle), size, number=number, current=row.full)


def _person(canvas: _Canvas, at: _Point, size: float, *, has_come: bool) -> None:
    (x, y) = at
    if not has_come:
        canvas.circle(at, size, line=_QUIET)
        return
    canvas.circle(at, size, fill=_READ)
    tick = [(x - size * 0.45, y), (x - size * 0.1, y + size * 0.38), (x + size * 0.5, y - size * 0.38)]
    canvas.stroke(tick, _CARD, width=size / 3.6)


def _section(canvas: _Canvas, at: _Point, size: float, *, number: int, current: int) -> None:
    """Draw a section: full once its date is past, with a flag's colour and a core where it is the next one."""
    box = (at[0] - size, at[1] - size, at[0] + size, at[1] + size)
    if number < current:
        canvas.rounded(box, radius=3, fill=_READ)
    elif number > current:
        canvas.rounded(box, radius=3, line=_QUIET)
    else:
        canvas.rounded(box, radius=3, line=_GOAL)
        canvas.rounded([each + inset for each, inset in zip(box, (4, 4, -4, -4), strict=True)], radius=1, fill=_GOAL)


def _own_beside(chart: ProgressChart) -> PageMark | None:
    """Return the asker's page where it is shown beside that of all."""
    return chart.own if chart.together is not None else None


def _along(mark: PageMark, chart: ProgressChart) -> float:
    """Return how far along the bar a page ends."""
    return _EDGE + _LONG * min(mark.page / max(chart.last.page, 1), 1)


def _fine(length: float) -> int:
    return round(length * _FINE)


def _length(words: str, size: int) -> float:
    return _font(size).getlength(words) / _FINE


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font that comes with Pillow."""
    font = ImageFont.load_default(_fine(size))
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise OSError("this Pillow was built without FreeType")
    return font
