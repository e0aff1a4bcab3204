"""Is a message the book club's business? Rules first, then what a search finds; a model is asked only in between.

Off-topic talk gets a short reply; small talk, thanks and questions about the bot are in scope (spec section 5).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.domain.passage import SearchResult
from core.finders.kinds import asked
from core.text.small_talk import is_small_talk
from core.text.words import FUNCTION_WORDS, content_stems, words

THRESHOLD: Final = 75
"""Messages that score so much are in scope (conversational-memory.md)."""
GREY_FROM: Final = 35
"""Below this a message is off-topic without doubt; between here and the threshold a model may be asked."""

_SURE, _LIKELY, _OFF = 100, 85, 10
_FEW_WORDS: Final = 4
_OF_A_TITLE: Final = 2

_OF_READING: Final = content_stems(
    "book novel story chapter page scene character plot author writer narrator narration ending passage "
    "quote quotation reading reader theme protagonist hero heroine villain twist spoiler prologue "
    "epilogue dialogue sentence paragraph motive suspect clue murder murderer culprit mystery setting "
    "symbol metaphor foreshadow title edition"
)
_SOMEBODY: Final = frozenset(words("he him his himself she her hers herself they them their theirs themselves"))
_OF_PEOPLE: Final = _SOMEBODY | frozenset(words("who whom whose"))
_TOLD: Final = frozenset(words("did was were had didn't wasn't weren't hadn't"))
_CALENDAR: Final = frozenset(
    words(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
        "september october november december christmas easter"
    )
)
_OTHER_BUSINESS: Final = content_stems(
    "python javascript java sql html css code coding function algorithm regex api server database compile "
    "debug script spreadsheet excel laptop printer wifi router smartphone iphone android app website "
    "password download install weather forecast temperature rain traffic flight hotel airport visa recipe "
    "cook bake calories protein diet workout football soccer basketball tennis nba nfl league playoff "
    "championship score stock stocks crypto bitcoin mortgage tax invoice salary resume cv email "
    "newsletter linkedin instagram tiktok youtube netflix movie film series song playlist lyrics "
    "horoscope zodiac election president parliament senator capital population currency exchange headache "
    "fever symptom medicine dosage vaccine lawyer lawsuit contract homework equation integral derivative "
    "calculate multiply divide percent translate translation joke poem haiku limerick essay"
)
_ARITHMETIC = re.compile(
    r"\d\s*[-+*/×÷^]\s*\d|\bsquare root\b|\b\d+\s*(?:plus|minus|times|divided by)\s*\d+", re.IGNORECASE
)
_ORDERS = re.compile(
    r"^\W*(?:please\s+)?(?:(?:can|could|would|will)\s+you\s+)?(?:(?:please|kindly|also|just)\s+)*"
    r"(?:write|draft|compose|generate|create|code|implement|debug|translate|book|order|buy|calculate|convert|solve)\b"
    r"(?!.*\b(?:chapter|book|novel|story|scene|character|page)s?\b)",
    re.IGNORECASE,
)
# What members ask about their own lives; the words that follow in a question about the book are let through.
_OWN_ERRAND = re.compile(
    r"\b(?:how|where|when)\s+(?:do|can|could|should|would)\s+(?:i|we|you)\s+"
    r"(?!(?:know|think|feel|read|say|see|understand|pronounce|picture|interpret|tell|mean|use|set|change)\b)"
    r"|\b(?:do|should|shall|must)\s+i\s+(?!(?:know|read|start|begin|expect|remember|trust|believe)\b)"
    r"|\bmy\s+(?!(?:money|bet|guess|theory|favou?rite|questions?|opinion|view|mind|impression|feeling|copy|edition"
    r"|page|book|head|fault|bad)\b)",
    re.IGNORECASE,
)
_SET_ASIDE = re.compile(
    r"\b(?:ignore|ignoring|forget|never\s+mind|apart\s+from|besides|nothing\s+to\s+do\s+with|not\s+about|unrelated\s+to)"
    r"\s+(?:the|this|our)\s+(?:book|novel|story)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\b[^\W\d_]\w+")
_CAPITAL_WORD = re.compile(r"\b[^\W\d_a-z]\w+")  # or of a script without capitals
_LOOK_BACK: Final = 16
_PASSAGES_KEPT: Final = 512
_SHORTENED = re.compile(r"\b(?:[A-Z]|Mrs?|Ms|Dr|St)\.$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeVerdict:
    """How far a message is the club's business, 0 to 100, and why in words for the operator."""

    score: int
    reasoning: str

    @property
    def is_in(self) -> bool:
        """Whether it is answered."""
        return self.score >= THRESHOLD

    @property
    def is_off(self) -> bool:
        """Whether it is turned away without doubt."""
        return self.score < GREY_FROM

    @property
    def is_grey(self) -> bool:
        """Whether only a model could tell."""
        return GREY_FROM <= self.score < THRESHOLD


