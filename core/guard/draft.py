"""Splits a draft into sentences, and joins it again without the removed ones (ADR 21).

The sentences include mark-up and citations. The guard reads a draft without them, and `places` maps its sentences to
these. What leans on a removed sentence is removed too, and so is a heading without anything below it. One answer quotes
at most 150 words of the book, with or without a model.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final

from core.domain.verdict import Verdict
from core.guard.citations import PAGE_NUMBERS
from core.language.sentences import sentence_ends, word_count
from core.language.words import words

MOST_WORDS: Final = 150

_LEFT_OUT: Final = "[…]"
_CITED: Final = r"[(\[]pp?\.? ?\d[\d\s,;&–-]*[)\]]"
# What may be between two words that are adjacent for the guard: marks of quotation or emphasis, or a citation.
_BETWEEN: Final = rf"(?:[\s>*_~|]|{_CITED})+"
_TWICE = re.compile(rf"{re.escape(_LEFT_OUT)}(?:(?:[\s>”’\"']|{_CITED})*{re.escape(_LEFT_OUT)})+")
_MARKED: Final = r"[ \t]*(?:\n|#{1,6}[ \t]|>|[-*+•][ \t]|\d{1,2}[.)][ \t])"
_BLOCK_BREAK = re.compile(rf"\n(?={_MARKED})|(?<=[.!?:…\"”’)*\]])[ \t]*\n|^[ \t]*#{{1,6}}[ \t][^\n]*\n", re.MULTILINE)
_MARKER = re.compile(r"\s*(?:\d{1,2}[.)]|[-*+•>#]+)\s*")
_CLOSES = re.compile(r"[*_\"”’)\]]+(?=\s|$)")
_SMALL_END = re.compile(r"(?<=[\s(“\"'’—–-])([a-z']{2,40})[.!?][\"”’)]*\s+(?=[\"“'(*_]*[A-Z])")
_SHORTENED: Final = frozenset(words("vol ch pp etc no cf vs fig ed eds viz al sc esp pt"))
_CITED_BEHIND = re.compile(
    rf"\s*[(\[](?:[^()\[\]]*\b)?(?:pp?\.|pp?|pages?)\s*{PAGE_NUMBERS}[^()\[\]]*[)\]][.!?]?", re.IGNORECASE
)

_ANSWERS: Final = frozenset({Verdict.SUPPORTED, Verdict.OPINION, Verdict.ABSTAIN, Verdict.BACKGROUND})
"""Verdicts of sentences that answer; a draft with only small talk left says nothing."""

_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s")
_NUMBER = re.compile(r"(\s*)(\d{1,2})(?=[.)]\s)")
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]+\*\*$")
_ANNOUNCES = re.compile(r":[*_]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSentence:
    """A sentence of a draft; `whole` is it with its mark-up and the white space around it."""

    text: str
    whole: str

    @property
    def behind(self) -> str:
        """The white space behind it."""
        return self.whole[len(self.whole.rstrip()) :]

    @property
    def ends_line(self) -> bool:
        """Whether a new line begins behind it."""
        return "\n" in self.behind

    @property
    def is_item(self) -> bool:
        """Whether it begins an item of a list."""
        return _ITEM.match(self.whole) is not None

    @property
    def is_heading(self) -> bool:
        """Whether it is a line that names what is below it."""
        return self.ends_line and _HEADING.match(self.text) is not None


def draft_sentences(text: str) -> list[DraftSentence]:
    """Split a draft into sentences. List items and headings are sentences; a citation stays with its sentence."""
    cuts = [0]
    start = last = 0
    has_words = False
    for end in _ends(text):
        if len(cuts) > 1:
            start = cuts[-1] = _behind(text, cuts[-1], end)
        has_words = has_words or bool(words(text[max(start, last) : end]))
        last = end
        if has_words and _MARKER.fullmatch(text, start, end) is None:
            cuts.append(end)
            has_words = False
    if len(cuts) > 1:
        cuts[-1] = len(text)
    return [DraftSentence(text=text[start:end].strip(), whole=text[start:end]) for start, end in pairwise(cuts)]


def places(judged: Sequence[Sequence[str]], said: Sequence[Sequence[str]]) -> list[range] | None:
    """Return for each judged sentence the range of draft sentences that it covers.

    Both are given as lists of words. None if their words differ, so that they cannot be matched.
    """
    of_word = [at for at, each in enumerate(said) for _ in each]
    if [word for each in judged for word in each] != [word for each in said for word in each]:
        return None
    found, begin = [], 0
    for each in judged:
        within = of_word[begin : begin + len(each)]
        found.append(range(within[0], within[-1] + 1) if within else range(0))
        begin += len(each)
    return found


def _behind(text: str, cut: int, end: int) -> int:
    """Return the end of a sentence that was cut at `cut`, including closing marks and its citation."""
    for belongs in (_CLOSES, _CITED_BEHIND):
        found = belongs.match(text, cut, end)
        cut = found.end() if found is not None else cut
    return cut


def _ends(text: str) -> Iterator[int]:
    """Yield where each sentence ends, and the next begins."""
    begin = 0
    for broken in [*(match.end() for match in _BLOCK_BREAK.finditer(text)), len(text)]:
        stop = len(text) - len(text[broken:].lstrip())
        if stop <= begin:
            continue
        block = text[begin:stop].replace("\n", " ")
        ends = set(sentence_ends(block))
        ends |= {match.end() for match in _SMALL_END.finditer(block) if match[1] not in _SHORTENED}
        yield from (begin + end for end in sorted(ends) if 0 < end < len(block))
        begin = stop
        yield begin


def falling_with(
    draft: Sequence[DraftSentence], fallen: Collection[int], leans_on: Sequence[Collection[int]]
) -> frozenset[int]:
    """Return all sentences to remove so that the rest reads well without the `fallen` ones.

    `leans_on` has for each sentence those that it needs. The sentences of a list's item need its first one; a heading,
    or a sentence that ends with a colon, needs something below it.
    """
    falling = set(fallen)
    while more := {
        at
        for at in set(range(len(draft))) - falling
        if not falling.isdisjoint(leans_on[at])
        or (_goes_on_in_item(draft, at) and at - 1 in falling)
        or ((below := _below(draft, at)) and falling.issuperset(below))
    }:
        falling |= more
    return frozenset(falling)


def answers(verdicts: Iterable[Verdict]) -> bool:
    """Whether one of the verdicts is that of a sentence that answers."""
    return any(verdict in _ANSWERS for verdict in verdicts)


def without(draft: Sequence[DraftSentence], fallen: Collection[int]) -> str:
    """Return the text of a draft without the fallen sentences; its paragraphs stay, and its lists are counted again."""
    left, gone = "", 0
    for at, each in enumerate(draft):
        number = _NUMBER.match(each.whole)
        gone = 0 if number and number[2] == "1" else gone
        if at in fallen:
            gone += number is not None
            left = _broken(left, each.behind)
        elif number:
            left += f"{number[1]}{int(number[2]) - gone}{each.whole[number.end() :]}"
        else:
            left += each.whole
    return left.strip()


def _broken(text: str, behind: str) -> str:
    """Return a text that ends like the sentence that was removed behind it: with the larger of both line breaks."""
    body = text.rstrip()
    return body + max(text[len(body) :], behind, key=lambda space: space.count("\n"))


def _goes_on_in_item(draft: Sequence[DraftSentence], at: int) -> bool:
    """Whether a sentence continues an item of a list."""
    first = at
    while first and not draft[first - 1].ends_line:
        first -= 1
    return first < at and draft[first].is_item


def _below(draft: Sequence[DraftSentence], at: int) -> list[int]:
    """Return what a heading or a sentence with a colon introduces: a section; a list, or the next sentence."""
    behind = range(at + 1, len(draft))
    if draft[at].is_heading:
        return list(takewhile(lambda each: not draft[each].is_heading, behind))
    if not behind or _ANNOUNCES.search(draft[at].text) is None:
        return []
    if not draft[at + 1].is_item:
        return [at + 1]
    return list(takewhile(lambda each: draft[each].is_item or not draft[each - 1].ends_line, behind))


def within_limit(text: str, quoted: Iterable[str]) -> str:
    """Return a text in which a mark replaces the sentences that quote beyond the limit of 150 words.

    `quoted` are its sentences that are in the book word for word, in order.
    """
    sentences = list(quoted)
    if sum(map(word_count, sentences)) <= MOST_WORDS:  # within the limit, nothing to remove
        sentences = []
    used, at = 0, 0
    for sentence in sentences:
        stands = re.compile(_BETWEEN.join(map(re.escape, sentence.split()))).search(text, at)
        if stands is None:
            continue
        used += word_count(sentence)
        kept = stands[0] if used <= MOST_WORDS else _LEFT_OUT
        text = text[: stands.start()] + kept + text[stands.end() :]
        at = stands.start() + len(kept)
    return _TWICE.sub(_LEFT_OUT, text)
