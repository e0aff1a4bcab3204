"""Finds a phrase that a member typed from their copy in the text of a book.

Ignores case, accents, quotes, dashes, ligatures, line breaks and hyphens at line ends, and tolerates typos and missing
or additional words. Distances are computed by rapidfuzz, which is imported with the first search because it loads
forty modules.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, pairwise
from math import log

from core.domain.folding import folded

_EAST_ASIAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_LETTERS = rf"[^\W_{_EAST_ASIAN}]+"
# Within a word: apostrophes, invisible characters, and a hyphen at the end of a line or page.
_JOINED = r"(?:['’ʼ]|[\u00ad\u200b-\u200d\u2060][ \t]*[\n\f]?[ \t]*|[-\u2010][ \t]*[\n\f][\s]*)"
_WORD = re.compile(rf"[{_EAST_ASIAN}]|{_LETTERS}(?:{_JOINED}{_LETTERS})*")

_GAP = re.compile(r"(?<=\w) (?=\w)")
_BLOCK_CHARACTERS = 20_000

MOST_WORDS = 40
"""How many words, the last ones, of a longer phrase are searched for."""
_FEWEST_WORDS = 3
_FEWEST_LETTERS = 10
_FEWEST_EAST_ASIAN = 6
_SHORT_WORD = 4
_LONG_WORD = 8
_MOST_CANDIDATES = 60
_COMMON = 200
_SHORT_PHRASE = 20
_GOOD_ENOUGH = 80
_GOOD_ENOUGH_WHEN_SHORT = 90
_HARDLY_WORSE = 1.5
_SAME_WORD = 75
_TAIL_WORDS = 4
_AROUND = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseHit:
    """Where a phrase was found: text offsets of its start and end; `score` is at most 100."""

    start: int
    end: int
    score: float


class FoldedText:
    """A text as folded words, without case, accents and breaks, with their offsets."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks = [*_block_starts(text), len(text)]
        found = [_WORD.findall(text, begin, end) for begin, end in pairwise(self._blocks)]
        self._counts = [*accumulate(map(len, found), initial=0)]
        folded = {word: _fold(word) for word in set().union(*found)}
        self.words = [folded[word] for block in found for word in block]

    def span(self, index: int) -> tuple[int, int]:
        """Return the offsets of a word: where it begins and ends."""
        block = bisect_right(self._counts, index) - 1
        matches = _WORD.finditer(self._text, self._blocks[block], self._blocks[block + 1])
        return next(islice(matches, index - self._counts[block], None)).span()

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word occurs in the text."""
        return Counter(self.words)


def is_findable(phrase: str) -> bool:
    """Whether a phrase is long enough to search for: three words, or six characters of a script without spaces."""
    words = FoldedText(phrase).words
    letters = sum(map(len, words))
    is_east_asian = re.search(rf"[{_EAST_ASIAN}]", phrase) is not None
    if is_east_asian:
        return letters >= _FEWEST_EAST_ASIAN
    return len(words) >= _FEWEST_WORDS and letters >= _FEWEST_LETTERS


def find_phrase(text: FoldedText, phrase: str) -> list[PhraseHit]:
    """Return the best hit of a phrase and those almost as good, in the order of the text.

    Only the last 40 words of a long phrase count. If its last words are not found, the hit ends before them.
    """
    wanted = FoldedText(phrase).words[-MOST_WORDS:]
    if not wanted or not text.words:
        return []
    runs = [run for begin, end in _candidates(text, wanted) for run in _runs(text, wanted, begin, end)]
    hits = [
        PhraseHit(start=text.span(run.first)[0], end=text.span(run.last)[1], score=run.score) for run in _best(runs)
    ]
    return sorted(hits, key=lambda hit: hit.start)


@dataclass(frozen=True, slots=True)
class _WordRun:
    """The words of a hit, by their indices."""

    first: int
    last: int
    score: float

    def is_apart(self, other: "_WordRun") -> bool:
        """Whether the two share no word."""
        return self.last < other.first or self.first > other.last


def _best(runs: Sequence[_WordRun]) -> list[_WordRun]:
    """Return the best run and those almost as good that share no words with a better one."""
    fewest_wrong = 100 - max((run.score for run in runs), default=0.0)
    most_wrong = 2 * fewest_wrong + _HARDLY_WORSE
    kept: list[_WordRun] = []
    for run in sorted(runs, key=lambda run: -run.score):
        if 100 - run.score <= most_wrong and all(map(run.is_apart, kept)):
            kept.append(run)
    return kept


def _block_starts(text: str) -> Iterator[int]:
    """Yield where blocks of the text begin, each within whose words no other's stand."""
    start = 0
    while start < len(text):
        yield start
        gap = _GAP.search(text, start + _BLOCK_CHARACTERS)
        start = gap.end() if gap else len(text)


def _fold(word: str) -> str:
    return "".join(filter(str.isalnum, folded(word)))


