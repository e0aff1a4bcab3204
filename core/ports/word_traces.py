"""Port: where on read pages the words of a question leave a trace, word by word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.domain.passage import ReadableSpan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """What speaks for each page read, and on some runs of pages for each word, in the order in which they stand there.

    `pages` are the numbers of the pages that hold text, `scores` how well each fits. Of the question's words of matter
    `stems` are the stems, `rarities` how rare each is, and `is_read` says whether it stands on the pages read itself
    and not only in another spelling. Of the words that stand on the runs `held` has a row for each of the question's: 1
    where it stands, less where one like it does. `gist` is how near each is to the question in meaning, times its
    weight, `squares` are the weights squared, `theme` how like its piece of text is as a whole.
    """

    pages: Sequence[int]
    scores: "Floats"
    stems: Sequence[str]
    rarities: "Floats"
    is_read: Sequence[bool]
    held: Sequence["Floats"]
    gist: Sequence["Floats"]
    squares: Sequence["Floats"]
    theme: Sequence["Floats"]


class WordTraces(Protocol):
    """An index that can tell more of pages than their order."""

    async def traces(self, span: ReadableSpan, query: str, runs: Sequence[tuple[int, int]]) -> Traces | None:
        """Return the traces on some runs of read pages (first, last), a part for each.

        None where there is nothing to look for, or in.
        """
