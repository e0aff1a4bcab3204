"""Passages of read text as answers show them, and the choice of the best one by comparing words.

`core.answering.extracts.likeliest` chooses passages for questions with a word index. This module chooses them for the
words of a draft or of notes, and without an index.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from core.answering.extracts.answer_chances import ABOUT_BOOKS
from core.answering.extracts.read_text import ReadSentence, ReadText, chapter_name
from core.guard.draft import MOST_WORDS
from core.language.sentences import word_count
from core.language.words import content_stems

FIT_THRESHOLD: Final = 0.13
"""Least share of the question's weight that one sentence of a passage must contain; error rates in ADR 7."""

_PAGES: Final = 6
_BEFORE: Final = 6
_SHARED: Final = 0.34
_SHORTEST_TAIL: Final = 35
_ORPHAN: Final = 4
_MOST_BEFORE: Final = 60
_PEAK: Final = 40
_REACH: Final = 100
_OF_PAGE, _OF_EARLY, _OF_BEST, _OF_MANY = 0.1, 0.4, 0.4, 0.2
_SATURATION: Final = 1.2
_TINY: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Consecutive sentences.

    Attributes:
        sentences: the sentences.
        fit: the largest share of the question's weight that one of them contains, 0 to 1.
        is_cut: whether it is a part of one sentence that is too long or has no end.
    """

    sentences: tuple[ReadSentence, ...]
    fit: float
    is_cut: bool = False

    @property
    def page(self) -> int:
        """The page on which it begins."""
        return self.sentences[0].page

    @property
    def last_page(self) -> int:
        """The page on which it ends."""
        return self.sentences[-1].last_page

    @property
    def words(self) -> int:
        """How many words it has."""
        return sum(sentence.words for sentence in self.sentences)

    @property
    def paragraphs(self) -> list[str]:
        """Its text by paragraphs, word for word, with white space folded."""
        found: dict[int, list[str]] = {}
        for sentence in self.sentences:
            found.setdefault(sentence.paragraph, []).append(sentence.text)
        return [" ".join(texts) for texts in found.values()]

    def overlaps(self, other: "Passage") -> bool:
        """Whether the two passages share more than a third of the shorter one's sentences."""
        texts = [{sentence.text for sentence in each.sentences} for each in (self, other)]
        return len(texts[0] & texts[1]) > _SHARED * min(map(len, texts))


def rendered(passage: Passage, read: ReadText) -> str:
    """Return a passage as Markdown: page and chapter above, and its paragraphs as a quotation."""
    first, last = passage.page, passage.last_page
    pages = f"p. {first}" if first == last else f"pp. {first}-{last}"
    chapter = read.chapter_of(first)
    place = pages if chapter is None else f"{pages}, {chapter_name(chapter)}"
    return f"**{place}**\n" + "\n>\n".join(f"> {paragraph}" for paragraph in passage.paragraphs)


def best_passages(
    question: str, read: ReadText, pages: Sequence[tuple[int, float]], *, most: int, threshold: float = FIT_THRESHOLD
) -> list[Passage]:
    """Return up to `most` passages that fit a question best, best first, with little overlap.

    Args:
        question: the words to look for.
        read: the pages read.
        pages: page numbers with their shares of a search, best first.
        most: how many passages to return.
        threshold: least share of the question's weight that one sentence of a passage must contain.
    """
    weights, found = _weights(question, read)
    total = math.fsum(weights.values())
    read_of_it = {stem: weight for stem, weight in weights.items() if found[stem]}
    if not read_of_it:
        return []
    scored = list(_scored(read, pages[:_PAGES], read_of_it, total)) or list(_cut(read, pages, read_of_it, total))
    ranked = [passage for _, passage in sorted(scored, key=lambda each: -each[0]) if passage.fit >= threshold]
    return [passage if passage.is_cut else _framed(passage, read) for passage in _apart(ranked, most)]


