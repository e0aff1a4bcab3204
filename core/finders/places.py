"""Where on the read pages a question is answered: a chance for each sentence, from what stands in it and around it.

The weights are fitted on labelled books by `benchmarks.places_fit`, which leaves one book out to judge them (ADR 7).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.finders.read_text import ReadSentence
from core.ports.word_traces import Traces
from core.text.words import content_stems

Floats = NDArray[np.float64]

LOOKED_AT: Final = 12
"""So many pages, the best of a search, are looked through, and those beside them."""

_LEAST_RARITY: Final = 0.05
_STANDS: Final = 0.999
_SATURATION: Final = 1.2
_TINY: Final = 1e-6
_LOWEST, _HIGHEST = -6.0, 6.0
_IN_STEPS: Final = 5.0
_FARTHEST: Final = 7
_APART: Final = "\0"
"""A letter between two texts: no sign goes over it."""

# What a question is made of when it asks about a book: none of it finds a sentence.
ABOUT_BOOKS: Final = frozenset(
    content_stems(
        "become became happen happened end ends ending finish book chapter story novel page author plot next "
        "hello hi hey thanks thank bye goodbye morning evening"
    )
)

# Looked for in small letters: to fold the case of every letter in a pattern takes ten times as long.
_A_NUMBER = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|once|twice|dozen"
    r"|half|years?|pounds?|dollars?)\b"
)
_A_REASON = re.compile(
    r"\b(?:because|since|so that|in order|for (?:he|she|they|it|i)\b|reason|that is why|that['’]s why|lest|owing to"
    r"|(?:on )?account of|cause)\b"
)
_A_TIME = re.compile(
    r"\b(?:morning|evening|night|days?|weeks?|months?|years?|o['’]clock|noon|midnight|spring|summer|autumn|winter|ago"
    r"|when|hours?|after|before|\w+day|january|february|march|april|june|july|august|\w+ember|october)\b"
)
_IN_SMALL_LETTERS: Final = frozenset({_A_NUMBER, _A_REASON, _A_TIME})
# Looked for as they are written.
_A_PLACE = re.compile(
    r"\b(?:in|at|on|from|to|near|beneath|under|behind|upon|by|into|inside) (?:the|an?|his|her|their|my|[A-Z])"
)
# A name begins with a capital, so that is looked for first; then, what stands before it.
_A_NAME = re.compile(r"[A-Z](?<=[a-z,;’] .)(?:(?:(?<=M)(?:rs?\.|iss|\.)|(?<=D)r\.|(?<=S)ir)\s[A-Z][a-z]+|[a-z]+)")

# What is asked for, by the first rule that fits, and how many signs of it a sentence has at most.
_KINDS: Final[Sequence[tuple[str, re.Pattern[str], re.Pattern[str], int]]] = tuple(
    (name, re.compile(asks, re.IGNORECASE), sign, most)
    for name, asks, sign, most in (
        ("number", r"\bhow (?:many|much|old|long|far|tall|often|big)\b|\bwh(?:at|ich) (?:age|year)\b", _A_NUMBER, 2),
        ("reason", r"\bwhy\b|\bhow come\b|\bwhat (?:made|for)\b|\breason\b", _A_REASON, 1),
        ("name", r"\bwho(?:m|se|'?s)?\b|\bwhich (?:man|woman|person|character|couple)|\bname|\bcalled\b", _A_NAME, 2),
        ("place", r"\bwheres?\b|\b(?:which|what) (?:town|city|place|country)\b", _A_PLACE, 3),
        ("time", r"\bwhen\b|\b(?:what|which) (?:time|day|month|season)\b", _A_TIME, 1),
    )
)  # fmt: skip


def runs_around(pages: Sequence[int], last_page: int) -> list[tuple[int, int]]:
    """Return the runs of pages (first and last) that hold some pages and those beside them, in the book's order."""
    wanted = sorted({each for page in pages for each in (page - 1, page, page + 1) if 1 <= each <= last_page})
    runs: list[tuple[int, int]] = []
    for page in wanted:
        if runs and page == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], page)
        else:
            runs.append((page, page))
    return runs


def chances(question: str, runs: Sequence[Sequence[ReadSentence]], traces: Traces) -> list[Floats]:
    """Return for each sentence of some runs the chance, of all of them together 1, that the answer stands there."""
    given = weights()
    names, values = features(question, runs, traces)
    scores = values @ np.array([given[name] for name in names])
    shares = np.exp(scores - scores.max())
    return _by_run(np.asarray(shares / shares.sum()), runs)