def by_rules(message: str, *, known: str, goes_on: bool) -> ScopeVerdict | None:
    """Return the verdict of the rules; None where they have none.

    Args:
        message: what a member said.
        known: the book's title and author.
        goes_on: whether something was said before in the conversation that a short message may take up.
    """
    if is_small_talk(message):
        return ScopeVerdict(score=_SURE, reasoning="small talk, or about the bot")
    found, stems = words(message), content_stems(message)
    if _names_the_book(message, known):
        return ScopeVerdict(score=_SURE, reasoning="names the book")
    kind = asked(message)
    is_of_reading = stems & _OF_READING or (kind is not None and not kind.subject)
    if is_of_reading and not _ORDERS.match(message) and not _SET_ASIDE.search(message):
        return ScopeVerdict(score=_LIKELY, reasoning="speaks of reading")
    if _ARITHMETIC.search(message):
        return ScopeVerdict(score=_OFF, reasoning="arithmetic")
    if goes_on and (len(stems) < _FEW_WORDS or _OF_PEOPLE.intersection(found)) and not stems & _OTHER_BUSINESS:
        return ScopeVerdict(score=_LIKELY, reasoning="takes up the conversation")
    return None


def by_passages(message: str, passages: Sequence[SearchResult]) -> ScopeVerdict:
    """Return the verdict of a search: the more of a message stands together in one read passage, the higher."""
    found, stems = set(words(message)), content_stems(message)
    is_named = _names_somebody(message, passages)
    other = len(stems & _OTHER_BUSINESS) + bool(_ORDERS.match(message))
    if is_named and not other:
        return ScopeVerdict(score=_LIKELY, reasoning="names somebody of the book")
    share = _share_together(stems, passages)
    score = round(
        45 + 45 * share + _for_people(found) + _for_telling(found) - 40 * min(other, 2) - _for_errand(message)
    )
    least = GREY_FROM if is_named or found & _SOMEBODY else 0
    return ScopeVerdict(
        score=max(least, min(score, _SURE)), reasoning=f"{share:.0%} of its words stand together in a read passage"
    )


def _share_together(stems: frozenset[str], passages: Sequence[SearchResult]) -> float:
    """Return the largest share of a message's stems that one passage holds; where there are none, all."""
    if not stems:
        return 1.0
    return max((len(stems & content_stems(passage.text)) / len(stems) for passage in passages), default=0.0)


def _for_people(found: set[str]) -> int:
    """Return what is added where a message speaks of people: of somebody rather than of whoever it may be."""
    if found & _SOMEBODY:
        return 20
    return 10 if found & _OF_PEOPLE else 0


def _for_telling(found: set[str]) -> int:
    return 10 if found & _TOLD else 0


def _for_errand(message: str) -> int:
    """Return what is taken off where members ask about their own lives."""
    return 30 if _OWN_ERRAND.search(message) else 0


def _names_the_book(message: str, known: str) -> bool:
    """One small word of a title stands in many a message; two do not, nor does one with a capital inside a sentence."""
    stems = content_stems(known)
    shared = stems & content_stems(message)
    capital = stems & content_stems(" ".join(_capitals(message).inside))
    return bool(capital) or len(shared) >= min(_OF_A_TITLE, max(len(stems), 1))


def _names_somebody(message: str, passages: Sequence[SearchResult]) -> bool:
    """Whether a message names somebody of the passages: at least one side has the capital of a name inside a sentence.

    At the beginning of a sentence a capital says nothing, least of all of a word that is also written without one.
    """
    said = _capitals(message)
    texts = [passage.text for passage in passages]
    read = [_capitals_of_passage(text) for text in texts]
    return any(
        _is_surely_a_name(word, said, read) or (_may_be_a_name(word, said, read) and not _is_written_small(word, texts))
        for word in said.anywhere - _CALENDAR
    )


def _is_surely_a_name(word: str, said: "_Capitals", read: Sequence["_Capitals"]) -> bool:
    return word in said.inside and any(word in each.inside for each in read)


def _may_be_a_name(word: str, said: "_Capitals", read: Sequence["_Capitals"]) -> bool:
    """Whether either side has a word with a capital inside a sentence, and the other has its capital at all."""
    if word in said.inside:
        return any(word in each.anywhere for each in read)
    return any(word in each.inside for each in read)


def _is_written_small(word: str, texts: Sequence[str]) -> bool:
    return any(word in text and word in _WORD.findall(text) for text in texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Capitals:
    """The words that a text writes with a capital, folded: all, and those where no sentence's beginning asks for it."""

    anywhere: frozenset[str]
    inside: frozenset[str]


def _capitals(text: str) -> _Capitals:
    found = [match for match in _CAPITAL_WORD.finditer(text) if match[0][0].isupper()]
    inside = (match[0].casefold() for match in found if _is_inside(text, match.start()))
    return _Capitals(
        anywhere=frozenset(match[0].casefold() for match in found) - FUNCTION_WORDS,
        inside=frozenset(inside) - FUNCTION_WORDS,
    )


_capitals_of_passage = lru_cache(maxsize=_PASSAGES_KEPT)(_capitals)
"""Kept, since a club's questions find the same pages again and again."""


def _is_inside(text: str, start: int) -> bool:
    """Whether a word stands within a sentence, not at its beginning."""
    before = text[max(start - _LOOK_BACK, 0) : start].rstrip(" \t\"'“”‘’(—-")
    return bool(before) and (before[-1] not in ".!?:\n" or _SHORTENED.search(before) is not None)