def stretch(sentences: Sequence[ReadSentence], *, most_words: int = MOST_WORDS) -> Passage | None:
    """Return the first sentences that fit into `most_words` as a passage, without headings; None if there are none."""
    prose = [sentence for sentence in sentences if not sentence.is_heading]
    taken = running(prose, 0, most_words)
    return Passage(sentences=tuple(taken), fit=1.0) if taken else None


def _apart(ranked: Iterable[Passage], most: int) -> list[Passage]:
    """Return the first passages that do not overlap much with an earlier one."""
    chosen: list[Passage] = []
    for passage in ranked:
        if len(chosen) == most:
            break
        if not any(passage.overlaps(each) for each in chosen):
            chosen.append(passage)
    return chosen


def _weights(question: str, read: ReadText) -> tuple[dict[str, float], dict[str, int]]:
    """Return the weight of each stem of a question by its rarity, and the number of read pages that contain it."""
    count = len(read.pages)
    found = {stem: read.pages_with(stem) for stem in set(content_stems(question)) - ABOUT_BOOKS}
    return {stem: math.log1p((count - pages + 0.5) / (pages + 0.5)) for stem, pages in found.items()}, found


def _scored(
    read: ReadText, pages: Sequence[tuple[int, float]], weights: Mapping[str, float], total: float
) -> Iterator[tuple[float, Passage]]:
    """Yield the passages on some pages with their scores, from the page's share and the question's words."""
    found = math.fsum(weights.values())
    for number, share in pages:
        sentences = read.sentences(number - 1, number + 1)
        hits = [_hits(each, weights) for each in sentences]
        for start, taken in _passages_on(number, sentences):
            score, best = _score(taken, hits[start : start + len(taken)], weights)
            passage = Passage(sentences=taken, fit=best / total)
            yield _OF_PAGE * math.log(share + _TINY) + score / found, passage


def _hits(sentence: ReadSentence, weights: Mapping[str, float]) -> list[str]:
    """Return the stems of a sentence that are in the question."""
    return [stem for stem in sentence.stems if stem in weights]


def _passages_on(number: int, sentences: Sequence[ReadSentence]) -> Iterator[tuple[int, tuple[ReadSentence, ...]]]:
    """Yield a start and the sentences of the passage from there, for each passage that touches the page."""
    for start in _starts(sentences, number):
        taken = tuple(running(sentences, start, MOST_WORDS))
        if any(each.page <= number <= each.last_page for each in taken):
            yield start, taken


def _starts(sentences: Sequence[ReadSentence], number: int) -> Iterator[int]:
    """Yield the indexes where a passage of a page may begin: on the page or a few sentences before it."""
    first = next((at for at, each in enumerate(sentences) if each.last_page == number), len(sentences))
    places = range(max(first - _BEFORE, 0), len(sentences))
    return takewhile(lambda at: sentences[at].page <= number, places)


def _score(
    taken: Sequence[ReadSentence], hits: Sequence[Sequence[str]], weights: Mapping[str, float]
) -> tuple[float, float]:
    """Return a passage's score and its best sentence's weight.

    The score counts the question's words near the beginning, in one sentence, and in total.
    """
    counts: dict[str, int] = {}
    early = best = 0.0
    at = 0
    for sentence, stems in zip(taken, hits, strict=True):
        own = set(stems)
        early += max(0.0, 1 - abs(at - _PEAK) / _REACH) * math.fsum(weights[stem] for stem in own if stem not in counts)
        best = max(best, math.fsum(weights[stem] for stem in own))
        for stem in stems:
            counts[stem] = counts.get(stem, 0) + 1
        at += sentence.words
    many = math.fsum(
        weights[stem] * (1 + _SATURATION) * count / (count + _SATURATION) for stem, count in counts.items()
    )
    return _OF_EARLY * early + _OF_BEST * best + _OF_MANY * many, best


