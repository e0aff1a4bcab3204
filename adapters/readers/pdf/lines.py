"""The lines of text on a PDF's pages, with their positions; with `document` the only user of PDFium.

PDFium (https://pdfium.googlesource.com/pdfium, through pypdfium2) finds characters and lines and repairs damaged files.
In tightly set type it misses spaces between words; the gaps between the characters' boxes show them.
"""

import ctypes
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any, Final

import pypdfium2.raw as pdfium_c

_LINE_ENDS = re.compile(r"\r\n|[\r\n\ufffe\x02]")
_HYPHENS: Final = "\ufffe\x02"
_DROPPED: Final = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0xAD, 0x200B, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF])
_FIRST_HALF: Final = 0xD800  # surrogates, which no text may hold
_LAST_HALF: Final = 0xDFFF
_WORD = re.compile(r"\S+")
# In heights of a character's box (about 1.25 of the type size): kerning is smaller, any space is larger.
_SPACE: Final = 0.08
_BEFORE_CAPITAL: Final = 0.4
_AFTER_F: Final = 0.2
_SHARE_OF_SPACE: Final = 0.6
_GUTTER: Final = 0.9
_SAMPLED: Final = 4
_FEWEST_WIDE: Final = 2
_LONGEST_WORD: Final = 60
_FEWEST_GAPS: Final = 3
_LEAST_HEIGHT: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfLine:
    """One line of text: its left and right end, its baseline and height in points; y grows upwards."""

    text: str
    left: float
    right: float
    base: float
    height: float
    hyphenated: bool = False


Sides = tuple[float, float]
"""The left and right end of a character's box, which spans its advance width."""


