"""What the look of a text tells of its headings; made by the readers of text, asked where headings are found."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

_FEWEST_APART = 3
_MOST_APART = 1 / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLayout:
    """The page of each paragraph, as far as it is known, and which paragraphs stand apart from what is above them.

    `apart`, those first on a page or behind a wide gap, is empty where the look of the text tells nothing.
    """

    page_of: Sequence[int]
    apart: frozenset[int] = frozenset()

    @classmethod
    def of(cls, page_of: Sequence[int], gaps: Collection[int] = ()) -> Self:
        """Return the layout of paragraphs on these pages; `gaps` are those behind more than one empty line."""
        few_gaps = gaps if len(gaps) <= _MOST_APART * len(page_of) else ()
        tops = (index for index, (above, page) in enumerate(pairwise([0, *page_of])) if page != above)
        apart = frozenset({*tops, *few_gaps})
        return cls(page_of=page_of, apart=apart if len(apart) >= _FEWEST_APART else frozenset())

    def share_apart(self, indices: Iterable[int]) -> float:
        """Return the share of the paragraphs that stand apart."""
        apart = [index in self.apart for index in indices]
        return sum(apart) / max(1, len(apart))
