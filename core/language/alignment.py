"""Aligns two versions of a text, to keep positions when a changed file is imported again.

Runs of five words that occur once in each text are matched, and the longest rising chain of them is kept (patience
diff). Between two matches, only single changed words are aligned.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from core.domain.book import Page
from core.domain.edition import PlaceMap
from core.language.phrases import FoldedText

_RUN = 5


class TextAlignment:
    """An alignment of the words of an old text with those of a new one."""

    def __init__(self, old: Sequence[Page], new: Sequence[Page]) -> None:
        self._old, self._new = old, new
        folded = [[FoldedText(page.text).words for page in pages] for pages in (old, new)]
        self._old_words, self._new_words = [[word for page in pages for word in page] for pages in folded]
        self._old_ends, self._new_ends = [[*accumulate(map(len, pages), initial=0)] for pages in folded]
        self._ties = _rising(_shared_runs(self._old_words, self._new_words))
        self._ties_old = [tie[0] for tie in self._ties]

    @property
    def likeness(self) -> float:
        """The share of the shorter text that is aligned: 0 for different books, 1 for the same words."""
        runs = min(len(self._old_words), len(self._new_words)) - _RUN + 1
        return len(self._ties) / runs if runs > 0 else 0.0

    def places(self) -> PlaceMap:
        """Return where each old page and offset is in the new text."""
        return PlaceMap(
            pages_down=tuple(self._page_read(self._down(count)) for count in self._old_ends),
            pages_up=tuple(self._page_telling(self._up(count)) for count in self._old_ends),
            offset=self._offset,
        )

    def _down(self, count: int) -> int:
        """Return how many words of the new text are certainly read if `count` words of the old one are."""
        behind = bisect_right(self._ties_old, count - _RUN)
        last_old, last_new = (tie + _RUN for tie in self._ties[behind - 1]) if behind else (0, 0)
        ended = behind == len(self._ties)
        next_old, next_new = (len(self._old_words), len(self._new_words)) if ended else self._ties[behind]
        if count > next_old:
            return next_new + count - next_old
        mended = last_new + count - last_old
        if next_old - last_old != next_new - last_new:
            return last_new
        unread = set(self._old_words[count:next_old]).difference(self._old_words[last_old:count])
        return last_new if unread.intersection(self._new_words[last_new:mended]) else mended

    def _up(self, count: int) -> int:
        """Return how many words of the new text contain everything in the first `count` words of the old one."""
        if not count:
            return 0
        ahead = bisect_left(self._ties_old, count)
        return self._ties[ahead][1] if ahead < len(self._ties) else len(self._new_words)

    def _page_read(self, count: int) -> int:
        return bisect_right(self._new_ends, count) - 1 if count else 0

    def _page_telling(self, count: int) -> int:
        return bisect_left(self._new_ends, count)

    def _offset(self, offset: int) -> int:
        """Return the new offset of an old one, after a whole word."""
        at = bisect_right(self._old, offset, key=lambda page: page.start_offset) - 1
        read = FoldedText(self._old[at].text[: offset - self._old[at].start_offset]).words
        count = self._down(self._old_ends[at] + len(read))
        if not count:
            return 0
        page = bisect_left(self._new_ends, count) - 1
        word = count - self._new_ends[page] - 1
        end = FoldedText(self._new[page].text).span(word)[1]
        return self._new[page].start_offset + end


def _shared_runs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the indexes in both texts of the runs of words that occur once in each, in the order of the old one."""
    in_new = _once(new)
    return [(index, in_new[run]) for run, index in _once(old).items() if run in in_new]


def _once(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for index, run in enumerate(zip(*(words[start:] for start in range(_RUN)), strict=False)):
        found[run] = -1 if run in found else index
    return {run: index for run, index in found.items() if index >= 0}


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest chain of pairs that rises in both texts (patience sorting)."""
    tops: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        before.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [place]
        piles[pile : pile + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = piles[-1] if piles else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]
