"""Draws a club's progress as a PNG that reads well on light and dark backgrounds, and without colours.

Shapes differ wherever colours do: read pages are hatched, pages up to the goal are dotted, the goal has a flag, the
asker's page is a diamond, and a member who has read that far has a tick.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from core.catalogue.sentences import say
from core.domain.progress import PageMark, ProgressChart, counted_line

_SCALE: Final = 4
"""Pixels drawn per unit of length; the image is then halved, which smooths the edges."""
_WIDTH: Final = 600
_MARGIN: Final = 32
_BAR_WIDTH: Final = _WIDTH - 2 * _MARGIN
_BAR_HEIGHT: Final = 26
_ROW_HEIGHT: Final = 36
_MOST_SIGNS: Final = 20
"""Above this number of sections or members, only the words are shown."""
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
    """Return the picture as a PNG; None if a page name is too long or not ASCII."""
    marks = [mark for mark in (chart.last, chart.together, chart.own, chart.goal) if mark is not None]
    if not all(mark.name.isascii() and len(mark.name) <= _LONGEST_NAME for mark in marks):
        return None
    rows = _rows(chart)
    top = 104 if chart.goal is not None else 80
    below = top + _BAR_HEIGHT + (38 if _own_mark(chart) is not None else 14)
    canvas = _Canvas(height=below + _ROW_HEIGHT * len(rows) + (18 if rows else 14))
    _draw_heading(canvas, chart)
    _draw_bar(canvas, chart, top)
    for number, row in enumerate(rows):
        _draw_signs(canvas, row, below + _ROW_HEIGHT * number + _ROW_HEIGHT / 2)
    return canvas.as_png()


class _Canvas:
    """A dark card to draw on; lengths are in units from the upper left corner."""

    def __init__(self, *, height: float) -> None:
        self._image = Image.new("RGBA", (_pixels(_WIDTH), _pixels(height)))
        self._pen = ImageDraw.Draw(self._image)
        self.rounded((0, 0, _WIDTH, height), radius=20, fill=_CARD)

    def rounded(self, box: Sequence[float], *, radius: float, fill: str | None = None, line: str | None = None) -> None:
        self._pen.rounded_rectangle([_pixels(each) for each in box], _pixels(radius), fill, line, _pixels(2))

    def circle(self, at: _Point, radius: float, *, fill: str | None = None, line: str | None = None) -> None:
        self._pen.circle((_pixels(at[0]), _pixels(at[1])), _pixels(radius), fill, line, _pixels(2))

    def shape(self, corners: Sequence[_Point], fill: str) -> None:
        self._pen.polygon([(_pixels(x), _pixels(y)) for x, y in corners], fill)

    def stroke(self, points: Sequence[_Point], fill: str, *, width: float) -> None:
        self._pen.line([(_pixels(x), _pixels(y)) for x, y in points], fill, _pixels(width), "curve")

    def words(self, at: _Point, text: str, *, size: int = _SMALL, fill: str = _WORDS, anchor: str = "lm") -> float:
        """Write words at a point, placed by Pillow's `anchor`; return their width."""
        self._pen.text((_pixels(at[0]), _pixels(at[1])), text, fill, _font(size), anchor)
        return _length(text, size)

    def clipped(self, other: "_Canvas", box: Sequence[float], *, radius: float) -> None:
        """Paste another canvas onto this one, clipped to a box with round corners."""
        mask = Image.new("L", self._image.size)
        ImageDraw.Draw(mask).rounded_rectangle([_pixels(each) for each in box], _pixels(radius), 255)
        self._image.paste(other._image, (0, 0), mask)  # noqa: SLF001 (an object of the same class)

    @property
    def height(self) -> float:
        return self._image.height / _SCALE

    def as_png(self) -> bytes:
        out = BytesIO()
        self._image.reduce(2).save(out, "PNG")
        return out.getvalue()


def _draw_heading(canvas: _Canvas, chart: ProgressChart) -> None:
    """Write the club's page and share; without a club page, the asker's."""
    mark, line = chart.together or chart.own, 46
    if mark is None:
        return
    if not mark.page:
        where = say("nothing read yet")
    elif chart.together is None:
        where = say("You: p. {page}", page=mark.name)
    else:
        where = say("p. {page}", page=mark.name)
    at = _MARGIN + canvas.words((_MARGIN, line), where, size=_BIG, anchor="ls")
    if 0 < mark.page <= chart.last.page:
        canvas.words((at + 10, line), say("of {page}", page=chart.last.name), size=_MIDDLE, fill=_QUIET, anchor="ls")
    share = f"{chart.share(mark)} %"
    canvas.words((_WIDTH - _MARGIN, line), share, size=_BIG, anchor="rs")


def _draw_bar(canvas: _Canvas, chart: ProgressChart, top: float) -> None:
    """Draw the whole book: read pages, the way to the goal, and the asker's page."""
    mark = chart.together or chart.own
    read = _MARGIN if mark is None else _x_of(mark, chart)
    within = _Canvas(height=canvas.height)
    _draw_hatching(within, read, top)
    within.rounded((read, top, _WIDTH, top + _BAR_HEIGHT), radius=0, fill=_EMPTY)
    if chart.goal is not None:
        _draw_dots(within, read, _x_of(chart.goal, chart), top)
    canvas.clipped(within, (_MARGIN, top, _WIDTH - _MARGIN, top + _BAR_HEIGHT), radius=_BAR_HEIGHT / 2)
    if chart.goal is not None:
        _draw_flag(canvas, chart.goal, _x_of(chart.goal, chart), top)
    own = _own_mark(chart)
    if own is not None:
        _draw_diamond(canvas, own, _x_of(own, chart), top)


