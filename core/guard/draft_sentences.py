"""A draft cut into its sentences as they stand there, mark-up and citations included, so that some can be taken out.

The guard reads a draft without mark-up and pages; `places` finds its sentences again in these.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.domain.patterns import late_pattern
from core.guard.citations import PAGE_NUMBERS
from core.language.sentences import sentence_ends
from core.language.words import words

_MARKED: Final = r"[ \t]*(?:\n|#{1,6}[ \t]|>|[-*+•][ \t]|\d{1,2}[.)][ \t])"
_BLOCK_BREAK = late_pattern(rf"\n(?={_MARKED})|(?<=[.!?:…\"”’)*\]])[ \t]*\n|^[ \t]*#{{1,6}}[ \t][^\n]*\n", re.MULTILINE)
_MARKER = late_pattern(r"\s*(?:\d{1,2}[.)]|[-*+•>#]+)\s*")
_CLOSES = late_pattern(r"[*_\"”’)\]]+(?=\s|$)")
_SMALL_END = late_pattern(r"(?<=[\s(“\"'’—–-])([a-z']{2,40})[.!?][\"”’)]*\s+(?=[\"“'(*_]*[A-Z])")
_SHORTENED: Final = frozenset(words("vol ch pp etc no cf vs fig ed eds viz al sc esp pt"))
_CITED_BEHIND = late_pattern(
    rf"\s*[(\[](?:[^()\[\]]*\b)?(?:pp?\.|pp?|pages?)\s*{PAGE_NUMBERS}[^()\[\]]*[)\]][.!?]?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSentence:
    """A sentence of a draft: from `start` to `end` of its text, white space behind it included."""

    text: str
    start: int
    end: int


def draft_sentences(text: str) -> list[DraftSentence]:
    """Cut a draft into sentences; a list item or a heading is one at least, and a citation goes with what it cites."""
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
    return [DraftSentence(text=text[start:end].strip(), start=start, end=end) for start, end in pairwise(cuts)]


def places(judged: Sequence[Sequence[str]], said: Sequence[Sequence[str]]) -> list[range] | None:
    """Return for each judged sentence the range of those said that it reaches into, all given as their words.

    None where the words are not the same, so that nobody can tell which is which.
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
    """Return where a sentence ends that was cut there: marks that close it and its citation may stand behind."""
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
