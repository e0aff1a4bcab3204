"""Finds the page of a few words of a text, to place reading notes of another edition."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from core.domain.book import Page
from core.language.phrases import FoldedText, find_phrase, is_findable

_RUN: Final = 3
_LEAST_WORDS: Final = 6
_MOST_WORDS: Final = 24
_MOST_GUESSED: Final = 50
"""How many anchors are searched with typos, which takes a hundred times as long as an exact search."""


class AnchoredPages:
    """Finds pages by words on them. Ignores case, accents and line breaks."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = pages
        folded = [FoldedText(page.text).words for page in pages]
        self._ends = [*accumulate(map(len, folded))]
        self._words = [word for words in folded for word in words]
        self._places: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for at in range(len(self._words) - _RUN + 1):
            self._places[tuple(self._words[at : at + _RUN])].append(at)
        self._guessed: dict[str, list[int]] = {}
        self._whole: FoldedText | None = None

    def pages_of(self, anchor: str) -> list[int]:
        """Return the pages on which an anchor ends, in order; empty if it is not found or too short."""
        wanted = FoldedText(anchor).words
        if not is_findable(anchor):
            return []
        places = self._places.get(tuple(wanted[:_RUN]), [])
        ends = [at + len(wanted) for at in places if self._words[at : at + len(wanted)] == wanted]
        return sorted({self._page_of(end) for end in ends}) or self._almost(anchor)

    def anchor_of(self, page: Page) -> str | None:
        """Return the last words of a page, as few as are unique in the text; None if none are.

        A reader of the last words has read the whole page, whatever the page breaks of another edition are.
        """
        written = page.text.split()
        for length in range(_LEAST_WORDS, _MOST_WORDS + 1):
            anchor = " ".join(written[-length:])
            if self.pages_of(anchor) == [page.number]:
                return anchor
        return None

    def _almost(self, anchor: str) -> list[int]:
        """Return the pages of an anchor with typos or scan errors."""
        if anchor not in self._guessed:
            if len(self._guessed) >= _MOST_GUESSED:
                return []
            if self._whole is None:
                self._whole = FoldedText("\n".join(page.text for page in self._pages))
            hits = find_phrase(self._whole, anchor)
            starts = [*accumulate((len(page.text) + 1 for page in self._pages), initial=0)]
            self._guessed[anchor] = sorted({self._pages[bisect_right(starts, hit.end - 1) - 1].number for hit in hits})
        return self._guessed[anchor]

    def _page_of(self, end: int) -> int:
        """Return the page of the word before an offset."""
        return self._pages[bisect_right(self._ends, end - 1)].number