def _candidates(text: FoldedText, wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield runs of words that contain much of the phrase in about the right order, most promising first."""
    width = max(4, len(wanted) // 4)
    votes = _votes(text, _places_in_phrase(text, wanted), width)
    summed = {bucket: vote + votes.get(bucket + 1, 0.0) for bucket, vote in votes.items()}
    promising = sorted(summed, key=lambda bucket: (-summed[bucket], bucket))[:_MOST_CANDIDATES]
    for bucket in promising:
        begin = max(bucket * width - _AROUND, 0)
        yield begin, min((bucket + 2) * width + len(wanted) + _AROUND, len(text.words))


def _places_in_phrase(text: FoldedText, wanted: Sequence[str]) -> dict[str, list[int]]:
    """Return the words of the text that the phrase may hold, each with its places in the phrase."""
    like = _alike(text, wanted)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(wanted):
        for known in like[word]:
            places[known].append(place)
    return dict(places)


def _votes(text: FoldedText, places: Mapping[str, Sequence[int]], width: int) -> dict[int, float]:
    """Return votes for where the phrase begins, in buckets of `width` words; rare words have more weight."""
    weights = _weights(text, places)
    votes: defaultdict[int, float] = defaultdict(float)
    for index, word in enumerate(text.words):
        if word in weights:
            for place in places[word]:
                votes[(index - place) // width] += weights[word]
    return dict(votes)


def _weights(text: FoldedText, places: Mapping[str, Sequence[int]]) -> dict[str, float]:
    """Weigh words by their rarity in the text; where rare ones fill enough places of the phrase, these alone."""
    total = len(text.words)
    rare = [word for word in places if text.counts[word] <= total / _COMMON]
    is_told = len({place for word in rare for place in places[word]}) >= _FEWEST_WORDS
    return {word: log(1 + total / text.counts[word]) for word in (rare if is_told else places)}


def _alike(text: FoldedText, wanted: Sequence[str]) -> dict[str, list[str]]:
    """Return for each word of the phrase the words of the text that it may be: itself, or a typo or two away."""
    asked = list(dict.fromkeys(wanted))
    same = {word: [word] if word in text.counts else [] for word in asked}
    longer = [word for word in asked if len(word) >= _SHORT_WORD]
    return same | _a_typo_away(longer, list(text.counts)) if longer else same


def _a_typo_away(asked: Sequence[str], vocabulary: list[str]) -> dict[str, list[str]]:
    """Return for each word those of a vocabulary that differ by one letter at most, from a long word by two."""
    import numpy as np
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    apart = process.cdist(asked, vocabulary, scorer=Levenshtein.distance, score_cutoff=2, dtype=np.uint8)
    most = [2 if len(word) >= _LONG_WORD else 1 for word in asked]
    return {
        word: [vocabulary[place] for place in np.flatnonzero(distances <= typos)]
        for word, distances, typos in zip(asked, apart, most, strict=True)
    }


def _runs(text: FoldedText, wanted: Sequence[str], begin: int, end: int) -> Iterator[_WordRun]:
    """Yield where the phrase stands among some words: the best place, then others on both sides of it."""
    found = _run(text, wanted, begin, end) if begin < end else None
    if found is not None:
        yield found
        yield from _runs(text, wanted, begin, found.first)
        yield from _runs(text, wanted, found.last + 1, end)


def _run(text: FoldedText, wanted: Sequence[str], begin: int, end: int) -> _WordRun | None:
    """Compare the phrase with a run of words, without the spaces, which may stand elsewhere or not at all."""
    from rapidfuzz import fuzz

    phrase, window = "".join(wanted), "".join(text.words[begin:end])
    least = _GOOD_ENOUGH if len(phrase) >= _SHORT_PHRASE else _GOOD_ENOUGH_WHEN_SHORT
    found = (
        fuzz.partial_ratio_alignment(phrase, window, score_cutoff=least) if len(window) >= len(phrase) // 2 else None
    )
    if found is None:
        return None
    first = last = begin
    letters = 0
    for index in range(begin, end):
        if letters <= found.dest_start:
            first = index
        if letters < found.dest_end:
            last = index
        letters += len(text.words[index])
    last = _last_told(text, wanted, first, last)
    return _WordRun(first=first, last=last, score=found.score)


def _last_told(text: FoldedText, wanted: Sequence[str], first: int, about: int) -> int:
    """Return the index of the last word of the phrase that is recognised in the text, near its expected place."""
    from rapidfuzz import fuzz

    highest = min(about + _AROUND, len(text.words) - 1)
    nearby = sorted(range(max(first, about - _TAIL_WORDS - _AROUND), highest + 1), key=lambda index: abs(index - about))
    for word in reversed(wanted[-_TAIL_WORDS:]):
        for index in nearby:
            if fuzz.ratio(word, text.words[index]) >= _SAME_WORD:
                return index
    return max(first, about - _TAIL_WORDS)
