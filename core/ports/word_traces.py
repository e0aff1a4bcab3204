"""Port: where the words of a question occur on read pages, word by word."""

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
    """Scores of all read pages for a question, and values of every word on some runs of pages.

    Attributes:
        pages: the numbers of the read pages with text.
        scores: how well each of them fits the question.
        stems: the stems of the question's content words.
        rarities: how rare each stem is.
        is_read: whether each stem occurs on read pages itself, and not only in a similar spelling.
        held: for each run, a row per stem with a value per word in order: 1 for the same word, less for a similar one.
        gist: for each run, each word's similarity to the question in meaning, times its weight.
        squares: for each run, each word's squared weight.
        theme: for each run, the similarity to the question of the piece of text that the word is in.
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
    """An index that scores pages and words, and not only ranks pages."""

    async def traces(self, span: ReadableSpan, query: str, runs: Sequence[tuple[int, int]]) -> Traces | None:
        """Return the traces of a query on runs of read pages, given as first and last page.

        None if the query has no content words, or the pages have no text.
        """
