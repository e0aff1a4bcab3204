"""Kinds of question that need no search, told by rules: each has an answer of its own in `core.finders.answers`."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from core.domain.numbers import read_number
from core.finders.framed_kinds import framed_kind
from core.finders.loose_kinds import asks_what_is_told, end_asked_for, kind_of_words
from core.finders.words_of_asking import as_spelled, without_asides

_WORDS_KEPT: Final = 1_000
"""Members ask in the same words again and again."""
_MOST_WORDS: Final = 6
_PRONOUNS: Final = frozenset({"he", "she", "him", "her", "they", "them", "it", "this", "that", "these", "those"})
_PLACES: Final = frozenset({"on", "in", "at", "of", "under", "above", "from", "beside", "behind", "over"})
_NOT_PEOPLE: Final = frozenset({"plot", "story", "book", "novel", "chapter", "beginning", "end", "ending"})
_HANGING: Final = frozenset({"with", "for", "to", "about", "by", "of", "from"})
"""What stands last where somebody else is asked for: "who was Hallam with"."""
_NOBODY: Final = frozenset(
    {"you", "i", "we", "there", "who", "what", "everyone", "everybody", "anyone", "somebody", "all"}
)

_LEADS_IN = (
    r"^\W*(?:(?:so|and|but|ok(?:ay)?|hey|hi|hello|wait|sorry|u[mh]+|oh|again|please|pls|now|well|thusfar)\b\W*)*"
)
_ASKS = (
    r"(?:(?:can|could|would|will)\s+(?:you|someone|somebody)\s+(?:(?:please|kindly|maybe)\s+)?)?"
    r"(?:(?:remind|tell|give|show)\s+(?:me|us)(?:\s+again)?\s+|do\s+you\s+know\s+"
    r"|(?:do(?:es)?\s+)?any(?:one|body|\s+of\s+you)\s+(?:here\s+)?(?:know|remember|recall)s?\s+|i(?:\s+have|'ve)?\s+forg[eo]t(?:ten)?\s+"
    r"|remember\s+|i\s+(?:can(?:'?t|not)|do\s?n'?t)\s+(?:remember|recall|know)\s+)?(?:please\s+)?"
)
_BEGINS = _LEADS_IN + _ASKS
_ENDS = (
    r"(?:[\s,]+(?:again|please|pls|anyway|then|so far|up to (?:now|here)|at this point|here|to us|by now|sorry|thanks"
    r"|thx|lol|for me|though|in (?:the|this|our) (?:book|story|novel)))*\W*$"
)
_WE = r"(?:we|i|you|us|me)"
_CHAPTER = r"(?:chapter|ch\.?|chap\.?)"
CALLED: Final = "letter|stave|canto|fit|episode|scene|section|tale|adventure"
"""What books call their chapters besides."""
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
    """A question of some kind: about whom or what, or about which chapter.

    `called` is what the chapter is called, where that is no chapter: a letter, a scene. `end` is `begins` or `ends`
    where one end of it is asked for.
    """

    kind: Kind
    subject: str = ""
    chapter: int | None = None
    called: str = ""
    end: str = ""


@lru_cache(maxsize=_WORDS_KEPT)
def asked(question: str, *, about: str = "") -> Asked | None:
    """Return what kind of question it is; None for one that needs a search.

    `about` is what was said before, which a pronoun may stand for somebody of.
    """
    text = without_asides(as_spelled(" ".join(question.replace("’", "'").split())))
    chapter, beside = _chapter_in(text)
    end = end_asked_for(beside) if chapter else ""
    if chapter and (end or asks_what_is_told(beside)):
        return replace(chapter, end=end)
    is_numbered = chapter is not None and chapter.chapter is not None
    found = _by_rule(text) or (None if is_numbered else _loosely(text) or _by_first_clause(text))
    return _with_subject(found, about) if found else None


def _by_first_clause(text: str) -> Asked | None:
    """Return what the first clause asks where what follows asks nothing: "what's an ulster, he puts one on"."""
    first, comma, rest = text.partition(",")
    if not comma or _ASKS_ON.search(rest):
        return None
    found = _by_rule(first)
    return found if found and found.kind is Kind.MEANING else None


def _by_rule(text: str) -> Asked | None:
    """Return what the first rule that a question fits says that it is."""
    for pattern, made in _RULES:
        match = pattern.search(text)
        found = made(match) if match else None
        if found is not None:
            return found
    return None


def _loosely(text: str) -> Asked | None:
    """Return what the words of a question say that it is, however they are put together."""
    kind = kind_of_words(text)
    if kind:
        return Asked(kind=Kind(kind), end=end_asked_for(text) if kind == Kind.LAST_CHAPTER else "")
    framed = None if _THING_FOUND.search(text) else framed_kind(text)
    return Asked(kind=Kind(framed.kind), subject=_bare(framed.subject)) if framed else None


def _chapter_in(text: str) -> tuple[Asked | None, str]:
    """Return the chapter that a question names, mostly by its number, and what it says besides."""
    for pattern in (_A_CHAPTER, _COUNTED_CHAPTER):
        for match in pattern.finditer(text):
            chapter = _of_chapter(match)
            if chapter is not None:
                return chapter, f"{text[: match.start()]} {text[match.end() :]}"
    named = _NAMED_CHAPTER.search(text)
    if named:
        return Asked(kind=Kind.CHAPTER, called=named[0].casefold()), f"{text[: named.start()]} {text[named.end() :]}"
    return None, text


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


_AND_MORE: Final = re.compile(r"\s(?:again|pls|plz|please|sorry|btw|thanks)\b.*$", re.IGNORECASE)
"""Behind a word of politeness nothing is asked any more."""
_SUPPOSED: Final = re.compile(r"\s+(?:supposed|meant)\s+to\s+be\b.*$", re.IGNORECASE)
_ASKS_ON: Final = re.compile(r"\b(?:who|what|where|when|why|how|which|whose|did|does|do|is|was)\b", re.IGNORECASE)
_THING_FOUND: Final = re.compile(
    r"^(?!.*\bfirst\b).*\b(?:the|an?)\s+(?-i:[a-z])\w*\s+(?:turn|show|pop)(?:s|ed|ped)?\s+up\b", re.IGNORECASE
)
"""Where a thing turned up asks for what happened, not for the page that names it first."""
_A_CERTAIN: Final = re.compile(
    r"^(?:this|that|the)\s+(.+?)\s+(?:guy|fella|dude|person|character|chap|bloke|kid|fellow)$", re.IGNORECASE
)


def _about(kind: Kind) -> Callable[[re.Match[str]], Asked | None]:
    def made(match: re.Match[str]) -> Asked | None:
        subject = _bare(_AND_MORE.sub("", match["subject"]).strip(" ,.?!\"“”'‘"))
        if not subject or len(subject.split()) > _MOST_WORDS or subject.casefold() in _NOBODY:
            return None
        if kind is Kind.WHO and subject.split()[-1].casefold() in _NOT_PEOPLE | _HANGING:
            return None
        if kind is Kind.FIRST and _THING_FOUND.search(match.string):
            return None
        if kind is Kind.MEANING and subject.split()[0].casefold() in _PLACES:
            return None  # "the word on the wall": which word that is, has to be searched
        return Asked(kind=kind, subject=subject)

    return made


def _bare(subject: str) -> str:
    """Return whom somebody is asked about as: "this Stangerson guy supposed to be" is Stangerson."""
    return _A_CERTAIN.sub(r"\1", _SUPPOSED.sub("", subject))


def _of_chapter(match: re.Match[str]) -> Asked | None:
    number = read_number(match["number"])
    called = match.groupdict().get("called") or ""
    return None if number is None else Asked(kind=Kind.CHAPTER, chapter=number, called=called.casefold())


def _just(kind: Kind) -> Callable[[re.Match[str]], Asked | None]:
    return lambda _match: Asked(kind=kind)


_IS = r"(?:'s|s|\s+is|\s+was|\s+are|\s+were)"
_PERSON = r"(?P<subject>[^,;:?!]+?)"
_NUMBER = r"(?P<number>\d{1,3}|[ivxl]{1,7}|[a-z]+(?:-[a-z]+)?)"
_IN = r"(?:in|on|at)"
_A_CHAPTER = re.compile(
    rf"\b(?:{_CHAPTER}|(?P<called>{CALLED}))(?:\s+(?:(?:no|nr|number)\b\.?\s*|\#)?|(?=\d)){_NUMBER}(?![\w-])",
    re.IGNORECASE,
)
_NAMED_CHAPTER = re.compile(r"\b(?:prologue|epilogue|preface|foreword)\b", re.IGNORECASE)
_COUNTED_CHAPTER = re.compile(
    rf"(?:\bthe\s+)?\b(?P<number>\d{{1,3}}(?:st|nd|rd|th)|[a-z]{{4,}}(?:-[a-z]+)?)\s+(?:{_CHAPTER}|(?P<called>{CALLED}))\b",
    re.IGNORECASE,
)
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
     r".*\bchapter\b|\bhow\s+far\s+(?:am|are|were|have)\s+(?:i|we)\b.*\b(?:in|into|through)\s+(?:the|this)\s+chapter\b|\bhow\s+(?:far|long|many\s+(?:more\s+)?pages?|much)\b.*\bchapter\b.*\b(?:left|remain\w*|to\s+go|end|go)\b"
     r"|\b(?:when|where)\s+does\s+(?:this|the)\s+chapter\s+end\b"
     rf"|{_BEGINS}how\s+(?:much\s+|many\s+pages\s+)?long(?:er)?\s+(?:is|does|will)\s+(?:this|the)\s+chapter\b(?!.*\bwas\b)"),
     _just(Kind.HOW_FAR)),
    ((rf"{_BEGINS}(?:what\s+)?(?:{_HAPPENED}\s+)?.*\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up|catch\s+{_WE}\s+up)\b.*"
     rf"\b{_CHAPTER}\s*{_NUMBER}{_ENDS}"), _of_chapter),
    (rf"{_BEGINS}what{_IS}\s+(?:{_IN}\s+)?{_CHAPTER}\s*{_NUMBER}(?:\s+(?:all\s+)?about)?{_ENDS}", _of_chapter),
    (rf"{_BEGINS}what\s+(?:happened\s+in\s+)?{_CHAPTER}\s*{_NUMBER}{_IS}\s+(?:all\s+)?about{_ENDS}", _of_chapter),
    (rf"^\W*{_CHAPTER}\s*{_NUMBER}\s*(?:,|:)?\s*(?:recap|summary|please)?\W*$", _of_chapter),
    ((rf"\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up)\b.*\b(?:last|previous)\s+chapter\b|^\W*(?:the\s+)?(?:last|previous)\s+"
     rf"chapter(?:\s+(?:recap|summary))?{_ENDS}"
     rf"|{_BEGINS}what(?:{_IS}|\s+happened\s+in)?\s+the\s+(?:last|previous)\s+chapter(?:{_IS})?(?:\s+(?:all\s+)?about)?{_ENDS}"),
     _just(Kind.LAST_CHAPTER)),
    ((rf"\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up)\b.*\b(?:this|the\s+current)\s+chapter\b"
     rf"|{_BEGINS}what(?:{_IS})?\s+(?:this|the\s+current)\s+chapter(?:{_IS})?\s+(?:all\s+)?about{_ENDS}"),
     _just(Kind.THIS_CHAPTER)),
    ((rf"{_BEGINS}what(?:'s|\s+has|\s+had|\s+is|\s+was|\s+did)?\s+(?:{_WE}\s+)?just\s+(?:\w+\s+)?(?:happen\w*|read|going\s+on|went\s+on|now)"
     rf"|{_BEGINS}what\s+(?:has\s+)?happen\w*\s+(?:just\s+now|last|right\s+now|here|on\s+(?:the\s+last|this)\s+(?:few\s+|two\s+)?pages?){_ENDS}"
     rf"|{_BEGINS}what\s+did\s+{_WE}\s+(?:just|last)\s+read{_ENDS}|{_BEGINS}what\s+(?:did|have)\s+{_WE}\s+read\s+last(?:\s+time)?{_ENDS}"
     rf"|{_BEGINS}what(?:'s|s|\s+is|\s+has)\s+(?:been\s+)?(?:going\s+on|happening)(?:\s+(?:lately|recently|of\s+late|(?:right\s+)?now|at\s+the\s+moment|here))?{_ENDS}"
     rf"|{_BEGINS}what\s+(?:has\s+)?happen\w*\s+(?:lately|recently|of\s+late){_ENDS}"),
     _just(Kind.JUST_NOW)),
    ((rf"{_BEGINS}(?:where(?:'?s)?|at\s+(?:what|which)\s+(?:page|point))\s+(?:did|do|are|were|was|have|had|am)?\s*{_WE}\s*(?:\w+\s+)?"
     rf"(?:stop\w*|le(?:ft|ave)(?:\s+off)?|get\s+to|got\s+to|been|now|at|last\s+time|in\s+the\s+(?:book|story))?{_ENDS}"
     rf"|{_BEGINS}(?:what|which)\s+(?:page|chapter)\s+(?:are|were|am|did)\s+{_WE}\b"), _just(Kind.STOPPED)),
    ((rf"{_BEGINS}(?:(?:a|the|quick|short|little|brief|full)\s+)*(?:recap|summary|summar[iy][sz]e|sum\s+up|catch\s+{_WE}\s+up)"
     rf"(?:\s+(?:of\s+)?(?:it|this|us|me|what\s+happened|the\s+(?:story|book|plot)))?{_ENDS}"
     rf"|{_BEGINS}what(?:'s|\s+is)\s+{_BOOK}\s+about{_ENDS}|{_BEGINS}(?:(?:quick|short|brief)\s+)?recap\b|\b(?:story|plot)\s+so\s+far\b|\bcatch\s+{_WE}\s+up\b"
     rf"|{_BEGINS}what(?:'s|\s+has|\s+have)?\s+(?:all\s+)?(?:has\s+)?happen\w*(?:\s+(?:so\s+far|until\s+now|up\s+to\s+now"
     rf"|before|in\s+the\s+(?:book|story)))?{_ENDS}|{_BEGINS}what\s+(?:did|have|has)\s+{_WE}\s+miss(?:ed)?\b|^\W*tl\W?dr\b"
     rf"|\b(?:bring|get)\s+{_WE}\s+(?:back\s+)?up\s+to\s+(?:speed|date)\b|\bfill\s+{_WE}\s+in{_ENDS}|\brefresh\s+(?:my|our)\s+memor(?:y|ies){_ENDS}"
     rf"|{_BEGINS}(?:sum|wrap)\s+(?:it|this|everything|the\s+(?:book|story))\s+up{_ENDS}"), _just(Kind.RECAP)),
    ((rf"{_BEGINS}(?:where|when|how|on\s+(?:what|which)\s+page)\s+(?:did|do|have|had)\s+{_WE}\s+(?:first\s+|ever\s+)?"
     rf"(?:meet|met|see|saw|hear\s+(?:of|about)|heard\s+(?:of|about)|encounter\w*|come\s+across|get\s+to\s+know|read\s+(?:of|about))"
     rf"\s+{_PERSON}(?:\s+(?:first|for\s+the\s+first\s+time|before))?{_ENDS}"), _about(Kind.FIRST)),
    ((rf"{_BEGINS}(?:where|when|on\s+(?:what|which)\s+page)\s+(?:is|was|does|did|do)\s+{_PERSON}\s+(?:first\s+)?"
     rf"(?:mentioned|introduced|appear\w*|(?:show|turn)\s+up|come\s+(?:in|up)|named)"
     rf"(?:\s+first|\s+for\s+the\s+first\s+time)?{_ENDS}"),
     _about(Kind.FIRST)),
    ((rf"\bfirst\s+time\s+(?:that\s+)?{_PERSON}\s+(?:shows?\s+up|appears?|comes?\s+(?:in|up)|turns?\s+up|(?:is|gets)\s+(?:mentioned"
     rf"|introduced|named)){_ENDS}"), _about(Kind.FIRST)),
    (rf"\bfirst\s+(?:mention|appearance|meeting|time\s+{_WE}\s+(?:meet|met|see|saw))\s+(?:of\s+|with\s+)?{_PERSON}{_ENDS}",
     _about(Kind.FIRST)),
    (rf"{_BEGINS}what\s+(?:does|do|did)\s+(?:the\s+word\s+|the\s+expression\s+)?{_PERSON}\s+mean(?:\s+(?:in|on)\b.*)?{_ENDS}",
     _about(Kind.MEANING)),
    ((rf"{_BEGINS}what(?:'s|s|\s+is|\s+are|\s+was)?\s+(?:the\s+word\s+)?(?P<subject>(?!happen)[\"'‘“]?[^\W\d_]+(?:-\w+)?[\"'’”]?)\s+"
     rf"(?:supposed\s+to\s+|meant\s+to\s+)?mean{_ENDS}"), _about(Kind.MEANING)),
    (rf"{_BEGINS}(?:define|explain)\s+(?:the\s+(?:word|expression)\s+)?(?P<subject>(?!what|why|how|who)[^\s,;:?!]+)(?:\s+as\b.*)?{_ENDS}",
     _about(Kind.MEANING)),
    (rf"{_BEGINS}(?:what(?:'s|\s+is)\s+)?(?:the\s+)?meaning\s+of\s+(?:the\s+word\s+)?{_PERSON}{_ENDS}",
     _about(Kind.MEANING)),
    (rf"{_BEGINS}what(?:'s|s|\s+is|\s+are)\s+an?\s+(?P<subject>(?-i:[a-z]+(?:[ -][a-z]+)?)){_ENDS}",
     _about(Kind.MEANING)),
    (rf"{_BEGINS}what\s+are\s+(?P<subject>(?!th(?:is|ese)\b)(?-i:[a-z]{{4,}}s)){_ENDS}", _about(Kind.MEANING)),
    ((rf"{_BEGINS}what\s+(?:an?\s+)?(?P<subject>(?!th(?:is|at|ey|ese|ose)\b|happen)(?-i:[a-z]{{4,}}))"
     rf"\s+(?:is|are|means|meant){_ENDS}"), _about(Kind.MEANING)),
    ((rf"{_LEADS_IN}(?:an?\s+|the\s+)?(?P<subject>(?-i:[a-z][a-z-]{{3,}}))\s+(?:is|are|means)\s+what\b"
      rf"(?:\W+like\b[^?]*)?{_ENDS}"), _about(Kind.MEANING)),
    ((r"^\W*(?P<subject>(?-i:[a-z][a-z-]{4,}))\s*(?:\?+|[-–—:,=]+)\s.*"
      r"\b(?:huh|what\s+does\s+(?:that|it)\s+mean|meaning)\W*$"), _about(Kind.MEANING)),
    (r"^\s*[\"“'‘](?P<subject>[^\"“”'‘’]{3,40})[\"”'’]\s.*\b(?:huh|mean(?:ing|s)?)\W*$", _about(Kind.MEANING)),
    (rf"{_BEGINS}what(?:'s|\s+is)\s+meant\s+by\s+(?:the\s+word\s+)?{_PERSON}{_ENDS}", _about(Kind.MEANING)),
    (rf"{_BEGINS}who{_IS}\s+{_PERSON}{_ENDS}", _about(Kind.WHO)),
    (rf"^\W*(?P<subject>[^,;:?!]+?)\s*[,;:?!-]+\s*who{_IS}\s+(?:s?he|that|this|it|they)\W*$", _about(Kind.WHO)),
    (rf"{_BEGINS}which\s+(?:one|man|woman|guy|character|person){_IS}\s+(?P<subject>(?-i:[A-Z])[^,;:?!]*?){_ENDS}",
     _about(Kind.WHO)),
    (rf"{_BEGINS}who\s+{_PERSON}\s+(?:is|was|are|were){_ENDS}", _about(Kind.WHO)),
    ((r"^\W*(?P<subject>(?!(?:but|and|so|wait|sorry|ok|then|or|is|was|by|to|with|for|of|from|about|says?|said|that|the)\b)"
     r"[^\W\d_]+(?:\s+[^\W\d_]+)?)\s+who\W*$"), _about(Kind.WHO)),
    (rf"{_BEGINS}what{_IS}\s+{_PERSON}\s+like{_ENDS}", _about(Kind.WHO)),
    (rf"{_BEGINS}what\s+(?:do|did)\s+{_WE}\s+know\s+(?:about|of)\s+{_PERSON}{_ENDS}", _about(Kind.WHO)),
    (rf"{_LEADS_IN}(?:please\s+)?(?:tell|remind)\s+(?:me|us)\s+(?:a\s+bit\s+|more\s+|again\s+)*(?:about|of)\s+{_PERSON}{_ENDS}",
     _about(Kind.WHO)),
    (r"^\W*(?P<subject>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s*=+\W*$", _about(Kind.NAME)),
    (r"^\W*(?:(?:and|so)\s+)?(?P<subject>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s+is\s*(?:\.{2,}|…)\W*", _about(Kind.NAME)),
    ((rf"{_LEADS_IN}(?:(?:remind|tell)\s+(?:me|us)\s+)?"
      rf"(?P<subject>(?-i:(?:(?:Mrs?|Ms|Dr)\. )?[A-Z][\w'’]+(?: [A-Z][\w'’]+){{0,2}})){_ENDS}"),
     _about(Kind.NAME)),
)  # fmt: skip
_RULES = [(re.compile(pattern, re.IGNORECASE), made) for pattern, made in _WORDS]
