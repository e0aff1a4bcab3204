"""The running passage of read text as an answer shows it, and the best one by the words of a question alone.

What a search found is looked through by `core.answering.extracts.likeliest`; this is for words of a draft or of notes.
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
"""Least share of the question's weight that one sentence of a passage must hold; error rates in ADR 0007."""

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
    """Sentences that follow one another, and the share of the question's weight that the best of them holds.

    `is_cut`: it is a stretch of one sentence that is too long, or never ends.
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
        """How many words of the book it holds."""
        return sum(sentence.words for sentence in self.sentences)

    @property
    def paragraphs(self) -> list[str]:
        """Its text, verbatim but for folded white space."""
        found: dict[int, list[str]] = {}
        for sentence in self.sentences:
            found.setdefault(sentence.paragraph, []).append(sentence.text)
        return [" ".join(texts) for texts in found.values()]

    def overlaps(self, other: "Passage") -> bool:
        """Whether the two share so much that whoever has read one learns little from the other."""
        texts = [{sentence.text for sentence in each.sentences} for each in (self, other)]
        return len(texts[0] & texts[1]) > _SHARED * min(map(len, texts))


def rendered(passage: Passage, read: ReadText) -> str:
    """Return a passage as an answer shows it: page and chapter above it, its paragraphs as a quotation."""
    first, last = passage.page, passage.last_page
    pages = f"p. {first}" if first == last else f"pp. {first}-{last}"
    chapter = read.chapter_of(first)
    place = pages if chapter is None else f"{pages}, {chapter_name(chapter)}"
    return f"**{place}**\n" + "\n>\n".join(f"> {paragraph}" for paragraph in passage.paragraphs)


def best_passages(
    question: str, read: ReadText, pages: Sequence[tuple[int, float]], *, most: int, threshold: float = FIT_THRESHOLD
) -> list[Passage]:
    """Return the passages that answer a question best, best first, none of which shares much with another.

    `pages` are page numbers and the shares of what a search finds on them, best first. Nothing where no sentence of
    any holds enough of the question.
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
    """Return the first sentences that fit into a passage, headings left out; None where there are none."""
    prose = [sentence for sentence in sentences if not sentence.is_heading]
    taken = running(prose, 0, most_words)
    return Passage(sentences=tuple(taken), fit=1.0) if taken else None


def _apart(ranked: Iterable[Passage], most: int) -> list[Passage]:
    """Return the first passages of which none shares much with an earlier one."""
    chosen: list[Passage] = []
    for passage in ranked:
        if len(chosen) == most:
            break
        if not any(passage.overlaps(each) for each in chosen):
            chosen.append(passage)
    return chosen


def _weights(question: str, read: ReadText) -> tuple[dict[str, float], dict[str, int]]:
    """Weigh the stems of a question by their rarity among the pages read, which are counted; an unread one most."""
    count = len(read.pages)
    found = {stem: read.pages_with(stem) for stem in set(content_stems(question)) - ABOUT_BOOKS}
    return {stem: math.log1p((count - pages + 0.5) / (pages + 0.5)) for stem, pages in found.items()}, found


def _scored(
    read: ReadText, pages: Sequence[tuple[int, float]], weights: Mapping[str, float], total: float
) -> Iterator[tuple[float, Passage]]:
    """Give the passages that stand on some pages, with their scores: of the page and of what they hold."""
    found = math.fsum(weights.values())
    for number, share in pages:
        sentences = read.sentences(number - 1, number + 1)
        hits = [_hits(each, weights) for each in sentences]
        for start, taken in _passages_on(number, sentences):
            score, best = _score(taken, hits[start : start + len(taken)], weights)
            passage = Passage(sentences=taken, fit=best / total)
            yield _OF_PAGE * math.log(share + _TINY) + score / found, passage


def _hits(sentence: ReadSentence, weights: Mapping[str, float]) -> list[str]:
    """Return the stems of a sentence that are asked for."""
    return [stem for stem in sentence.stems if stem in weights]