def most_held(runs: Sequence[Sequence[ReadSentence]], traces: Traces) -> float:
    """Return the most of the question's weight that stands in one sentence of some runs, as it is spelled.

    Other spellings do not count: names that come later are spelled like read words more often than others are.
    """
    kept = _matter(traces)
    is_read = np.array(traces.is_read)[kept]
    unread = np.log1p(2 * len(traces.pages) + 1)
    rarities = np.where(is_read, np.maximum(traces.rarities[kept], _LEAST_RARITY), unread)
    stands = _Line(runs).most_in(traces.held, rows=kept) >= _STANDS
    return float(((rarities * is_read) @ stands).max(initial=0.0) / rarities.sum())


def _by_run(values: Floats, runs: Sequence[Sequence[ReadSentence]]) -> list[Floats]:
    return list(np.split(values, np.cumsum([len(run) for run in runs])[:-1]))


def _matter(traces: Traces) -> list[int]:
    """Return the rows of the words that find something."""
    return [row for row, stem in enumerate(traces.stems) if stem not in ABOUT_BOOKS] or list(range(len(traces.stems)))


@cache
def weights() -> Mapping[str, float]:
    """Return the weights that come with the program."""
    return read_weights(files("core.finders").joinpath("fitted_places.json").read_text(encoding="utf-8"))


def read_weights(text: str) -> dict[str, float]:
    """Read what `benchmarks.places_fit` wrote. Raises ValueError where it is not of that form."""
    try:
        return {str(name): float(value) for name, value in json.loads(text)["weights"].items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"These are no weights of places: {error!r} is missing or wrong.") from error


def features(question: str, runs: Sequence[Sequence[ReadSentence]], traces: Traces) -> tuple[tuple[str, ...], Floats]:
    """Return the names of what is looked at, and a row of it for each sentence of some runs, one after the other.

    `stands` and `alike` are shares of the question's weight: of its words, and of those and words like them; in the
    sentence, in those next to it (`_next`, one before `_before`, one after `_after`), in three (`_near`) or seven
    (`_far`) on each side, anywhere on its page (`_page`). `often` counts them on four on each side.
    """
    kept = _matter(traces)
    rarities = np.maximum(traces.rarities[kept], _LEAST_RARITY)
    shares = rarities / rarities.sum()
    line = _Line(runs)
    alike = line.most_in(traces.held, rows=kept)
    stands = (alike >= _STANDS).astype(np.float64)
    gist, squares = line.total_in(traces.gist), line.total_in(traces.squares)
    sentences = [each for run in runs for each in run]
    pages = np.array([each.page for each in sentences])
    texts = [each.text for each in sentences]
    found = {
        "stands": shares @ stands,
        "alike": shares @ alike,
        "alike_next": shares @ line.most(alike, 1, 1),
        "alike_before": shares @ line.most(alike, 1, 0),
        "alike_after": shares @ line.most(alike, 0, 1),
        "stands_near": shares @ line.most(stands, 3, 3),
        "alike_near": shares @ line.most(alike, 3, 3),
        "stands_far": shares @ line.most(stands, 7, 7),
        "stands_page": shares @ _on_page(stands, pages),
        "alike_page": shares @ _on_page(alike, pages),
        "stands_often": shares @ _saturated(line.total(stands, 4)),
        "alike_often": shares @ _saturated(line.total(alike, 4)),
        "gist_next": line.total(gist, 1) / np.sqrt(line.total(squares, 1) + _TINY),
        "gist_near": line.total(gist, 3) / np.sqrt(line.total(squares, 3) + _TINY),
        "theme": line.total_in(traces.theme) / np.maximum(line.counts, 1),
        **_of_pages(pages, traces),
        "long": np.log(np.array([each.words for each in sentences]) + 1.0),
        "heading": np.array([float(each.is_heading) for each in sentences]),
        "speech": np.array([float(text[0] in '“"‘') for text in texts]),
        "asks": np.array([float("?" in text) for text in texts]),
        **_of_kinds(question, texts, frozenset(traces.stems)),
    }
    return tuple(found), np.stack(list(found.values()), axis=1)


