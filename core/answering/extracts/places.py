"""Chooses the places that answer a question best: passages of read text, by the word index or by the words alone.

Pure functions, so that benchmarks can measure them. Long speeches are split into their sentences, so that a passage may
begin and end inside one.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, chain, islice, takewhile
from operator import itemgetter, mul
from typing import Final

from core.answering.extracts.passages import ABOUT_BOOKS, Passage, shortened
from core.answering.extracts.place_scores import QuestionCover, chances, most_held, runs_around
from core.answering.extracts.read_text import ReadSentence, ReadText, ends_short
from core.domain.folding import CAPITAL
from core.language.sentences import word_count
from core.language.words import content_stems
from core.language.words import words as running_words
from core.ports.word_traces import Traces

SHOWN: Final = 3
"""How many places an answer shows."""
MOST_WORDS: Final = 90
FIT_THRESHOLD: Final = 0.13
"""Least share of the question's weight that one sentence must contain; error rates in ADR 53."""
_LEAST_OF_BEST: Final = 0.03
"""The least value of a passage beside the best one's."""
_AROUND: Final = 75
"""How many words are shown before and after a place when its surroundings are opened."""
_PAGES: Final = 6
_LONG: Final = 100
_SENTENCES_KEPT: Final = 2_000
_WITHIN: Final = re.compile(rf"(?<=[.!?…])[”’\"')]*\s+(?=[“\"‘(]?[{CAPITAL}])")


def likeliest_places(runs: Sequence[Sequence[ReadSentence]], traces: Traces, *, most: int) -> list[Passage]:
    """Return up to `most` passages that most likely answer a question, best first.

    Empty where no sentence contains enough of the question.
    """
    held = QuestionCover(runs, traces)
    if most_held(held) < FIT_THRESHOLD:
        return []
    likely = [each.tolist() for each in chances(runs, held)]
    return chosen(runs, likely, most=most, around=_pattern(traces.stems))


def places_by_words(
    question: str, read: ReadText, pages: Sequence[tuple[int, float]], *, most: int, threshold: float = FIT_THRESHOLD
) -> list[Passage]:
    """Return up to `most` passages that fit some words best, best first, for texts without a word index.

    Args:
        question: the words to look for.
        read: the pages read.
        pages: page numbers with their shares of a search, best first. Sentences of other pages count nothing.
        most: how many passages to return.
        threshold: least share of the question's weight that one sentence must contain.
    """
    weights = _weights(question, read)
    shares = dict(pages[:_PAGES])
    runs = [taken_apart(read.sentences(*span)) for span in runs_around([*shares], read.last_page)]
    held = [[_held(each, weights) for each in run] for run in runs]
    best = max(chain.from_iterable(held), default=0.0)
    if best < max(threshold * math.fsum(weights.values()), math.ulp(0.0)):
        return []
    of_pages = [[_share(each, shares) for each in run] for run in runs]
    values = [list(map(mul, *both)) for both in zip(held, of_pages, strict=True)]
    return chosen(runs, values, most=most, around=_pattern([*weights]))


def _held(sentence: ReadSentence, weights: Mapping[str, float]) -> float:
    """Return the weight of the words that a sentence contains."""
    return math.fsum(weights.get(stem, 0.0) for stem in set(sentence.stems))


def _share(sentence: ReadSentence, shares: Mapping[int, float]) -> float:
    """Return the share of a sentence's page."""
    return max(shares.get(sentence.page, 0.0), shares.get(sentence.last_page, 0.0))


def chosen(
    runs: Sequence[Sequence[ReadSentence]],
    values: Sequence[Sequence[float]],
    *,
    most: int,
    around: re.Pattern[str] | None = None,
) -> list[Passage]:
    """Return up to `most` passages whose sentences have the highest total value, best first.

    They share no sentence. A sentence that is too long is cut around the first match of `around`.
    """
    found = [
        (value, number, begin, end)
        for number, of_run in enumerate(zip(runs, values, strict=True))
        for begin, end, value in _windows(*of_run)
        if value > 0
    ]
    best_first = sorted(found, key=itemgetter(0, 2), reverse=True)
    return [
        Passage(sentences=tuple(shortened(each, around, most_words=MOST_WORDS) for each in runs[number][begin:end]))
        for number, begin, end in _apart(best_first, runs, most)
    ]


