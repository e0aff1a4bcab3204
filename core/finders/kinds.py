"""Kinds of question that need no search, told by rules: each has an answer of its own in `core.finders.answers`."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from typing import Final

from core.domain.numbers import read_number

_SPELLED: Final = (
    "happened",
    "happens",
    "chapter",
    "chapters",
    "recap",
    "summary",
    "previous",
    "introduced",
    "characters",
    "meaning",
)
_NEAR: Final = 0.83
_SHORTEST_MISSPELT: Final = 5
_WORDS_KEPT: Final = 1_000
"""Members ask in the same words again and again."""
_MOST_WORDS: Final = 6
_WORD = re.compile(r"[^\W\d_]+")
_PRONOUNS: Final = frozenset({"he", "she", "him", "her", "they", "them", "it", "this", "that", "these", "those"})
_PLACES: Final = frozenset({"on", "in", "at", "of", "under", "above", "from", "beside", "behind", "over"})
_NOBODY: Final = frozenset({"you", "i", "we", "there", "who", "what", "everyone", "everybody", "anyone", "somebody"})

_LEADS_IN = r"^\W*(?:(?:so|and|but|ok(?:ay)?|hey|hi|hello|wait|sorry|um+|again|please|pls|now|well|thusfar)\b\W*)*"
_ASKS = (
    r"(?:(?:can|could|would|will)\s+(?:you|someone|somebody)\s+(?:please\s+)?)?"
    r"(?:(?:remind|tell|give|show)\s+(?:me|us)(?:\s+again)?\s+|do\s+you\s+know\s+"
    r"|do(?:es)?\s+any(?:one|body|\s+of\s+you)\s+(?:here\s+)?(?:know|remember|recall)\s+|i\s+forg[eo]t\s+|remember\s+)?(?:please\s+)?"
)
_BEGINS = _LEADS_IN + _ASKS
_ENDS = r"(?:\s+(?:again|please|pls|anyway|then|so far|up to (?:now|here)|at this point|here|to us|by now))*\W*$"
_WE = r"(?:we|i|you|us|me)"
_CHAPTER = r"(?:chapter|ch\.?|chap\.?)"
_HAPPENED = r"(?:happen\w*|goes\s+on|went\s+on|going\s+on|took\s+place|was\s+told|is\s+told|about)"
_BOOK = r"(?:the|this|our)\s+(?:\w+\s+)?(?:book|story|novel|tale)"
_AT_THE_END = rf"(?:at|in)\s+the\s+(?:very\s+)?end(?:\s+of\s+{_BOOK})?"
_THE_END = re.compile(
    _BEGINS
    + r"(?:"
    + rf"how\s+(?:does|will|is)\s+(?:it|this|that|everything|{_BOOK})\s+(?:all\s+|going\s+to\s+)*"
    + r"(?:end|finish|turn\s+out)"
    + rf"|(?:what|who|how|where|why|does|do|will|is|are)\b(?!.*\b(?:was|were|did|happened)\b).*\s{_AT_THE_END}"
    + rf"|(?:what(?:['’]?s|\s+is)\s+)?the\s+ending(?:\s+of\s+{_BOOK})?"
    + r")"
    + _ENDS,
    re.IGNORECASE | re.DOTALL,
)
_TO_COME = (
    r"(?:next|following|coming|remaining|rest\s+of\s+the)\s+(?:\w+\s+)?(?:pages?|chapters?|parts?|sections?|book|story)"
)
_AHEAD = re.compile(
    _BEGINS
    + r"(?:"
    + r"what(?:['’]?s|\s+is|\s+will|\s+does)?\s+(?:going\s+to\s+)?(?:happens?|come|comes)\s+"
    + r"(?:next|later(?:\s+on)?|after\s+(?:this|that|here)|from\s+here(?:\s+on)?)"
    + r"|who(?:m)?\s+(?:will|are|do|shall)\s+we\s+(?:going\s+to\s+)?(?:meet|see)\s+(?:later(?:\s+on)?|next|soon)"
    + r"|who(?:m)?\s+have(?:n['’]?t\s+we|\s+we\s+not)\s+(?:met|seen)(?:\s+yet)?"
    + rf"|(?:what|who|does|do|is|are|will|how|when|where)\b.*\b(?:in|on|over|during)\s+the\s+{_TO_COME}"
    + r")"
    + _ENDS,
    re.IGNORECASE | re.DOTALL,
)


class Kind(StrEnum):
    """What is asked for."""

    CAST = "cast"
    WHO = "who"
    NAME = "name"
    FIRST = "first"
    RECAP = "recap"
    CHAPTER = "chapter"
    LAST_CHAPTER = "last chapter"
    THIS_CHAPTER = "this chapter"
    JUST_NOW = "just now"
    STOPPED = "stopped"
    HOW_FAR = "how far"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of some kind: about whom or what, or about which chapter."""

    kind: Kind
    subject: str = ""
    chapter: int | None = None