def _draw_dots(canvas: _Canvas, begin: float, end: float, top: float) -> None:
    for column in range(int(begin // 10), int(end // 10) + 1):
        for row in (7.0, 19.0) if column % 2 else (13.0,):
            if begin + 3 < column * 10 < end - 2:
                canvas.circle((column * 10, top + row), 1.8, fill=_GOAL)


def _draw_hatching(canvas: _Canvas, end: float, top: float) -> None:
    canvas.rounded((_MARGIN, top, end, top + _BAR_HEIGHT), radius=0, fill=_READ)
    for x in range(_MARGIN - _BAR_HEIGHT, int(end), 14):
        canvas.stroke([(x, top + _BAR_HEIGHT + 1), (x + _BAR_HEIGHT + 2, top - 1)], _HATCHED, width=3)


def _draw_flag(canvas: _Canvas, goal: PageMark, x: float, top: float) -> None:
    """Draw a flag over the bar, with the goal's page on the side where there is room."""
    words, peak = say("goal p. {page}", page=goal.name), top - 34
    canvas.stroke([(x, peak), (x, top + _BAR_HEIGHT + 5)], _GOAL, width=2.5)
    to_the_right = x + 24 + _length(words, _SMALL) <= _WIDTH - _MARGIN
    side = 1 if to_the_right else -1
    canvas.shape([(x, peak - 1), (x + 17 * side, peak + 7), (x, peak + 15)], _GOAL)
    canvas.words((x + 24 * side, peak + 8), words, fill=_GOAL, anchor="lm" if to_the_right else "rm")


def _draw_diamond(canvas: _Canvas, own: PageMark, x: float, top: float) -> None:
    """Draw a diamond under the bar at the asker's page, with its words inside the card."""
    middle, words = top + _BAR_HEIGHT + 14, say("you, p. {page}", page=own.name)
    canvas.shape([(x, middle - 10), (x + 8, middle), (x, middle + 10), (x - 8, middle)], _WORDS)
    to_the_right = x + 16 + _length(words, _SMALL) <= _WIDTH - _MARGIN
    canvas.words((x + 16 if to_the_right else x - 16, middle), words, anchor="lm" if to_the_right else "rm")


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChartRow:
    """Words with a sign for each thing counted: squares for sections, circles for members."""

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


def _draw_signs(canvas: _Canvas, row: _ChartRow, middle: float) -> None:
    """Draw a row; its signs end at the right edge."""
    canvas.words((_MARGIN, middle), row.words)
    if row.of > _MOST_SIGNS:
        return
    apart = min(24.0, (_BAR_WIDTH - _length(row.words, _SMALL) - 24) / row.of)
    size = min(8.0, apart * 0.36)
    for number in range(row.of):
        x = _WIDTH - _MARGIN - size - (row.of - 1 - number) * apart
        if row.is_round:
            _draw_member(canvas, (x, middle), size, has_come=number < row.full)
        else:
            _draw_section(canvas, (x, middle), size, number=number, current=row.full)


def _draw_member(canvas: _Canvas, at: _Point, size: float, *, has_come: bool) -> None:
    (x, y) = at
    if not has_come:
        canvas.circle(at, size, line=_QUIET)
        return
    canvas.circle(at, size, fill=_READ)
    tick = [(x - size * 0.45, y), (x - size * 0.1, y + size * 0.38), (x + size * 0.5, y - size * 0.38)]
    canvas.stroke(tick, _CARD, width=size / 3.6)


def _draw_section(canvas: _Canvas, at: _Point, size: float, *, number: int, current: int) -> None:
    """Draw a section: filled once its date is past, with the flag's colour and a core if it is the next one."""
    box = (at[0] - size, at[1] - size, at[0] + size, at[1] + size)
    if number < current:
        canvas.rounded(box, radius=3, fill=_READ)
    elif number > current:
        canvas.rounded(box, radius=3, line=_QUIET)
    else:
        canvas.rounded(box, radius=3, line=_GOAL)
        canvas.rounded([each + inset for each, inset in zip(box, (4, 4, -4, -4), strict=True)], radius=1, fill=_GOAL)


def _own_mark(chart: ProgressChart) -> PageMark | None:
    """Return the asker's page if it is shown beside the club's."""
    return chart.own if chart.together is not None else None


def _x_of(mark: PageMark, chart: ProgressChart) -> float:
    """Return the x coordinate on the bar where a page ends."""
    return _MARGIN + _BAR_WIDTH * min(mark.page / max(chart.last.page, 1), 1)


def _pixels(length: float) -> int:
    return round(length * _SCALE)


def _length(words: str, size: int) -> float:
    return _font(size).getlength(words) / _SCALE


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font that comes with Pillow."""
    font = ImageFont.load_default(_pixels(size))
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise OSError("this Pillow was built without FreeType")
    return font
