"""The layout of a text as evidence for headings; made by the text readers, used by the heading search."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

_FEWEST_APART = 3
_MOST_APART = 1 / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLayout:
    """The page of each paragraph, as far as known, and the paragraphs that stand apart from what is above them.

    `apart` holds paragraphs first on a page or after a wide gap; it is empty if the layout shows nothing.
    """

    page_of: Sequence[int]
    apart: frozenset[int] = frozenset()

    @classmethod
    def of(cls, page_of: Sequence[int], gaps: Collection[int] = ()) -> Self:
        """Return the layout of paragraphs on these pages; `gaps` are those after more than one empty line."""
        few_gaps = gaps if len(gaps) <= _MOST_APART * len(page_of) else ()
        tops = (index for index, (above, page) in enumerate(pairwise([0, *page_of])) if page != above)
        apart = frozenset({*tops, *few_gaps})
        return cls(page_of=page_of, apart=apart if len(apart) >= _FEWEST_APART else frozenset())

    def share_apart(self, indices: Iterable[int]) -> float:
        """Return the share of these paragraphs that stand apart."""
        apart = [index in self.apart for index in indices]
        return sum(apart) / max(1, len(apart))