def _of_pages(pages: NDArray[np.int64], traces: Traces) -> dict[str, Floats]:
    """Tell how good the page of each sentence is: beside the best one, beside all, and the better of its neighbours."""
    spread = np.clip((traces.scores - traces.scores.mean()) / (traces.scores.std() + _TINY), _LOWEST, _HIGHEST)
    row_of = {page: row for row, page in enumerate(traces.pages)}
    found, of_sentence = np.unique(pages, return_inverse=True)

    def of_page(values: Floats, step: int = 0, *, otherwise: float = 0.0) -> Floats:
        rows = [row_of.get(page + step) for page in found.tolist()]
        return np.array([otherwise if row is None else values[row] for row in rows])

    gap = traces.scores.max() - of_page(traces.scores, otherwise=traces.scores.min())
    return {
        "page_gap": np.maximum(-gap / _IN_STEPS, _LOWEST)[of_sentence],
        "page_share": -np.log1p(gap)[of_sentence],
        "page_spread": of_page(spread)[of_sentence],
        "page_beside": np.maximum(of_page(spread, -1), of_page(spread, 1))[of_sentence],
    }


def _of_kinds(question: str, texts: Sequence[str], stems: frozenset[str]) -> dict[str, Floats]:
    """Count the signs of what is asked for: numbers, reasons, names that the question lacks, places, times."""
    asked = next((name for name, asks, _, _ in _KINDS if asks.search(question)), "")
    return {
        f"is_{name}": np.minimum(_signs(sign, texts, stems), most) if name == asked else np.zeros(len(texts))
        for name, _, sign, most in _KINDS
    }


def _signs(sign: re.Pattern[str], texts: Sequence[str], stems: frozenset[str]) -> Floats:
    """Return how many stand in each text; they are looked for in all of them at once."""
    written = [text.lower() for text in texts] if sign in _IN_SMALL_LETTERS else texts
    begins = np.cumsum([0, *map(len, written)]) + np.arange(len(written) + 1)
    found = [
        each.start()
        for each in sign.finditer(_APART.join(written))
        if sign is not _A_NAME or stems.isdisjoint(content_stems(each[0]))
    ]
    return np.histogram(found, begins)[0].astype(np.float64)


class _Line:
    """The sentences of some runs one after the other, far enough apart that nothing is beside what is in another run.

    What stands in them is put together from values of their words, in the same order.
    """

    def __init__(self, runs: Sequence[Sequence[ReadSentence]]) -> None:
        self.counts = np.array([each.running for run in runs for each in run])
        self._begins = np.concatenate([[0], np.cumsum(self.counts)[:-1]])
        number = np.repeat(np.arange(len(runs)), [len(run) for run in runs])
        self._places = np.arange(len(number)) + _FARTHEST * number
        self._length = len(number) + _FARTHEST * len(runs)

    def most_in(self, parts: Sequence[Floats], *, rows: Sequence[int]) -> Floats:
        """Return the most in each sentence of some rows of the words' values; 0 for a sentence without a word."""
        return self._put_together(np.maximum, [each[rows] for each in parts])

    def total_in(self, parts: Sequence[Floats]) -> Floats:
        """Return the sum in each sentence."""
        return self._put_together(np.add, parts)

    def most(self, values: Floats, before: int, after: int) -> Floats:
        """Return the most that stands from so many sentences before each to so many after it."""
        return np.asarray(np.maximum.reduce([*self._shifted(values, before, after)])[..., self._places])

    def total(self, values: Floats, beside: int) -> Floats:
        """Return the sum of what stands in each sentence and so many on both sides."""
        return np.asarray(np.add.reduce([*self._shifted(values, beside, beside)])[..., self._places])

    def _put_together(self, how: np.ufunc, parts: Sequence[Floats]) -> Floats:
        # One more, so that a last sentence without a word begins somewhere too.
        values = np.concatenate([*parts, np.zeros((*parts[0].shape[:-1], 1))], axis=-1)
        return np.asarray(how.reduceat(values, self._begins, axis=-1) * (self.counts > 0))

    def _shifted(self, values: Floats, before: int, after: int) -> Iterator[Floats]:
        """Give the line as it stands so many sentences before each place of it, up to so many after."""
        apart = np.zeros((*values.shape[:-1], self._length + 2 * _FARTHEST))
        apart[..., self._places + _FARTHEST] = values
        for step in range(_FARTHEST - before, _FARTHEST + after + 1):
            yield apart[..., step : step + self._length]


def _on_page(values: Floats, pages: NDArray[np.int64]) -> Floats:
    """Return the most on each place's page."""
    starts = np.flatnonzero(np.diff(pages, prepend=pages[0] - 1))
    most = np.maximum.reduceat(values, starts, axis=-1)
    return np.asarray(np.repeat(most, np.diff(np.append(starts, len(pages))), axis=-1))


def _saturated(counts: Floats) -> Floats:
    return counts * (1 + _SATURATION) / (counts + _SATURATION)
