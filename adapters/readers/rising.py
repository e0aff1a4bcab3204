"""Finds the numbered lines that head the chapters of a book; called by the search for chapter headings.

A single `XII` or `I: The Shore` is no evidence, since lists, dates and verses have such lines too. A run of them that
counts up through the book is.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from adapters.readers.layout import TextLayout
from adapters.readers.marks import Candidate, Mark
from adapters.readers.numerals import NumberedLine, numbered_line
from core.language.sentences import fold_space, unit_count

_CHAPTER_WORDS: Final = 60
_REAL_SHARE: Final = 0.4
_LATEST_BEGIN: Final = 1 / 3
_FEWEST_BARE: Final = 2
_FEWEST_TITLED: Final = 3
_FEWEST_PAGE_NUMBERS: Final = 5
_APART_SHARE: Final = 0.5
_WORTH_OF_AN_ENTRY: Final = 0.2
_PRICE_OF_A_RESTART: Final = 1.5
_PRICE_OF_A_GAP: Final = 1.5
_GAIN_OF_MIXED: Final = 1.3


def rising_numbers(paragraphs: Sequence[str], layout: TextLayout, parts: Collection[int]) -> list[Candidate]:
    """Return the lines that number the chapters, and those of a contents list; numbers may restart after `parts`."""
    lines = [line for index, text in enumerate(paragraphs) if (line := numbered_line(index, text))]
    new_starts = frozenset({*parts, *(line.index for line in lines if " / " in line.text)})
    best: list[NumberedLine] = []
    most = 0
    for family, gain in _families(lines):
        words = _long_ones(family, paragraphs)
        chain = _best_chain(family, words, new_starts)
        real = sum(line.index in words for line in chain)
        if real > gain * most and _is_real(chain, real, layout):
            best, most = chain, real
    if best and best[0].index > _LATEST_BEGIN * len(paragraphs):
        return []  # the stanzas of a poem
    return [_candidate(line, "chapter") for line in best]


def continued(last: Candidate, paragraphs: Sequence[str]) -> list[Candidate]:
    """Return titles that go on with the numbers of a last chapter: `VII. THE SPECKLED BAND` after `ADVENTURE VI`."""
    found: list[Candidate] = []
    for index in range(last.index + 1, len(paragraphs)):
        line = numbered_line(index, paragraphs[index])
        wanted = last.mark.number + len(found) + 1 if last.mark and last.mark.numbered else 0
        if line and line.form == "divided" and line.number == wanted and last.mark:
            found.append(_candidate(line, last.mark.kind))
    return found if len(found) >= _FEWEST_BARE else []


def _candidate(line: NumberedLine, kind: str) -> Candidate:
    mark = Mark(kind=kind, number=line.number, bare=line.form == "bare")
    return Candidate(index=line.index, text=fold_space(line.text), mark=mark)


def _families(lines: Sequence[NumberedLine]) -> Iterator[tuple[list[NumberedLine], float]]:
    """Yield the lines grouped by style, since a book writes its chapters in one style and its lists in another.

    The number says how many times as many chapters a group must show as those before it.
    """
    for forms, gain in ((("bare",), 1.0), (("divided",), 1.0), (("open",), 1.0), (("bare", "divided"), _GAIN_OF_MIXED)):
        for script in ("roman", "digits", "spelled"):
            yield [line for line in lines if line.script == script and line.form in forms], gain


def _long_ones(lines: Sequence[NumberedLine], paragraphs: Sequence[str]) -> frozenset[int]:
    """Return the indices of the lines followed by a chapter's length of text."""
    ends = [*(line.index for line in lines), len(paragraphs)][1:]
    return frozenset(
        line.index for line, end in zip(lines, ends, strict=True) if _is_long(paragraphs, line.index + 1, end)
    )


def _is_long(paragraphs: Sequence[str], start: int, end: int) -> bool:
    words = 0
    for index in range(start, end):
        words += unit_count(paragraphs[index])
        if words >= _CHAPTER_WORDS:
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Chain:
    """A run of ascending lines, linked backwards from the last."""

    score: float
    line: NumberedLine
    before: "_Chain | None"


def _best_chain(
    lines: Sequence[NumberedLine], long_ones: Collection[int], new_starts: Collection[int]
) -> list[NumberedLine]:
    """Return the best ascending lines: the sum of their values less the penalties for gaps and restarts."""
    ending: dict[int, _Chain] = {}  # the best chain for each last number
    top: _Chain | None = None
    starts = sorted(new_starts)
    for line in lines:
        before = _continued(line, ending, top, starts)
        if before is None:
            continue
        score, chain = before
        worth = 1 if line.index in long_ones else _WORTH_OF_AN_ENTRY
        best = ending[line.number] = _better(_Chain(score + worth, line, chain), ending.get(line.number))
        top = _better(best, top)
    found: list[NumberedLine] = []
    while top:
        found.append(top.line)
        top = top.before
    return found[::-1]


def _continued(
    line: NumberedLine, ending: Mapping[int, _Chain], top: _Chain | None, starts: Sequence[int]
) -> tuple[float, _Chain | None] | None:
    """Return the best chain that the line can extend, and its value; None if it can neither extend nor begin one."""
    options: list[tuple[float, _Chain | None]] = [
        (chain.score - price, chain)
        for step, price in ((1, 0.0), (2, _PRICE_OF_A_GAP))
        if (chain := ending.get(line.number - step))
    ]
    if line.number == 1:
        options.append((0, None))
        if top:
            part_between = bisect_right(starts, line.index) > bisect_right(starts, top.line.index)
            options.append((top.score - (0 if part_between else _PRICE_OF_A_RESTART), top))
    return max(options, key=lambda option: option[0], default=None)


def _better(one: _Chain, other: _Chain | None) -> _Chain:
    return one if other is None or one.score > other.score else other


def _is_real(chain: Sequence[NumberedLine], real: int, layout: TextLayout) -> bool:
    """Whether a chain numbers chapters: enough of them have a chapter's length, and the lines look like headings."""
    titled = any(line.form != "bare" for line in chain)
    if real < max(_FEWEST_TITLED if titled else _FEWEST_BARE, _REAL_SHARE * len(chain)):
        return False
    if chain[0].script == "digits" and _are_page_numbers(chain, layout.page_of):
        return False
    # Lists and footnotes also have digits and open titles, but not at the top of a page.
    loose = titled and (chain[0].script == "digits" or any(line.form == "open" for line in chain))
    return not loose or not layout.apart or layout.share_apart(line.index for line in chain) >= _APART_SHARE


def _are_page_numbers(chain: Sequence[NumberedLine], page_of: Sequence[int]) -> bool:
    """Whether the numbers are the page numbers printed on most pages of a book with form feeds."""
    pages = {page_of[line.index] for line in chain}
    return len(pages) >= _FEWEST_PAGE_NUMBERS and len(pages) > len(set(page_of)) / 2