def asked(question: str, *, about: str = "") -> Asked | None:
    """Return what kind of question it is; None for one that needs a search.

    `about` is what was said before, which a pronoun may stand for somebody of.
    """
    text = _spelled(" ".join(question.replace("’", "'").split()))
    for pattern, made in _RULES:
        match = pattern.search(text)
        found = made(match) if match else None
        if found is not None:
            return _with_subject(found, about)
    return None


def asks_the_end(question: str) -> bool:
    """Whether it asks how the book ends: no page before the last one says so, whatever words it shares with it."""
    return _THE_END.match(" ".join(question.replace("’", "'").split())) is not None


def asks_ahead(question: str) -> bool:
    """Whether it asks in so many words what is still to come: no page read says so, whatever words it shares."""
    return _AHEAD.match(" ".join(question.replace("’", "'").split())) is not None


def _with_subject(found: Asked, about: str) -> Asked | None:
    if found.kind not in {Kind.WHO, Kind.FIRST} or found.subject.casefold() not in _PRONOUNS:
        return found
    named = names_in(about)
    return Asked(kind=found.kind, subject=named[-1]) if named else None


def names_in(text: str) -> list[str]:
    """Return what a member's words name: runs of words with a capital, but for a first word that asks."""
    runs = re.findall(r"(?:(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord)\.?\s+)?[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)*", text)
    cleaned = (re.sub(rf"^(?:{'|'.join(_QUESTION_WORDS)})\b\s*", "", run, flags=re.IGNORECASE) for run in runs)
    return [re.sub(r"['’]s$", "", each) for each in cleaned if each]


_QUESTION_WORDS: Final = (
    "Who", "What", "Where", "When", "Why", "How", "Which", "Whose", "Did", "Does", "Do", "Is", "Are", "Was", "Were",
    "Has", "Have", "Had", "And", "But", "So", "The", "A", "An", "In", "On", "At", "Can", "Could", "Tell", "Remind",
    "Please", "Ok", "I", "Whats", "What's", "Who's", "Whos", "Where's",
)  # fmt: skip


def _spelled(text: str) -> str:
    """Return the text with misspelt words of asking as they are spelled."""

    def spelled(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) < _SHORTEST_MISSPELT or word[0].isupper():
            return word
        return _as_spelled(word)

    return _WORD.sub(spelled, text)


@lru_cache(maxsize=_WORDS_KEPT)
def _as_spelled(word: str) -> str:
    near = get_close_matches(word, _SPELLED, n=1, cutoff=_NEAR)
    return near[0] if near else word


def _about(kind: Kind) -> Callable[[re.Match[str]], Asked | None]:
    def made(match: re.Match[str]) -> Asked | None:
        subject = match["subject"].strip(" ,.?!\"“”'‘")
        if not subject or len(subject.split()) > _MOST_WORDS or subject.casefold() in _NOBODY:
            return None
        if kind is Kind.MEANING and subject.split()[0].casefold() in _PLACES:
            return None  # "the word on the wall": which word that is, has to be searched
        return Asked(kind=kind, subject=subject)

    return made


def _of_chapter(match: re.Match[str]) -> Asked | None:
    number = read_number(match["number"])
    return None if number is None else Asked(kind=Kind.CHAPTER, chapter=number)


def _just(kind: Kind) -> Callable[[re.Match[str]], Asked | None]:
    return lambda _match: Asked(kind=kind)


