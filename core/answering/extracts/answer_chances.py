"""Estimates for each sentence on read pages the probability that it answers a question, from its words and neighbours.

The weights are fitted on labelled books by `benchmarks.places_fit`, and tested on a book left out (ADR 7).
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.answering.extracts.read_text import ReadSentence
from core.domain.folding import CAPITAL, SMALL
from core.language.words import content_stems
from core.ports.word_traces import Traces

Floats = NDArray[np.float64]

LOOKED_AT: Final = 12
"""How many of the best pages of a search are examined, each with its neighbouring pages."""

_LEAST_RARITY: Final = 0.05
_STANDS: Final = 0.999
_SATURATION: Final = 1.2
_TINY: Final = 1e-6
_LOWEST, _HIGHEST = -6.0, 6.0
_IN_STEPS: Final = 5.0
_FARTHEST: Final = 7
_TEXTS_KEPT: Final = 8_000
"""How many texts are cached with their signs, since clubs ask about the same pages repeatedly."""

# Words of questions about any book, which do not help to find a sentence.
ABOUT_BOOKS: Final = frozenset(
    content_stems(
        "become became happen happened end ends ending finish book chapter story novel page author plot next "
        "hello hi hey thanks thank bye goodbye morning evening"
    )
)

# Matched on lower-cased text: a pattern that ignores case takes ten times as long.
_A_NUMBER = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|once|twice|dozen"
    r"|half|years?|pounds?|dollars?)\b"
)
_A_REASON = re.compile(
    r"\b(?:because|since|so that|in order|for (?:he|she|they|it|i)\b|reason|that is why|that['’]s why|lest|owing to"
    r"|(?:on )?account of|cause)\b"
)
_IN_SMALL_LETTERS: Final = frozenset({_A_NUMBER, _A_REASON})
# Matched on the text as written.
_A_PLACE = re.compile(
    rf"\b(?:in|at|on|from|to|near|beneath|under|behind|upon|by|into|inside) (?:the|an?|his|her|their|my|[{CAPITAL}])"
)
# The capital comes first in the pattern, before the lookbehind, because that is faster.
_A_NAME = re.compile(
    rf"[{CAPITAL}](?<=[{SMALL},;’] .)"
    rf"(?:(?:(?<=M)(?:rs?\.|iss|\.)|(?<=D)r\.|(?<=S)ir)\s[{CAPITAL}][{SMALL}]+|[{SMALL}]+)"
)

# The kinds of answer: name, pattern of the question, pattern of its signs in a sentence, and how many signs count.
# The first kind whose question pattern matches applies.
_KINDS: Final[Sequence[tuple[str, re.Pattern[str], re.Pattern[str], int]]] = tuple(
    (name, re.compile(asks, re.IGNORECASE), sign, most)
    for name, asks, sign, most in (
        ("number", r"\bhow (?:many|much|old|long|far|tall|often|big)\b|\bwh(?:at|ich) (?:age|year)\b", _A_NUMBER, 2),
        ("reason", r"\bwhy\b|\bhow come\b|\bwhat (?:made|for)\b|\breason\b", _A_REASON, 1),
        ("name", r"\bwho(?:m|se|'?s)?\b|\bwhich (?:man|woman|person|character|couple)|\bname|\bcalled\b", _A_NAME, 2),
        ("place", r"\bwheres?\b|\b(?:which|what) (?:town|city|place|country)\b", _A_PLACE, 3),
    )
)  # fmt: skip


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


def chances(question: str, runs: Sequence[Sequence[ReadSentence]], held: "QuestionCover") -> list[Floats]:
    """Return for each sentence of the runs the probability that it holds the answer; all add up to 1."""
    given = weights()
    names, values = features(question, runs, held)
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
    return read_weights(files("core.answering.extracts").joinpath("fitted_chances.json").read_text(encoding="utf-8"))


def read_weights(text: str) -> dict[str, float]:
    """Parse the weights that `benchmarks.places_fit` wrote. Raises ValueError where the text has another form."""
    try:
        return {str(name): float(value) for name, value in json.loads(text)["weights"].items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"These are no weights of places: {error!r} is missing or wrong.") from error


def features(
    question: str, runs: Sequence[Sequence[ReadSentence]], held: "QuestionCover"
) -> tuple[tuple[str, ...], Floats]:
    """Return the names of the features, and a matrix with one row for each sentence of the runs, in order.

    `stands` is the share of the question's weight that a sentence contains in the same words; `alike` includes similar
    words. Suffixes say where: `_next` in the sentence and both neighbours, `_before` and `_after` with one neighbour,
    `_near` within three and `_far` within seven sentences on each side, `_page` on its page. `_often` counts the words
    within four sentences on each side. `_out` is how many standard deviations the value is above the mean.
    """
    traces, line, alike = held.traces, held.line, held.alike
    rarities = np.maximum(traces.rarities[held.kept], _LEAST_RARITY)
    shares = rarities / rarities.sum()
    stands = (alike >= _STANDS).astype(np.float64)
    gist, squares = line.total_in(traces.gist), line.total_in(traces.squares)
    wide_alike, wide_stands = line.laid_out(alike), line.laid_out(stands)
    wide_gist, wide_squares = line.laid_out(gist), line.laid_out(squares)
    sentences = [each for run in runs for each in run]
    pages = _Pages([each.page for each in sentences])
    texts = [each.text for each in sentences]
    by_words = {
        "stands": shares @ stands,
        "alike": shares @ alike,
        "alike_next": shares @ line.most(wide_alike, 1, 1),
        "alike_before": shares @ line.most(wide_alike, 1, 0),
        "alike_after": shares @ line.most(wide_alike, 0, 1),
        "stands_near": shares @ line.most(wide_stands, 3, 3),
        "alike_near": shares @ line.most(wide_alike, 3, 3),
        "stands_far": shares @ line.most(wide_stands, 7, 7),
        "stands_page": shares @ pages.most_on(stands),
        "alike_page": shares @ pages.most_on(alike),
        "stands_often": shares @ _saturated(line.total(wide_stands, 4)),
        "alike_often": shares @ _saturated(line.total(wide_alike, 4)),
        "gist_next": line.total(wide_gist, 1) / np.sqrt(line.total(wide_squares, 1) + _TINY),
        "gist_near": line.total(wide_gist, 3) / np.sqrt(line.total(wide_squares, 3) + _TINY),
        "theme": line.total_in(traces.theme) / np.maximum(line.counts, 1),
    }
    found = {
        **by_words,
        **{f"{name}_out": values for name, values in zip(by_words, _standing_out([*by_words.values()]), strict=True)},
        **_of_pages(pages, traces),
        "long": np.log(np.array([each.words for each in sentences]) + 1.0),
        "heading": _as_numbers([each.is_heading for each in sentences]),
        "speech": _as_numbers([text[0] in '“"‘' for text in texts]),
        "asks": _as_numbers(["?" in text for text in texts]),
        **_of_kinds(question, texts, frozenset(traces.stems)),
    }
    return tuple(found), np.stack(list(found.values()), axis=1)


def _as_numbers(holds: Sequence[bool]) -> Floats:
    return np.array(holds, dtype=np.bool_).astype(np.float64)


def _standing_out(rows: Sequence[Floats]) -> Floats:
    """Return how many standard deviations each value is above the mean of its row."""
    values = np.array(rows)
    away = values - values.mean(axis=1, keepdims=True)
    return np.asarray(away / (np.sqrt((away * away).mean(axis=1, keepdims=True)) + _TINY))


def _of_pages(pages: "_Pages", traces: Traces) -> dict[str, Floats]:
    """Return features of each sentence's page score: against the best page, against all, and the better neighbour's."""
    spread = np.clip((traces.scores - traces.scores.mean()) / (traces.scores.std() + _TINY), _LOWEST, _HIGHEST)
    row_of = dict(zip(traces.pages, range(len(traces.pages)), strict=True))

    def of_page(values: Floats, step: int = 0, *, otherwise: float = 0.0) -> Floats:
        rows = [row_of.get(page + step) for page in pages.numbers]
        return np.array([otherwise if row is None else values[row] for row in rows])

    gap = traces.scores.max() - of_page(traces.scores, otherwise=traces.scores.min())
    return {
        "page_gap": pages.spread(np.maximum(-gap / _IN_STEPS, _LOWEST)),
        "page_share": pages.spread(-np.log1p(gap)),
        "page_spread": pages.spread(of_page(spread)),
        "page_beside": pages.spread(np.maximum(of_page(spread, -1), of_page(spread, 1))),
    }


def _of_kinds(question: str, texts: Sequence[str], stems: frozenset[str]) -> dict[str, Floats]:
    """Count in each text the signs of the kind of answer: numbers, reasons, places, or names not in the question."""
    asked = next((name for name, asks, _, _ in _KINDS if asks.search(question)), "")
    return {
        f"is_{name}": np.minimum(_signs(sign, texts, stems), most) if name == asked else np.zeros(len(texts))
        for name, _, sign, most in _KINDS
    }


def _signs(sign: re.Pattern[str], texts: Sequence[str], stems: frozenset[str]) -> Floats:
    """Return how many signs each text contains, without names that are in the question."""
    found = (_signs_in(sign, text) for text in texts)
    return np.array([float(sum(map(stems.isdisjoint, signs)) if signs else 0) for signs in found])


@lru_cache(maxsize=_TEXTS_KEPT)
def _signs_in(sign: re.Pattern[str], text: str) -> Sequence[frozenset[str]]:
    """Return for each sign in a text the stems that may be in the question: a name's stems, else none."""
    found = sign.finditer(text.lower() if sign in _IN_SMALL_LETTERS else text)
    return [content_stems(each[0]) if sign is _A_NAME else frozenset() for each in found]


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
        self._places = np.arange(len(number)) + _FARTHEST * number
        self._length = len(number) + _FARTHEST * len(runs)

    def most_in(self, parts: Sequence[Floats]) -> Floats:
        """Return for each row of word values the maximum in each sentence; 0 for a sentence without words."""
        return self._put_together(np.maximum, parts)

    def total_in(self, parts: Sequence[Floats]) -> Floats:
        """Return for each row of word values the sum in each sentence."""
        return self._put_together(np.add, parts)

    def laid_out(self, values: Floats) -> Floats:
        """Return values with zeros around each run, as `most` and `total` need them."""
        apart = np.zeros((*values.shape[:-1], self._length + 2 * _FARTHEST))
        apart[..., self._places + _FARTHEST] = values
        return apart

    def most(self, laid_out: Floats, before: int, after: int) -> Floats:
        """Return the maximum over a window of `before` sentences before to `after` sentences after each."""
        found, reach = laid_out[..., _FARTHEST - before :], 1
        while reach <= before + after:  # doubles the window in each step, up to its full width
            step = min(reach, before + after + 1 - reach)
            found, reach = np.maximum(found[..., :-step], found[..., step:]), reach + step
        return np.asarray(found[..., self._places])

    def total(self, laid_out: Floats, beside: int) -> Floats:
        """Return the sum over each sentence and `beside` sentences on both sides, added in order."""
        begin = _FARTHEST - beside
        found = laid_out[..., begin : begin + self._length].copy()
        for step in range(begin + 1, _FARTHEST + beside + 1):
            found += laid_out[..., step : step + self._length]
        return np.asarray(found[..., self._places])

    def _put_together(self, how: np.ufunc, parts: Sequence[Floats]) -> Floats:
        # One more value, so that a last sentence without words has a valid start.
        values = np.concatenate([*parts, np.zeros((*parts[0].shape[:-1], 1))], axis=-1)
        return np.asarray(how.reduceat(values, self._begins, axis=-1) * (self.counts > 0))


class _Pages:
    """The pages of a line of sentences. `numbers` has the page of each block of sentences on the same page."""

    def __init__(self, of_sentence: Sequence[int]) -> None:
        pages = np.array(of_sentence)
        self._begins = np.flatnonzero(np.concatenate([[True], pages[1:] != pages[:-1]]))
        self._counts = np.diff(self._begins, append=len(pages))
        self.numbers: list[int] = pages[self._begins].tolist()

    def spread(self, of_block: Floats) -> Floats:
        """Return for each sentence the value of its page."""
        return np.asarray(of_block.repeat(self._counts, axis=-1))

    def most_on(self, values: Floats) -> Floats:
        """Return for each sentence the maximum on its page."""
        return self.spread(np.maximum.reduceat(values, self._begins, axis=-1))


def _saturated(counts: Floats) -> Floats:
    return counts * (1 + _SATURATION) / (counts + _SATURATION)