def _passages_on(number: int, sentences: Sequence[ReadSentence]) -> Iterator[tuple[int, tuple[ReadSentence, ...]]]:
    """Give the sentences that fit into a passage from each possible beginning, where any of them is on the page."""
    for start in _starts(sentences, number):
        taken = tuple(running(sentences, start, MOST_WORDS))
        if any(each.page <= number <= each.last_page for each in taken):
            yield start, taken


def _starts(sentences: Sequence[ReadSentence], number: int) -> Iterator[int]:
    """Give the places at which a passage of a page may begin: on the page, or a few sentences before it."""
    first = next((at for at, each in enumerate(sentences) if each.last_page == number), len(sentences))
    places = range(max(first - _BEFORE, 0), len(sentences))
    return takewhile(lambda at: sentences[at].page <= number, places)


def _score(
    taken: Sequence[ReadSentence], hits: Sequence[Sequence[str]], weights: Mapping[str, float]
) -> tuple[float, float]:
    """Score a passage by what it holds of the question: near its beginning, in one sentence, again and again."""
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
    """Give stretches of sentences of which none fits whole: around the first word that is asked for."""
    asked = re.compile("|".join(re.escape(stem.removesuffix("i")) for stem in weights), re.IGNORECASE)
    for number, share in pages:
        for sentence in read.sentences(number, number):
            held = math.fsum(weights[stem] for stem in set(sentence.stems) & weights.keys())
            yield share + held / total, Passage(sentences=(shortened(sentence, asked),), fit=held / total, is_cut=True)


def shortened(
    sentence: ReadSentence, around: re.Pattern[str] | None = None, *, most_words: int = MOST_WORDS
) -> ReadSentence:
    """Return a sentence that is too long as a stretch around something in it, at its end where nothing is named."""
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
    """Return sentences from one on, as many as fit, up to the next heading; the last one ends as a sentence does."""
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
    """Let a passage end without the shred of another paragraph, and use what room there is for what comes before it.

    So an exchange stands there from the line that is answered, and a paragraph from its beginning. One that begins in
    the middle of a sentence, which began pages before, stays as it is.
    """
    around = read.sentences(passage.page - 1, passage.last_page + 1)
    begin = next((at for at, each in enumerate(around) if _same(each, passage.sentences[0])), None)
    if begin is None:
        return passage
    begin, end = framed(around, begin, begin + len(passage.sentences))
    return Passage(sentences=tuple(around[begin:end]), fit=passage.fit)


def framed(around: Sequence[ReadSentence], begin: int, end: int, *, least: int = 0) -> tuple[int, int]:
    """Return where a passage of some sentences begins and ends as an answer shows it, not before `least`."""
    end = _without_shred(around, begin, end)
    return max(_with_what_leads_to_it(around, begin, end), least), end


def _without_shred(around: Sequence[ReadSentence], begin: int, end: int) -> int:
    """Return where a passage ends once the few words that it holds of a last paragraph are left out."""
    last = around[end - 1].paragraph
    tail = [each for each in around[begin:end] if each.paragraph == last]
    before = end - len(tail)
    if before == begin or not around[before - 1].is_whole:
        return end
    short = sum(each.words for each in tail)
    goes_on = end < len(around) and around[end].paragraph == last
    return before if short < (_SHORTEST_TAIL if goes_on else _ORPHAN) else end


def _with_what_leads_to_it(around: Sequence[ReadSentence], begin: int, end: int) -> int:
    """Return where a passage begins once the room that is left is used for the sentences before it."""
    room = min(MOST_WORDS - sum(each.words for each in around[begin:end]), _MOST_BEFORE)
    while begin > 0 and not around[begin - 1].is_heading and around[begin - 1].words <= room:
        begin -= 1
        room -= around[begin].words
    return begin


def _same(one: ReadSentence, other: ReadSentence) -> bool:
    return (one.text, one.page) == (other.text, other.page)