_IS = r"(?:'s|s|\s+is|\s+was|\s+are|\s+were)"
_PERSON = r"(?P<subject>[^,;:?!]+?)"
_NUMBER = r"(?P<number>\d{1,3}|[ivxl]{1,7}|[a-z]+(?:-[a-z]+)?)"
_PEOPLE = (
    r"(?:(?:the|all|main|important|other|these|those|of)\s+)*"
    r"(?:characters?|people|persons?|names|cast|everyone|everybody)"
)
_SO_FAR = r"(?:\s+(?:in|of|from)\s+(?:it|this|the|here)(?:\s+(?:book|story|novel|cast))?)?(?:\s+(?:until|till)\s+now)?"
_WORDS: Iterable[tuple[str, Callable[[re.Match[str]], Asked | None]]] = (
    ((rf"{_BEGINS}(?:who(?:\s+all)?|which\s+{_PEOPLE}|what\s+{_PEOPLE})(?:'s|s|\s+has|\s+have|\s+had|\s+did|\s+do|\s+is|\s+are)?"
     rf"(?:\s+(?:{_WE}|there|all|everyone|everybody))*(?:\s+(?:ever|already|been))*\s+(?:met|meet|seen|see|come\s+up|came\s+up"
     rf"|come\s+across|appear\w*|introduced|mentioned|named|(?:shown|turned)\s+up|in\s+(?:it|this|the\s+(?:book|story|novel))"
     rf"|know|known|got){_SO_FAR}{_ENDS}"
     rf"|{_BEGINS}(?:(?:a|the)\s+)?(?:list\s+(?:of\s+)?|who(?:'s|s|\s+is|\s+are|\s+were)\s+|of\s+|about\s+|name\s+)?{_PEOPLE}"
     rf"(?:\s+list)?(?:\s+(?:are|we(?:'ve|\s+have)?(?:\s+met)?|again))*{_SO_FAR}{_ENDS}"
     rf"|{_BEGINS}who(?:'s|s|\s+is|\s+are)\s+who{_SO_FAR}{_ENDS}"), _just(Kind.CAST)),
    ((r"\bhow\s+(?:far|long|many\s+(?:more\s+)?pages?|much)\b.*\b(?:end|rest|left|finish|remain\w*|until|till|to\s+go)\b"
     r".*\bchapter\b|\bhow\s+(?:far|long|many\s+(?:more\s+)?pages?|much)\b.*\bchapter\b.*\b(?:left|remain\w*|to\s+go|end|go)\b"
     r"|\b(?:when|where)\s+does\s+(?:this|the)\s+chapter\s+end\b"), _just(Kind.HOW_FAR)),
    ((rf"{_BEGINS}(?:what\s+)?(?:{_HAPPENED}\s+)?.*\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up|catch\s+{_WE}\s+up)\b.*"
     rf"\b{_CHAPTER}\s*{_NUMBER}{_ENDS}"), _of_chapter),
    (rf"^\W*{_CHAPTER}\s*{_NUMBER}\s*(?:,|:)?\s*(?:recap|summary|please)?\W*$", _of_chapter),
    ((rf"\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up)\b.*\b(?:last|previous)\s+chapter\b|^\W*(?:the\s+)?(?:last|previous)\s+"
     rf"chapter(?:\s+(?:recap|summary))?{_ENDS}"), _just(Kind.LAST_CHAPTER)),
    (rf"\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up)\b.*\b(?:this|the\s+current)\s+chapter\b", _just(Kind.THIS_CHAPTER)),
    ((rf"{_BEGINS}what(?:'s|\s+has|\s+had|\s+is|\s+was|\s+did)?\s+(?:{_WE}\s+)?just\s+(?:\w+\s+)?(?:happen\w*|read|going\s+on|now)"
     rf"|{_BEGINS}what\s+(?:has\s+)?happen\w*\s+(?:just\s+now|last|right\s+now|here|on\s+(?:the\s+last|this)\s+(?:few\s+|two\s+)?pages?){_ENDS}"
     rf"|{_BEGINS}what\s+did\s+{_WE}\s+(?:just|last)\s+read{_ENDS}|{_BEGINS}what(?:'s|\s+is)\s+going\s+on{_ENDS}"),
     _just(Kind.JUST_NOW)),
    ((rf"{_BEGINS}(?:where(?:'?s)?|at\s+(?:what|which)\s+(?:page|point))\s+(?:did|do|are|were|have|had|am)?\s*{_WE}\s*(?:\w+\s+)?"
     rf"(?:stop\w*|le(?:ft|ave)(?:\s+off)?|get\s+to|got\s+to|been|now|at|last\s+time|in\s+the\s+(?:book|story))?{_ENDS}"
     rf"|{_BEGINS}(?:what|which)\s+(?:page|chapter)\s+(?:are|were|am|did)\s+{_WE}\b"), _just(Kind.STOPPED)),
    ((rf"{_BEGINS}(?:(?:a|the|quick|short|little|brief|full)\s+)*(?:recap|summary|summar[iy][sz]e|sum\s+up|catch\s+{_WE}\s+up)"
     rf"(?:\s+(?:of\s+)?(?:it|this|us|me|what\s+happened|the\s+(?:story|book|plot)))?{_ENDS}"
     rf"|{_BEGINS}what(?:'s|\s+is)\s+{_BOOK}\s+about{_ENDS}|{_BEGINS}(?:(?:quick|short|brief)\s+)?recap\b|\b(?:story|plot)\s+so\s+far\b|\bcatch\s+{_WE}\s+up\b"
     rf"|{_BEGINS}what(?:'s|\s+has|\s+have)?\s+(?:all\s+)?(?:has\s+)?happen\w*(?:\s+(?:so\s+far|until\s+now|up\s+to\s+now"
     rf"|before|in\s+the\s+(?:book|story)))?{_ENDS}|{_BEGINS}what\s+did\s+{_WE}\s+miss\b"), _just(Kind.RECAP)),
    ((rf"{_BEGINS}(?:where|when|how|on\s+(?:what|which)\s+page)\s+(?:did|do|have|had)\s+{_WE}\s+(?:first\s+|ever\s+)?"
     rf"(?:meet|met|see|saw|hear\s+(?:of|about)|heard\s+(?:of|about)|encounter\w*|come\s+across|get\s+to\s+know|read\s+(?:of|about))"
     rf"\s+{_PERSON}(?:\s+(?:first|for\s+the\s+first\s+time|before))?{_ENDS}"), _about(Kind.FIRST)),
    ((rf"{_BEGINS}(?:where|when|on\s+(?:what|which)\s+page)\s+(?:is|was|does|did|do)\s+{_PERSON}\s+(?:first\s+)?"
     rf"(?:mentioned|introduced|appear\w*|(?:show|turn)\s+up|come\s+(?:in|up)|named)"
     rf"(?:\s+first|\s+for\s+the\s+first\s+time)?{_ENDS}"),
     _about(Kind.FIRST)),
    (rf"\bfirst\s+(?:mention|appearance|meeting|time\s+{_WE}\s+(?:meet|met|see|saw))\s+(?:of\s+|with\s+)?{_PERSON}{_ENDS}",
     _about(Kind.FIRST)),
    (rf"{_BEGINS}what\s+(?:does|do|did)\s+(?:the\s+word\s+|the\s+expression\s+)?{_PERSON}\s+mean(?:\s+(?:in|on)\b.*)?{_ENDS}",
     _about(Kind.MEANING)),
    (rf"{_BEGINS}(?:what(?:'s|\s+is)\s+)?(?:the\s+)?meaning\s+of\s+(?:the\s+word\s+)?{_PERSON}{_ENDS}",
     _about(Kind.MEANING)),
    (rf"{_BEGINS}what(?:'s|s|\s+is|\s+are)\s+an?\s+(?P<subject>(?-i:[a-z]+(?:[ -][a-z]+)?)){_ENDS}",
     _about(Kind.MEANING)),
    ((rf"{_BEGINS}what\s+(?:an?\s+)?(?P<subject>(?!th(?:is|at|ey|ese|ose)\b|happen)(?-i:[a-z]{{4,}}))"
     rf"\s+(?:is|are|means|meant){_ENDS}"), _about(Kind.MEANING)),
    (rf"{_BEGINS}what(?:'s|\s+is)\s+meant\s+by\s+(?:the\s+word\s+)?{_PERSON}{_ENDS}", _about(Kind.MEANING)),
    (rf"{_BEGINS}who{_IS}\s+{_PERSON}{_ENDS}", _about(Kind.WHO)),
    (rf"{_BEGINS}which\s+(?:one|man|woman|guy|character|person){_IS}\s+(?P<subject>(?-i:[A-Z])[^,;:?!]*?){_ENDS}",
     _about(Kind.WHO)),
    (rf"{_BEGINS}who\s+{_PERSON}\s+(?:is|was|are|were){_ENDS}", _about(Kind.WHO)),
    (rf"{_BEGINS}what{_IS}\s+{_PERSON}\s+like{_ENDS}", _about(Kind.WHO)),
    (rf"{_BEGINS}what\s+(?:do|did)\s+{_WE}\s+know\s+(?:about|of)\s+{_PERSON}{_ENDS}", _about(Kind.WHO)),
    (rf"{_LEADS_IN}(?:please\s+)?(?:tell|remind)\s+(?:me|us)\s+(?:a\s+bit\s+|more\s+|again\s+)*(?:about|of)\s+{_PERSON}{_ENDS}",
     _about(Kind.WHO)),
    ((rf"{_LEADS_IN}(?:(?:remind|tell)\s+(?:me|us)\s+)?"
      rf"(?P<subject>(?-i:(?:(?:Mrs?|Ms|Dr)\. )?[A-Z][\w'’]+(?: [A-Z][\w'’]+){{0,2}})){_ENDS}"),
     _about(Kind.NAME)),
)  # fmt: skip
_RULES = [(re.compile(pattern, re.IGNORECASE), made) for pattern, made in _WORDS]