def _apart(
    best_first: Sequence[tuple[float, int, int, int]], runs: Sequence[Sequence[ReadSentence]], most: int
) -> list[tuple[int, int, int]]:
    """Return run, beginning and end of the best passages that share no sentence, filled up with what is before them."""
    taken: list[tuple[int, int, int]] = []
    near_the_best = takewhile(lambda each: each[0] >= _LEAST_OF_BEST * best_first[0][0], best_first)
    for _, number, begin, end in near_the_best:
        beside = [(first, last) for of_run, first, last in taken if of_run == number]
        if len(taken) < most and all(end <= first or last <= begin for first, last in beside):
            taken.append((number, _filled(runs[number], begin, end, beside), end))
    return taken


def _filled(run: Sequence[ReadSentence], begin: int, end: int, beside: Sequence[tuple[int, int]]) -> int:
    """Return where a passage begins with the sentences before it, as far as they fit and are in none `beside` it."""
    room = MOST_WORDS - sum(each.words for each in run[begin:end])
    after = max((last for _, last in beside if last <= begin), default=0)
    return begin - _fitting(run[after:begin][::-1], room)


def widened(place: Passage, read: ReadText) -> Passage:
    """Return a place with the sentences before and after it, up to the next headings."""
    around = taken_apart(read.sentences(place.page - 1, place.last_page + 1))
    texts, own = [each.text for each in around], [each.text for each in place.sentences]
    begin = next((at for at in range(len(texts)) if texts[at : at + len(own)] == own), None)
    if begin is None:  # a sentence that was cut
        return place
    end = begin + len(own)
    begin -= _fitting(around[:begin][::-1], _AROUND)
    return Passage(sentences=tuple(around[begin : end + _fitting(around[end:], _AROUND)]))


def _fitting(sentences: Iterable[ReadSentence], room: int) -> int:
    """Return how many of the first sentences fit into so many words, up to a heading."""
    words = accumulate(room + 1 if each.is_heading else each.words for each in sentences)
    return sum(1 for _ in takewhile(lambda total: total <= room, words))


def _windows(run: Sequence[ReadSentence], values: Sequence[float]) -> Iterator[tuple[int, int, float]]:
    """Yield beginning, end and total value of the longest passage from each sentence."""
    upto = [0.0, *accumulate(values)]
    for begin, first in enumerate(run):
        end = begin if first.is_heading else _end(run, begin)
        if end > begin:
            yield begin, end, upto[end] - upto[begin]


def _end(run: Sequence[ReadSentence], begin: int) -> int:
    """Return where the longest passage from a sentence ends; `begin` where there is none.

    No passage goes over a heading. It ends on a question only where nothing follows: a reader wants the reply too.
    """
    last = begin + max(_fitting(islice(run, begin, None), MOST_WORDS), 1)
    ends = [at for at in range(begin + 1, last + 1) if run[at - 1].is_whole]
    that_do_not_ask = [at for at in ends if not run[at - 1].asks]
    is_followed = last < len(run) and not run[last].is_heading
    return max(that_do_not_ask or ([] if is_followed else ends), default=begin)


def _weights(question: str, read: ReadText) -> dict[str, float]:
    """Return the weight of each stem of a question that is on read pages, by its rarity."""
    count = len(read.pages)
    found = {stem: read.pages_with(stem) for stem in content_stems(question) - ABOUT_BOOKS}
    return {stem: math.log1p((count - pages + 0.5) / (pages + 0.5)) for stem, pages in found.items()}


def _pattern(stems: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern of the words with these stems."""
    return re.compile("|".join(re.escape(stem.removesuffix("i")) for stem in stems), re.IGNORECASE)


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
