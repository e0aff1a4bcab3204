"""Chooses the running passages in which a question is likeliest to be answered; pure, so that it can be measured."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np

from core.finders.passages import FIT_THRESHOLD, MOST_WORDS, Passage, framed
from core.finders.places import Floats, chances, stands_in
from core.finders.read_text import ReadSentence
from core.ports.word_traces import Traces

LEAST_CHANCE: Final = 0.0
"""A passage that is likelier than this to be a wrong one is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """Sentences of a run that fit into a passage, and the chance that the answer stands in them."""

    run: int
    begin: int
    end: int
    chance: float


def likeliest_passages(
    question: str, runs: Sequence[Sequence[ReadSentence]], traces: Traces, *, most: int
) -> list[Passage]:
    """Return the likeliest passages on some runs of read sentences, best first; none shares any with another.

    Nothing where no sentence holds enough of the question.
    """
    standing = stands_in(runs, traces)
    if max((float(each.max()) for each in standing), default=0.0) < FIT_THRESHOLD:
        return []
    return [
        Passage(sentences=tuple(runs[each.run][each.begin : each.end]), fit=each.chance)
        for each in choose(runs, chances(question, runs, traces), most=most)
        if each.chance >= LEAST_CHANCE
    ]


def choose(runs: Sequence[Sequence[ReadSentence]], likely: Sequence[Floats], *, most: int) -> list[_Window]:
    """Return the windows that hold most of the chances of their sentences; each as an answer shows it."""
    windows = [each for number, run in enumerate(runs) for each in _windows(number, run, likely[number])]
    chosen: list[_Window] = []
    for window in sorted(windows, key=lambda each: -each.chance):
        if len(chosen) == most:
            break
        if not any(window.run == each.run and window.begin < each.end and each.begin < window.end for each in chosen):
            chosen.append(_as_shown(window, runs[window.run], chosen))
    return chosen


def _windows(number: int, run: Sequence[ReadSentence], likely: Floats) -> Iterator[_Window]:
    """Give from each sentence on as many as fit, up to the next heading; the last one ends as a sentence does."""
    upto = np.concatenate([[0.0], np.cumsum(likely)])
    words = list(accumulate((each.words for each in run), initial=0))
    end = 0
    for begin, first in enumerate(run):
        if first.is_heading:
            continue
        end = max(end, begin)
        while end < len(run) and not run[end].is_heading and words[end + 1] - words[begin] <= MOST_WORDS:
            end += 1
        ends = end
        while ends > begin and not run[ends - 1].is_whole:
            ends -= 1
        if ends > begin:
            yield _Window(run=number, begin=begin, end=ends, chance=float(upto[ends] - upto[begin]))


def _as_shown(window: _Window, run: Sequence[ReadSentence], chosen: Sequence[_Window]) -> _Window:
    """Let a window end and begin as an answer does, without a sentence that was given before."""
    least = max((each.end for each in chosen if each.run == window.run and each.end <= window.begin), default=0)
    begin, end = framed(run, window.begin, window.end, least=least)
    return _Window(run=window.run, begin=begin, end=end, chance=window.chance)
