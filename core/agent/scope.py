"""Is a message the book club's business? Rules first, then what a search finds; a model is asked only in between.

Off-topic talk gets a short reply; small talk, thanks and questions about the bot are in scope (spec section 5).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
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

_OF_READING: Final = frozenset(
    content_stems(
        "book novel story chapter page scene character plot author writer narrator narration ending passage "
        "quote quotation reading reader theme protagonist hero heroine villain twist spoiler prologue "
        "epilogue dialogue sentence paragraph motive suspect clue murder murderer culprit mystery setting "
        "symbol metaphor foreshadow title edition"
    )
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
_OTHER_BUSINESS: Final = frozenset(
    content_stems(
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
_LOOK_BACK: Final = 16
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
    found, stems = words(message), set(content_stems(message))
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
    found, stems = set(words(message)), set(content_stems(message))
    texts = [set(content_stems(passage.text)) for passage in passages]
    share = max((len(stems & text) / len(stems) for text in texts), default=0.0) if stems else 1.0
    other = len(stems & _OTHER_BUSINESS) + bool(_ORDERS.match(message))
    named = _names_somebody(message, "\n".join(passage.text for passage in passages))
    if named and not other:
        return ScopeVerdict(score=_LIKELY, reasoning="names somebody of the book")
    people = 20 if found & _SOMEBODY else 10 if found & _OF_PEOPLE else 0
    told = 10 if found & _TOLD else 0
    errand = 30 if _OWN_ERRAND.search(message) else 0
    score = round(45 + 45 * share + people + told - 40 * min(other, 2) - errand)
    least = GREY_FROM if named or found & _SOMEBODY else 0
    return ScopeVerdict(
        score=max(least, min(score, _SURE)), reasoning=f"{share:.0%} of its words stand together in a read passage"
    )


def _names_the_book(message: str, known: str) -> bool:
    """One small word of a title stands in many a message; two do not, nor does one with a capital inside a sentence."""
    stems = set(content_stems(known))
    shared = stems & set(content_stems(message))
    capital = stems & set(content_stems(" ".join(_capitalised(message)[1])))
    return bool(capital) or len(shared) >= min(_OF_A_TITLE, max(len(stems), 1))


def _names_somebody(message: str, read: str) -> bool:
    """A word is a name where capitals that no sentence asks for say so: at least on one side, and nothing against it.

    At the beginning of a sentence a capital says nothing, least of all of a word that is also written without one.
    """
    without = {word for word in _WORD.findall(read) if word.islower()}
    anywhere, inside = _capitalised(read)
    said, said_inside = _capitalised(message)
    surely = (anywhere - without) | inside
    named = surely & said_inside | (inside - without) & said
    return bool(named - _CALENDAR)


def _capitalised(text: str) -> tuple[set[str], set[str]]:
    """Return the words with a capital, folded: all of them, and those inside sentences."""
    anywhere, inside = set(), set()
    for match in _WORD.finditer(text):
        if not match[0][0].isupper():
            continue
        word = match[0].casefold()
        anywhere.add(word)
        before = text[max(match.start() - _LOOK_BACK, 0) : match.start()].rstrip(" \t\"'“”‘’(—-")
        if before and (before[-1] not in ".!?:\n" or _SHORTENED.search(before)):
            inside.add(word)
    return anywhere - FUNCTION_WORDS, inside - FUNCTION_WORDS