class LineFinder:
    """Finds the lines of one page after another; learns which words have no gap in them."""

    def __init__(self) -> None:
        self._whole: set[str] = set()

    def lines(self, text_page: Any) -> list[PdfLine]:  # noqa: ANN401 - PDFium's objects have no types
        """Return the lines in the file's drawing order; a line with a wide gap is returned as two."""
        characters = _characters(text_page)
        places = _Places(text_page)
        rows = [(span, words) for span in _spans(characters) if (words := _words(characters, span))]
        # Checking every gap takes time; a page in columns shows it in any sample of its lines.
        if sum(_has_wide_gap(words, places) for _, words in rows[::_SAMPLED]) >= _FEWEST_WIDE:
            rows = [piece for row in rows for piece in _divided(row, places)]
        return [line for span, words in rows if (line := self._line(characters, span, words, places))]

    def _line(self, characters: str, span: "_LineSpan", words: list["_LineSpan"], places: "_Places") -> PdfLine | None:
        text = " ".join(part for word in words for part in self._taken_apart(characters, word, words, places))
        text = text.translate(_DROPPED).strip()
        if not text:
            return None
        first, last = words[0].start, words[-1].stop - 1
        return PdfLine(
            text=text,
            left=places.sides(first)[0],
            right=places.sides(last)[1],
            base=places.base(first),
            height=places.height(words[len(words) // 2].start),
            hyphenated=span.hyphenated and words[-1].stop <= span.stop and span.ends(characters, words[-1]),
        )

    def _taken_apart(self, characters: str, word: "_LineSpan", line: list["_LineSpan"], places: "_Places") -> list[str]:
        """Return a word, or the words that are set so close that they look like one."""
        text = characters[word.start : word.stop]
        if not 1 < len(text) <= _LONGEST_WORD or text in self._whole:
            return [text]
        cuts = _cuts(text, word, line, places)
        if not cuts:
            self._whole.add(text)
        return [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]


@dataclass(frozen=True, slots=True)
class _LineSpan:
    """A range of a page's characters."""

    start: int
    stop: int
    hyphenated: bool = False

    def ends(self, characters: str, word: "_LineSpan") -> bool:
        """Whether a word is the last thing in the range."""
        return not characters[word.stop : self.stop].strip()


class _Places:
    """Asks PDFium for the positions of characters."""

    def __init__(self, text_page: Any) -> None:  # noqa: ANN401
        self._page = text_page.raw
        self._box = pdfium_c.FS_RECTF()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()

    def sides(self, index: int) -> Sides:
        """Return the left and right end of a character."""
        pdfium_c.FPDFText_GetLooseCharBox(self._page, index, self._box)
        return self._box.left, self._box.right

    def height(self, index: int) -> float:
        """Return the height of a character's box: that of its font, or its size if the font has no box."""
        pdfium_c.FPDFText_GetLooseCharBox(self._page, index, self._box)
        height = float(self._box.top - self._box.bottom)
        return height if height > _LEAST_HEIGHT else max(pdfium_c.FPDFText_GetFontSize(self._page, index), 1.0)

    def base(self, index: int) -> float:
        """Return the y coordinate of a character's baseline."""
        pdfium_c.FPDFText_GetCharOrigin(self._page, index, self._x, self._y)
        return self._y.value


def _cuts(text: str, word: _LineSpan, line: list[_LineSpan], places: _Places) -> list[int]:
    """Return where a gap between a word's letters is as wide as a space."""
    sides = [places.sides(index) for index in range(word.start, word.stop)]
    gaps = [after[0] - before[1] for before, after in pairwise(sides)]
    # Text with space between all its letters is one word.
    usual = max(median(gaps), 0) if len(gaps) >= _FEWEST_GAPS else 0
    least = _SPACE * places.height(word.start)
    known = [gap for gap in _gaps(line, places) if gap > 0] if max(gaps) > usual + least * _AFTER_F else []
    if known:
        least = max(least, _SHARE_OF_SPACE * median(known))
    return [place + 1 for place, gap in enumerate(gaps) if gap > usual + least * _share(text[place : place + 2])]


def _share(pair: str) -> float:
    """Return the share of a space's width from which a gap between two characters is a space."""
    if pair[0] == "f":  # it is set close to whatever follows, even a space
        return _AFTER_F
    return _BEFORE_CAPITAL if pair[0].islower() and pair[1].isupper() else 1


def _spans(characters: str) -> Iterator[_LineSpan]:
    """Yield the lines as the file ends them."""
    start = 0
    for end in _LINE_ENDS.finditer(characters):
        yield _LineSpan(start, end.start(), hyphenated=end[0] in _HYPHENS)
        start = end.end()
    yield _LineSpan(start, len(characters))


def _words(characters: str, span: _LineSpan) -> list[_LineSpan]:
    return [_LineSpan(match.start(), match.end()) for match in _WORD.finditer(characters, span.start, span.stop)]


def _gaps(words: list[_LineSpan], places: _Places) -> list[float]:
    return [places.sides(after.start)[0] - places.sides(word.stop - 1)[1] for word, after in pairwise(words)]


def _has_wide_gap(words: list[_LineSpan], places: _Places) -> bool:
    return max(_gaps(words, places), default=0) > _GUTTER * places.height(words[0].start)


def _divided(row: tuple[_LineSpan, list[_LineSpan]], places: _Places) -> Iterator[tuple[_LineSpan, list[_LineSpan]]]:
    span, words = row
    begin = 0
    wide = _GUTTER * places.height(words[0].start)
    for place, gap in enumerate(_gaps(words, places), 1):
        if gap > wide:
            yield span, words[begin:place]
            begin = place
    yield span, words[begin:]


def without_gap(line: PdfLine, other: PdfLine) -> PdfLine:
    """Return two lines that are side by side as one."""
    return replace(line, text=f"{line.text} {other.text}", right=other.right, hyphenated=other.hyphenated)


def _characters(text_page: Any) -> str:  # noqa: ANN401
    """Return the characters of a page, one for each that PDFium counts, so that indexes match."""
    count = text_page.count_chars()
    if count <= 0:
        return ""
    text = str(text_page.get_text_range(0, count))
    if len(text) == count:
        return text
    codes = (pdfium_c.FPDFText_GetUnicode(text_page.raw, index) for index in range(count))
    return "".join(
        chr(code) if 0 < code < _FIRST_HALF or _LAST_HALF < code <= sys.maxunicode else " " for code in codes
    )
