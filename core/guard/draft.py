"""Splits a draft into sentences, and joins it again without the removed ones (ADR 21).

The sentences include mark-up and citations. The guard reads a draft without them, and `places` maps its sentences to
these. The rest must still read well and answer the question; in doubt it is discarded, and a new draft is requested.
The word lists here fit any prose. One answer quotes at most 150 words of the book, whoever wrote it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.domain.folding import CAPITAL, SMALL
from core.domain.verdict import Verdict
from core.guard.citations import PAGE_NUMBERS
from core.language.sentences import sentence_ends, word_count
from core.language.words import FUNCTION_WORDS, content_stems, words

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

_ANSWERS: Final = frozenset({Verdict.SUPPORTED, Verdict.OPINION, Verdict.ABSTAIN})
"""Verdicts of sentences that answer; a draft with only small talk left says nothing."""

_POINTS_BACK: Final = frozenset(
    words(
        "he him his himself she her hers herself it its itself they them their theirs themselves this that these those "
        "such there then thus hence so but and or nor yet still however therefore though although instead otherwise "
        "besides also too either neither both another other others same one ones likewise similarly conversely rather "
        "indeed exactly precisely yes no not only even again which who whose whom because moreover furthermore "
        "nevertheless nonetheless meanwhile afterwards later next finally second secondly third thirdly lastly former "
        "latter consequently accordingly hers most some many few several none all each hence surely naturally anyway "
        "that's it's he's she's they're he'd she'd they'd he'll she'll they'll it'll there's this'll isn't wasn't "
        "doesn't didn't don't does did is was has had can could would will"
    )
)
"""First words of a sentence that depends on the one before it."""

_OPENINGS: Final = (
    "on the other|on the contrary|in that|in this|in other words|in fact|in short|in turn|in return|in the same"
    "|in addition|in contrast|by contrast|by then|by that|of the two|of these|of those|of them|of course|as such"
    "|as a result|after that|after this|for that|for this|for all that|for example|for instance|at that|to that"
    "|with that|with this|from that|from this|from then|from there|until then|what is more|what's more|more than that"
    "|the other|the others|the same|the former|the latter|the rest|the second|the third|the last|the next|the reason"
    "|the result|the answer|the difference|the point|the two|the three"
)
_POINTS_BACK_AS = re.compile(rf"(?:{_OPENINGS})\b", re.IGNORECASE)
_LINKS_AT_ITS_END = re.compile(
    r"\b(?:though|too|either|as well|likewise|instead|however)\W*(?:\([^()]*\)\W*)?$", re.IGNORECASE
)
_SEVERAL: Final = "two|three|four|five|several|some|a few|these|following"
_OF_SEVERAL: Final = (
    "things?|reasons?|points?|ways?|facts?|clues?|hints?|moments?|examples?|possibilities|theories|answers?|sides?"
)
_FIRST_OF_SEVERAL: Final = r"first\b|firstly|for one thing|on the one hand|on one hand|to begin with|not only|either\b"
_ANNOUNCES = re.compile(
    rf":\W*$|\b(?:{_SEVERAL})\s+(?:\w+\s+)?(?:{_OF_SEVERAL})\b|^\W*(?:{_FIRST_OF_SEVERAL})", re.IGNORECASE
)
_NUMBER = re.compile(r"^\W*\d{1,2}[.)]\s")
_PERSONAL: Final = frozenset(words("he him his she her hers they them their theirs"))
_PERSONS: Final = (frozenset(words("he he's he'd he'll his him")), frozenset(words("she she's she'd she'll her hers")))
_INNER_CAPITAL = re.compile(rf"(?<=[{SMALL},;:]\s)[{CAPITAL}][\w'’]+")
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_STEMS: Final = 2
_LEAST_BEFORE: Final = 3
_ARTICLES: Final = frozenset(("the", "a", "an"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftSentence:
    """A sentence of a draft, from offset `start` to `end`, including the white space after it."""

    text: str
    start: int
    end: int


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
    return [DraftSentence(text=text[start:end].strip(), start=start, end=end) for start, end in pairwise(cuts)]


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


def falling_with(draft: Sequence[DraftSentence], fallen: Collection[int]) -> frozenset[int]:
    """Return all sentences to remove so that the rest reads well without the `fallen` ones; all if no rest does."""
    said = [each.text for each in draft]
    falling = frozenset(fallen)
    while hanging := _left_hanging(said, falling):
        falling |= hanging
    return frozenset(range(len(said))) if _leaves_numbers(said, falling) else falling


def answers(verdicts: Iterable[Verdict]) -> bool:
    """Whether one of the verdicts is that of a sentence that answers."""
    return any(verdict in _ANSWERS for verdict in verdicts)


def without(text: str, draft: Sequence[DraftSentence], fallen: Collection[int]) -> str:
    """Return the text of a draft without the fallen sentences; its paragraphs stay."""
    left = "".join(_left(text, each) if at in fallen else text[each.start : each.end] for at, each in enumerate(draft))
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", left)).strip()


def _left(text: str, sentence: DraftSentence) -> str:
    """Return what stays in place of a removed sentence: the break after it, if it ends a paragraph."""
    whole = text[sentence.start : sentence.end]
    behind = whole[len(whole.rstrip()) :]
    return behind if "\n" in behind else ""


def _left_hanging(said: Sequence[str], fallen: Collection[int]) -> frozenset[int]:
    """Return the sentences that need a fallen one: they refer back to it, or announce it."""
    kept = [at for at in range(len(said)) if at not in fallen]
    behind = {at for at in kept if at - 1 in fallen and _hangs(said, at, fallen)}
    before = {at for at in kept if at + 1 in fallen and _ANNOUNCES.search(said[at])}
    return frozenset(behind | before)


def _hangs(said: Sequence[str], at: int, fallen: Collection[int]) -> bool:
    """Whether a sentence after a fallen one refers back to it, or is too short to stand alone."""
    sentence = said[at]
    found = words(sentence)
    if not found or len(content_stems(sentence)) < _LEAST_STEMS:
        return True
    if _POINTS_BACK_AS.match(sentence.lstrip("*_\"“'‘ ")) or _LINKS_AT_ITS_END.search(sentence):
        return True
    if found[0] in _POINTS_BACK and not any(found[0] in person for person in _PERSONS):
        return True
    return _speaks_of_whom(sentence) and not _goes_on_about(said, at, fallen)


def _speaks_of_whom(sentence: str) -> bool:
    """Whether a sentence says "he" before it has named the person or a subject such as "the keeper"."""
    found = _WORD.findall(sentence)
    has_subject = found[0].casefold() in _ARTICLES
    for at, word in enumerate(found):
        folded = word.casefold()
        if folded in _PERSONAL:
            return not has_subject or at < _LEAST_BEFORE
        if word[0].isupper() and folded not in FUNCTION_WORDS:
            return False
    return False


def _goes_on_about(said: Sequence[str], at: int, fallen: Collection[int]) -> bool:
    """Whether "he" is the person named before the fallen sentences, which name nobody else."""
    first = at
    while first and first - 1 in fallen:
        first -= 1
    before, gone = said[:first], said[first:at]
    person = next((each for each in _PERSONS if not each.isdisjoint(words(said[at]))), None)
    if person is None or not before:
        return False
    return all(words(each)[:1] and words(each)[0] in person and not _INNER_CAPITAL.search(each) for each in gone)


def _leaves_numbers(said: Sequence[str], fallen: Collection[int]) -> bool:
    """Whether a numbered list would have a gap."""
    numbered = [at for at, each in enumerate(said) if _NUMBER.match(each)]
    return any(one in fallen and other not in fallen for one, other in pairwise(numbered))


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