def _cut(
    read: ReadText, pages: Sequence[tuple[int, float]], weights: Mapping[str, float], total: float
) -> Iterator[tuple[float, Passage]]:
    """Yield shortened sentences, for pages whose sentences are all too long, around the first word of the question."""
    asked = re.compile("|".join(re.escape(stem.removesuffix("i")) for stem in weights), re.IGNORECASE)
    for number, share in pages:
        for sentence in read.sentences(number, number):
            held = math.fsum(weights[stem] for stem in set(sentence.stems) & weights.keys())
            yield share + held / total, Passage(sentences=(shortened(sentence, asked),), fit=held / total, is_cut=True)


def shortened(
    sentence: ReadSentence, around: re.Pattern[str] | None = None, *, most_words: int = MOST_WORDS
) -> ReadSentence:
    """Return a sentence cut to `most_words`, around the first match of `around` or at its end."""
    found = sentence.text.split()
    if len(found) <= most_words:
        return sentence
    stands = around.search(sentence.text) if around else None
    at = word_count(sentence.text[: stands.start()]) - _PEAK if stands else len(found)
    begin = max(min(at, len(found) - most_words), 0)
    ends = " …" if begin + most_words < len(found) else ""
    text = " ".join(found[begin : begin + most_words])
    return replace(sentence, text=f"{'… ' if begin else ''}{text}{ends}", words=most_words)


def running(sentences: Sequence[ReadSentence], start: int, most_words: int) -> list[ReadSentence]:
    """Return as many sentences from `start` as fit, up to the next heading; the last one is complete."""
    taken: list[ReadSentence] = []
    room = most_words
    for sentence in sentences[start:]:
        room -= sentence.words
        if sentence.is_heading or room < 0:
            break
        taken.append(sentence)
    while taken and not taken[-1].is_whole:
        taken.pop()
    return taken


def _framed(passage: Passage, read: ReadText) -> Passage:
    """Return a passage without the few words of a next paragraph, filled up with the sentences before it.

    So a dialogue starts with the line that is answered, and a paragraph with its beginning. A passage that starts
    inside a sentence from earlier pages stays as it is.
    """
    around = read.sentences(passage.page - 1, passage.last_page + 1)
    begin = next((at for at, each in enumerate(around) if _same(each, passage.sentences[0])), None)
    if begin is None:
        return passage
    begin, end = framed(around, begin, begin + len(passage.sentences))
    return Passage(sentences=tuple(around[begin:end]), fit=passage.fit)


def framed(around: Sequence[ReadSentence], begin: int, end: int, *, least: int = 0) -> tuple[int, int]:
    """Return the final beginning and end of a passage, beginning not before `least`."""
    end = _end_without_fragment(around, begin, end)
    return max(_begin_with_context(around, begin, end), least), end


def _end_without_fragment(around: Sequence[ReadSentence], begin: int, end: int) -> int:
    """Return the end of a passage without a short fragment of its last paragraph."""
    last = around[end - 1].paragraph
    tail = [each for each in around[begin:end] if each.paragraph == last]
    before = end - len(tail)
    if before == begin or not around[before - 1].is_whole:
        return end
    short = sum(each.words for each in tail)
    goes_on = end < len(around) and around[end].paragraph == last
    return before if short < (_SHORTEST_TAIL if goes_on else _ORPHAN) else end


def _begin_with_context(around: Sequence[ReadSentence], begin: int, end: int) -> int:
    """Return the beginning of a passage filled up with as many earlier sentences as fit."""
    room = min(MOST_WORDS - sum(each.words for each in around[begin:end]), _MOST_BEFORE)
    while begin > 0 and not around[begin - 1].is_heading and around[begin - 1].words <= room:
        begin -= 1
        room -= around[begin].words
    return begin


def _same(one: ReadSentence, other: ReadSentence) -> bool:
    return (one.text, one.page) == (other.text, other.page)
