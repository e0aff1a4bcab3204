"""How far converted times and percents are from where listeners really are.

    python -m benchmarks.listeners [FILE ...]

Simulates 1,000 listeners of each book: the sample, the practice books beside the repository where present, and the
files named. Each recording reads a chapter up to 15 % slower or faster than the next, and has opening and closing
credits of 0 to 3 minutes. A listener stops anywhere in it and says what the player shows: the time (minutes rounded
down), the time left, or the percent (rounded). Ahead is what counts: pages that the conversion opens and the listener
hasn't heard. The margin in core.domain.edition is such that in each book at most 1 in 100 is ahead by more than a
page.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles

from adapters.readers.choose import reader_for
from benchmarks.labelled import PRACTICE, SAMPLE
from core.domain.book import BookOutline, page_ends
from core.domain.copy_numbers import Unit
from core.domain.edition import Edition, KnownPoint, learn, position_at_share, position_in_book

_LISTENERS = 1_000
_LETTERS_A_MINUTE = 900
_SPEEDS = (0.85, 1.15)
_CREDITS = (0.0, 3.0)


@dataclass(frozen=True, slots=True)
class _Listener:
    """What a player shows, in minutes, and the pages that are really read; chapters by minute and offset."""

    shown: float
    length: float
    pages: float
    starts: tuple[tuple[float, int], ...]


def _outline(path: Path) -> BookOutline:
    text = reader_for(path).read(path)
    last = text.pages[-1]
    return BookOutline(
        pages=len(text.pages),
        chapters=text.chapters,
        ends=page_ends([page.start_offset for page in text.pages], last.start_offset + len(last.text)),
        first_story_page=text.first_story_page,
        last_story_page=text.last_story_page,
    )


def _listener(outline: BookOutline, chance: random.Random) -> _Listener:
    begin, end = outline.end_of(outline.first_story_page - 1), outline.end_of(outline.story_end)
    inner = {outline.end_of(each.first_page - 1) for each in outline.chapters}
    offsets = sorted({begin, end, *(each for each in inner if begin < each < end)})
    minute, starts = chance.uniform(*_CREDITS), list[tuple[float, int]]()
    for before, after in pairwise(offsets):
        starts.append((minute, before))
        minute += (after - before) / (_LETTERS_A_MINUTE * chance.uniform(*_SPEEDS))
    starts.append((minute, end))
    length = minute + chance.uniform(*_CREDITS)
    shown = chance.uniform(0, length)
    offset = begin if shown < starts[0][0] else end
    for (since, before), (until, after) in pairwise(starts):
        if since <= shown < until:
            offset = before + int((after - before) * (shown - since) / (until - since))
    return _Listener(shown, length, float(outline.pages_read(offset)), tuple(starts))


def _by_time(one: _Listener, outline: BookOutline) -> int:
    return position_in_book(Edition(unit=Unit.MINUTES, last_page=int(one.length)), int(one.shown), outline)


def _by_time_left(one: _Listener, outline: BookOutline) -> int:
    minute = max(int(one.length) - int(one.length - one.shown), 0)
    return position_in_book(Edition(unit=Unit.MINUTES, last_page=int(one.length)), minute, outline)


def _by_time_and_chapters(one: _Listener, outline: BookOutline) -> int:
    edition = Edition(unit=Unit.MINUTES, last_page=int(one.length))
    for minute, offset in one.starts[1:-1]:
        if minute >= 1:
            edition = learn(edition, KnownPoint(page=int(minute), offset=offset))
    return position_in_book(edition, int(one.shown), outline)


def _by_percent(one: _Listener, outline: BookOutline) -> int:
    return position_at_share(Fraction(round(100 * one.shown / one.length)), outline)


_WAYS: dict[str, Callable[[_Listener, BookOutline], int]] = {
    "time": _by_time,
    "time left": _by_time_left,
    "time, chapters known": _by_time_and_chapters,
    "percent": _by_percent,
}


def _measure(name: str, outline: BookOutline) -> None:
    chance = random.Random(7)
    listeners = [_listener(outline, chance) for _ in range(_LISTENERS)]
    for way, position in _WAYS.items():
        away = [position(one, outline) - one.pages for one in listeners]
        ahead, behind = [each for each in away if each > 0], [-each for each in away if each <= 0]
        print(
            f"{name[:24]:24} {outline.pages:5} {len(outline.chapters):4}  {way:21} {len(ahead):4}"
            f" {sum(each > 1 for each in ahead):4} {max(ahead, default=0):6.1f}"
            f" {median(behind):6.1f} {quantiles(behind, n=20)[-1]:6.1f}"
        )


def main() -> None:
    """Measure each book."""
    practice = sorted(PRACTICE.glob("*/book.txt")) + sorted(PRACTICE.glob("*/novel.txt"))
    print("book                     pages  ch.  what is said     ahead   >1   most  behind, 95 % within (pages)")
    for path in (SAMPLE / "novel.txt", *practice, *map(Path, sys.argv[1:])):
        _measure(path.parent.name if path.stem in {"book", "novel"} else path.stem, _outline(path))


if __name__ == "__main__":
    main()
