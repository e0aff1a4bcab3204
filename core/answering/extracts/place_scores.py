"""Estimates for each sentence on read pages the probability that it answers a question, from its words and neighbours.

The weights are fitted on labelled books by `benchmarks.places_fit`, and tested on books left out (ADR 53).
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.answering.extracts.passages import ABOUT_BOOKS
from core.answering.extracts.read_text import ReadSentence
from core.ports.word_traces import Traces

Floats = NDArray[np.float64]

LOOKED_AT: Final = 12
"""How many of the best pages of a search are examined, each with its neighbouring pages."""

_LEAST_RARITY: Final = 0.05
_STANDS: Final = 0.999
_SATURATION: Final = 1.2
_TINY: Final = 1e-6
_LOWEST, _HIGHEST = -6.0, 6.0
_NEAR: Final = 3
_AROUND: Final = 4


def runs_around(pages: Sequence[int], last_page: int) -> list[tuple[int, int]]:
    """Return the runs of pages (first and last) that cover the given pages and their neighbours, in order."""
    wanted = sorted({each for page in pages for each in (page - 1, page, page + 1) if 1 <= each <= last_page})
    runs: list[tuple[int, int]] = []
    for page in wanted:
        if runs and page == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], page)
        else:
            runs.append((page, page))
    return runs


def chances(runs: Sequence[Sequence[ReadSentence]], held: "QuestionCover") -> list[Floats]:
    """Return for each sentence of the runs the probability that it holds the answer; all add up to 1."""
    given = weights()
    names, values = features(runs, held)
    scores = values @ np.array([given[name] for name in names])
    shares = np.exp(scores - scores.max())
    return _by_run(np.asarray(shares / shares.sum()), runs)


def most_held(held: "QuestionCover") -> float:
    """Return the largest share, 0 to 1, of the question's weight that one sentence of the runs contains.

    Only exact spellings count: similar spellings would make a name from unread pages match read words.
    """
    traces = held.traces
    is_read = np.array(traces.is_read)[held.kept]
    unread = np.log1p(2 * len(traces.pages) + 1)
    rarities = np.where(is_read, np.maximum(traces.rarities[held.kept], _LEAST_RARITY), unread)
    stands = held.alike >= _STANDS
    return float(((rarities * is_read) @ stands).max(initial=0.0) / rarities.sum())


def _by_run(values: Floats, runs: Sequence[Sequence[ReadSentence]]) -> list[Floats]:
    return list(np.split(values, np.cumsum([len(run) for run in runs])[:-1]))


def _matter(traces: Traces) -> list[int]:
    """Return the rows of the question's words that help to find a sentence."""
    return [row for row, stem in enumerate(traces.stems) if stem not in ABOUT_BOOKS] or list(range(len(traces.stems)))


@cache
def weights() -> Mapping[str, float]:
    """Return the fitted weights that are shipped with the program."""
    return read_weights(files("core.answering.extracts").joinpath("fitted_places.json").read_text(encoding="utf-8"))


def read_weights(text: str) -> dict[str, float]:
    """Parse the weights that `benchmarks.places_fit` wrote. Raises ValueError where the text has another form."""
    try:
        return {str(name): float(value) for name, value in json.loads(text)["weights"].items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"These are no weights of places: {error!r} is missing or wrong.") from error


def features(runs: Sequence[Sequence[ReadSentence]], held: "QuestionCover") -> tuple[tuple[str, ...], Floats]:
    """Return the names of the features, and a matrix with one row for each sentence of the runs, in order.

    `alike` is the share of the question's weight that a sentence contains in the same or similar words; suffixes say
    where: `_next` in it and both neighbours, `_near` within three sentences on each side. `_often` counts the words
    within four. `gist` is their similarity in meaning. The other features are the page's score (beside the best page's,
    beside all, and the better neighbour's), the sentence's length, and whether it asks.
    """
    traces, line, alike = held.traces, held.line, held.alike
    rarities = np.maximum(traces.rarities[held.kept], _LEAST_RARITY)
    shares = rarities / rarities.sum()
    wide = line.laid_out(alike)
    gist, squares = (line.laid_out(line.total_in(each)) for each in (traces.gist, traces.squares))
    counts = line.total(wide, _AROUND)
    sentences = [each for run in runs for each in run]
    found = {
        "alike": shares @ alike,
        "alike_next": shares @ line.most(wide, 1),
        "alike_near": shares @ line.most(wide, _NEAR),
        "alike_often": shares @ (counts * (1 + _SATURATION) / (counts + _SATURATION)),
        "gist_next": line.total(gist, 1) / np.sqrt(line.total(squares, 1) + _TINY),
        "gist_near": line.total(gist, _NEAR) / np.sqrt(line.total(squares, _NEAR) + _TINY),
        "theme": line.total_in(traces.theme) / np.maximum(line.counts, 1),
        **_of_pages([each.page for each in sentences], traces),
        "long": np.log(np.array([each.words for each in sentences]) + 1.0),
        "asks": np.array([each.asks for each in sentences], dtype=np.float64),
    }
    return tuple(found), np.stack(list(found.values()), axis=1)


