"""Chooses the passages that most likely answer a question. Pure functions, so that benchmarks can measure them.

Long speeches are split into their sentences, so that a passage may begin and end inside one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from typing import Final

import numpy as np

from core.answering.extracts.answer_chances import Floats, QuestionCover, chances, most_held
from core.answering.extracts.passages import FIT_THRESHOLD, Passage, framed
from core.answering.extracts.read_text import ReadSentence, ends_short
from core.domain.folding import CAPITAL
from core.guard.draft import MOST_WORDS
from core.language.sentences import word_count
from core.language.words import words as running_words
from core.ports.word_traces import Traces

LEAST_CHANCE: Final = 0.0
"""The least probability of a passage that is shown."""
_LONG: Final = 100
_SENTENCES_KEPT: Final = 2_000
_WITHIN: Final = re.compile(rf"(?<=[.!?…])[”’\"')]*\s+(?=[“\"‘(]?[{CAPITAL}])")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """Sentences of a run that fit into a passage, and the probability that they contain the answer."""

    run: int
    begin: int
    end: int
    chance: float


def likeliest_passages(
    question: str, runs: Sequence[Sequence[ReadSentence]], traces: Traces, *, most: int
) -> list[Passage]:
    """Return up to `most` passages that most likely answer a question, best first, without overlap.

    Empty where no sentence contains enough of the question.
    """
    held = QuestionCover(runs, traces)
    if most_held(held) < FIT_THRESHOLD:
        return []
    return [
        Passage(sentences=tuple(runs[each.run][each.begin : each.end]), fit=each.chance)
        for each in choose(runs, chances(question, runs, held), most=most)
        if each.chance >= LEAST_CHANCE
    ]


def choose(runs: Sequence[Sequence[ReadSentence]], likely: Sequence[Floats], *, most: int) -> list[_Window]:
    """Return the windows with the highest total probability, framed as an answer shows them."""
    chosen: list[_Window] = []
    for window in _best_first(runs, likely):
        if len(chosen) == most:
            break
        if not any(window.run == each.run and window.begin < each.end and each.begin < window.end for each in chosen):
            chosen.append(_as_shown(window, runs[window.run], chosen))
    return chosen


def _best_first(runs: Sequence[Sequence[ReadSentence]], likely: Sequence[Floats]) -> Iterator[_Window]:
    """Yield the longest window from each sentence, most probable first."""
    found = [
        (chance, number, begin, end)
        for number, fitting in enumerate(_fitting(runs, likely))
        for begin, (end, chance) in enumerate(fitting)
        if end > begin
    ]
    for chance, number, begin, end in sorted(found, key=itemgetter(0), reverse=True):
        yield _Window(run=number, begin=begin, end=end, chance=chance)


def _fitting(runs: Sequence[Sequence[ReadSentence]], likely: Sequence[Floats]) -> Iterator[Iterator[tuple[int, float]]]:
    """Yield for each run, and each sentence in it, the end of the longest window from there and its probability.

    The windows are those of `running`. All runs are computed as one line, with a heading after each run.
    """
    bounds = np.cumsum([0, *(len(run) + 1 for run in runs)])
    line = [each for run in runs for each in (*run, None)]
    begins = np.arange(len(line))
    upto = np.cumsum([0, *(0 if each is None else each.words for each in line)])
    fit = np.searchsorted(upto, upto[:-1] + MOST_WORDS, side="right") - 1
    headings = np.flatnonzero([each is None or each.is_heading for each in line])
    before_heading = headings[np.searchsorted(headings, begins)]
    whole = [at * (each is not None and each.is_whole) for at, each in enumerate(line, 1)]
    last_whole = np.maximum.accumulate([0, *whole])
    ends = np.maximum(last_whole[np.minimum(fit, before_heading)], begins)
    for first, run, each in zip(bounds[:-1].tolist(), runs, likely, strict=True):
        stops = ends[first : first + len(run)] - first
        upto_here = np.concatenate([[0.0], np.cumsum(each)])
        yield zip(stops.tolist(), (upto_here[stops] - upto_here[:-1]).tolist(), strict=True)


def _as_shown(window: _Window, run: Sequence[ReadSentence], chosen: Sequence[_Window]) -> _Window:
    """Return a window with its final beginning and end, without sentences of windows chosen before."""
    least = max((each.end for each in chosen if each.run == window.run and each.end <= window.begin), default=0)
    begin, end = framed(run, window.begin, window.end, least=least)
    return _Window(run=window.run, begin=begin, end=end, chance=window.chance)


def taken_apart(sentences: Sequence[ReadSentence]) -> list[ReadSentence]:
    """Return sentences with long ones split. A speech counts as one sentence and may be too long to quote."""
    return [part for each in sentences for part in (_parts(each) if each.words > _LONG else (each,))]


@lru_cache(maxsize=_SENTENCES_KEPT)
def _parts(sentence: ReadSentence) -> tuple[ReadSentence, ...]:
    texts = list(_texts(sentence.text))
    return tuple(
        replace(
            sentence,
            text=text,
            words=word_count(text),
            running=len(running_words(text)),
            on_pages=(text,),
            is_whole=at < len(texts) or sentence.is_whole,
        )
        for at, text in enumerate(texts, start=1)
    )


def _texts(text: str) -> Iterator[str]:
    """Yield the sentences of a speech, without ending one after an abbreviation such as `Mr.`."""
    begun = 0
    for match in _WITHIN.finditer(text):
        part = text[begun : match.end()].strip()
        if not ends_short(part):
            yield part
            begun = match.end()
    yield text[begun:]
