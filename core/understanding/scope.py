"""Is a message the book club's business? Rules first, then what a search finds; a model is asked only in between.

ADR 18. Off-topic talk gets a short reply; small talk, thanks and questions about the bot are in scope.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.folding import CAPITAL
from core.domain.passage import SearchResult
from core.language.words import content_stems, words
from core.understanding.asked import Kind
from core.understanding.kinds import asked
from core.understanding.scope_names import capitals_inside, names_somebody, points_at
from core.understanding.small_talk import is_small_talk

THRESHOLD: Final = 75
"""Messages that score so much are in scope."""
GREY_FROM: Final = 35
"""Below this a message is off-topic without doubt; between here and the threshold a model may be asked."""

_SURE, _LIKELY, _OFF = 100, 85, 10
_OF_THE_TALK: Final = 25
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
_BRANDS: Final = content_stems(
    "python javascript java sql html css excel android iphone instagram tiktok youtube netflix linkedin bitcoin"
)
_OF_ITS_KIN: Final = content_stems("film movie series translation song")
"""What is made of books too; talk of those of this book is its club's business."""

_MADE_OF_IT = re.compile(
    r"\b(?:the|this|that|its|any|which|what|old|new|best|a)\s+(?:\w+\s+){0,2}?"
    r"(?:films?|movies?|series|miniseries|adaptations?|audiobooks?|translations?|translators?|musical|opera|stage\s+play)\b",
    re.IGNORECASE,
)
_OF_IT = re.compile(
    r"\b(?:of|from|to|as|than|with|about|for)\s+(?:it|this|that\s+one)\b|\b(?:adapt\w*|faithful|based\s+on|translated?|read"
    r"|reading|version|dubbed|cast|casting)\b|\b(?:the|this|that)\s+(?:film|movie|adaptation|audiobook|translation"
    r"|translator)\b(?!\s+(?:tonight|at|on|club|starts?|times?))",
    re.IGNORECASE,
)
_READ_SO_FAR = re.compile(
    r"\b(?:ch|chap|pp?|pgs?)\.?\s*\d+|\b(?:summar\w+|recap\w*|caught\s+up|catch(?:ing)?\s+(?:me\s+)?up"
    r"|just\s+(?:started|begun|finished)\s+(?:it|this|reading)|my\s+(?:prediction|theory|guess|bet|money))\b",
    re.IGNORECASE,
)
_ASKS_A_VIEW = re.compile(
    r"\b(?:do|did|does)\s+(?:you|we|anyone|anybody|y'?all)(?:\s+\w+)?\s+(?:think|reckon|believe|feel|trust|suspect|buy|like)\b"
    r"|\bwhat\s+do\s+(?:you|we)\s+(?:all\s+)?make\b|\b(?:imo|imho|tbh|in\s+my\s+opinion)\b",
    re.IGNORECASE,
)
_TITLED = re.compile(rf"\b(?:the|a|an|mrs?\.?|ms\.?|miss|dr\.?|old|young)\s+([{CAPITAL}]\w+)")
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
    r"|\bmy\s+(?!(?:money|bet|guess|theory|prediction|hunch|favou?rite|questions?|opinion|view|mind|impression|feeling|copy"
    r"|edition|page|book|club|head|heart|fault|bad)\b|\w+\s+(?:says?|said|told|thinks?|claims?|swears?|insists?)\b)",
    re.IGNORECASE,
)
_SET_ASIDE = re.compile(
    r"\b(?:ignore|ignoring|forget|never\s+mind|apart\s+from|besides|nothing\s+to\s+do\s+with|not\s+about|unrelated\s+to)"
    r"\s+(?:the|this|our)\s+(?:book|novel|story)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeVerdict:
    """How far a message is the club's business, 0 to 100, and why in words for the operator."""

    score: int
    reasoning: str
    threshold: int = THRESHOLD

    @property
    def is_in(self) -> bool:
        """Whether it is answered."""
        return self.score >= self.threshold

    @property
    def is_off(self) -> bool:
        """Whether it is turned away without doubt."""
        return self.score < min(GREY_FROM, self.threshold)

    @property
    def is_grey(self) -> bool:
        """Whether only a model could tell."""
        return not self.is_in and not self.is_off


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
    if _is_of_reading(message, stems):
        return ScopeVerdict(score=_LIKELY, reasoning="speaks of reading")
    if _ARITHMETIC.search(message):
        return ScopeVerdict(score=_OFF, reasoning="arithmetic")
    if goes_on and (len(stems) < _FEW_WORDS or _OF_PEOPLE.intersection(found)) and not stems & _OTHER_BUSINESS:
        return ScopeVerdict(score=_LIKELY, reasoning="takes up the conversation")
    return None


def by_passages(message: str, passages: Sequence[SearchResult]) -> ScopeVerdict:
    """Return the verdict of a search: the more of a message stands together in one read passage, the higher."""
    found, stems = set(words(message)), content_stems(message)
    is_named, is_ordered = names_somebody(message, passages, but=_errand_words(message)), bool(_ORDERS.match(message))
    if is_named and not is_ordered:
        return ScopeVerdict(score=_LIKELY, reasoning="names somebody of the book")
    other = len(_other_business(message, stems)) + is_ordered
    share = _share_together(stems, passages)
    score = round(
        45 + 45 * share + _for_people(found) + _for_telling(found) - 40 * min(other, 2) - _for_errand(message)
    )
    is_there = _points_at_what_is_there(message, passages)
    if not other and (is_there or _asks_a_view(message)):
        score += _OF_THE_TALK
    may_be_meant = is_named or is_there or found & _SOMEBODY or _may_name_somebody(message, stems)
    least = GREY_FROM if may_be_meant else 0
    return ScopeVerdict(
        score=max(least, min(score, _SURE)), reasoning=f"{share:.0%} of its words stand together in a read passage"
    )


def _is_of_reading(message: str, stems: frozenset[str]) -> bool:
    if _ORDERS.match(message) or _SET_ASIDE.search(message):
        return False
    kind = asked(message)
    return bool(stems & _OF_READING) or (kind is not None and not kind.subject) or _is_of_it(message)


def _is_of_it(message: str) -> bool:
    """Whether a message speaks of how far it was read, or of a film, a translation or the like of this book."""
    if _READ_SO_FAR.search(message):
        return True
    other = content_stems(message) & _OTHER_BUSINESS - _OF_ITS_KIN
    is_made_of_it = _MADE_OF_IT.search(message) is not None and _OF_IT.search(message) is not None
    return is_made_of_it and not other and not _OWN_ERRAND.search(message)


def _other_business(message: str, stems: frozenset[str]) -> frozenset[str]:
    """Return the words of other errands in a message; "the Cook" is somebody."""
    titled = content_stems(" ".join(_TITLED.findall(message))) - _BRANDS
    return (stems & _OTHER_BUSINESS) - titled


def _errand_words(message: str) -> frozenset[str]:
    """Return what names nobody where members ask about their own lives: who cooks rice means no cook."""
    return _OTHER_BUSINESS if _OWN_ERRAND.search(message) else frozenset()


def _may_name_somebody(message: str, stems: frozenset[str]) -> bool:
    """Whether a message asks who somebody is and says nothing else: any word may be a name of the book."""
    kind = asked(message)
    return kind is not None and kind.kind is Kind.WHO and len(stems) == 1


def _asks_a_view(message: str) -> bool:
    """Whether a message asks what somebody thinks, or says what its writer does."""
    return _ASKS_A_VIEW.search(message) is not None and not _OWN_ERRAND.search(message)


def _points_at_what_is_there(message: str, passages: Sequence[SearchResult]) -> bool:
    """Whether a message points at a person or a thing ("the poor hunchback") that the passages speak of."""
    if _OWN_ERRAND.search(message) or _ORDERS.match(message) or _SET_ASIDE.search(message):
        return False
    return points_at(message, passages, but=_OTHER_BUSINESS)


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
    capital = stems & content_stems(" ".join(capitals_inside(message)))
    return bool(capital) or len(shared) >= min(_OF_A_TITLE, max(len(stems), 1))