def _of_pages(of_sentence: Sequence[int], traces: Traces) -> dict[str, Floats]:
    """Return features of each sentence's page score: beside the best page's, beside all, and the better neighbour's."""
    spread = np.clip((traces.scores - traces.scores.mean()) / (traces.scores.std() + _TINY), _LOWEST, _HIGHEST)
    standing = dict(zip(traces.pages, spread.tolist(), strict=True))
    behind = dict(zip(traces.pages, np.log1p(traces.scores.max() - traces.scores).tolist(), strict=True))
    most_behind = max(behind.values())
    return {
        "page_share": np.array([-behind.get(page, most_behind) for page in of_sentence]),
        "page_spread": np.array([standing.get(page, 0.0) for page in of_sentence]),
        "page_beside": np.array([max(standing.get(page + step, 0.0) for step in (-1, 1)) for page in of_sentence]),
    }


class QuestionCover:
    """How much of a question each sentence of some runs contains. Computed once and used twice.

    Attributes:
        traces: the word index's result for the question.
        kept: the rows of the words that help to find a sentence.
        line: the sentences.
        alike: for each kept word and each sentence, the best similarity of a word in it.
    """

    def __init__(self, runs: Sequence[Sequence[ReadSentence]], traces: Traces) -> None:
        self.traces = traces
        self.kept = _matter(traces)
        self.line = _ChainedSentences(runs)
        self.alike = self.line.most_in(traces.held)[self.kept]


class _ChainedSentences:
    """The sentences of several runs in one line, with gaps so that no window reaches into another run.

    Values of sentences are computed from the values of their words, in the same order.
    """

    def __init__(self, runs: Sequence[Sequence[ReadSentence]]) -> None:
        self.counts = np.array([each.running for run in runs for each in run])
        self._begins = np.concatenate([[0], np.cumsum(self.counts)[:-1]])
        number = np.repeat(np.arange(len(runs)), [len(run) for run in runs])
        self._places = np.arange(len(number)) + _AROUND * number
        self._length = len(number) + _AROUND * len(runs)

    def most_in(self, parts: Sequence[Floats]) -> Floats:
        """Return for each row of word values the maximum in each sentence; 0 for a sentence without words."""
        return self._put_together(np.maximum, parts)

    def total_in(self, parts: Sequence[Floats]) -> Floats:
        """Return for each row of word values the sum in each sentence."""
        return self._put_together(np.add, parts)

    def laid_out(self, values: Floats) -> Floats:
        """Return values with zeros around each run, as `most` and `total` need them."""
        apart = np.zeros((*values.shape[:-1], self._length + 2 * _AROUND))
        apart[..., self._places + _AROUND] = values
        return apart

    def most(self, laid_out: Floats, beside: int) -> Floats:
        """Return the maximum over each sentence and `beside` sentences on both sides."""
        return np.asarray(np.max([laid_out[..., self._places + step] for step in self._steps(beside)], axis=0))

    def total(self, laid_out: Floats, beside: int) -> Floats:
        """Return the sum over each sentence and `beside` sentences on both sides, added in order."""
        return np.asarray(sum(laid_out[..., self._places + step] for step in self._steps(beside)))

    def _steps(self, beside: int) -> range:
        return range(_AROUND - beside, _AROUND + beside + 1)

    def _put_together(self, how: np.ufunc, parts: Sequence[Floats]) -> Floats:
        # One more value, so that a last sentence without words has a valid start.
        values = np.concatenate([*parts, np.zeros((*parts[0].shape[:-1], 1))], axis=-1)
        return np.asarray(how.reduceat(values, self._begins, axis=-1) * (self.counts > 0))
