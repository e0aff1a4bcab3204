"""The rules that tell a question's kind by how it is worded, and the chapter that it names."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from core.domain.folding import CAPITAL
from core.domain.numbers import read_number
from core.domain.patterns import late_pattern
from core.language.words import FUNCTION_WORDS
from core.understanding.asked import Asked, Kind
from core.understanding.loose_kinds import asks_what_is_told
from core.understanding.words_of_asking import BEGINS, BOOK, ENDS, LEADS_IN, WE

_MOST_WORDS: Final = 6
_PLACES: Final = frozenset({"on", "in", "at", "of", "under", "above", "from", "beside", "behind", "over"})
_NOT_PEOPLE: Final = frozenset({"plot", "story", "book", "novel", "chapter", "beginning", "end", "ending"})
_HANGING: Final = frozenset({"with", "for", "to", "about", "by", "of", "from"})
"""What stands last where somebody else is asked for: "who was Hallam with"."""
_NOBODY: Final = frozenset(
    {"you", "i", "we", "there", "who", "what", "everyone", "everybody", "anyone", "somebody", "all"}
)

_CHAPTER = r"(?:chapter|ch\.?|chap\.?)"
CALLED: Final = "letter|stave|canto|fit|episode|scene|section|tale|adventure"
"""What books call their chapters besides."""
_HAPPENED = r"(?:happen\w*|goes\s+on|went\s+on|going\s+on|took\s+place|was\s+told|is\s+told|about)"


def by_rule(text: str) -> Asked | None:
    """Return what the first rule that a question fits says that it is."""
    words = text.translate(_OTHER_FORMS).lower()
    for needed, pattern, made in _RULES:
        match = pattern.search(text) if any(word in words for word in needed) else None
        found = made(match) if match else None
        if found is not None:
            return found
    return None


def chapter_in(text: str) -> tuple[Asked | None, str]:
    """Return the chapter that a question names, mostly by its number, and what it says besides."""
    for pattern in (_A_CHAPTER, _COUNTED_CHAPTER, _IN_A_NUMBER):
        for match in pattern.finditer(text):
            chapter = _of_chapter(match)
            if chapter is not None:
                return chapter, f"{text[: match.start()]} {text[match.end() :]}"
    named = _NAMED_CHAPTER.search(text)
    if named:
        return Asked(kind=Kind.CHAPTER, called=named[0].casefold()), f"{text[: named.start()]} {text[named.end() :]}"
    return None, text


def chapter_called(text: str) -> Asked | None:
    """Return the chapter in which it is asked what happens, with what stands behind its number: it may be its title."""
    for match in _A_CHAPTER.finditer(text):
        chapter = _of_chapter(match)
        if chapter and asks_what_is_told(text[: match.start()]):
            return replace(chapter, subject=text[match.end() :].strip())
    return None


_AND_MORE: Final = late_pattern(
    r"\s(?:(?:again|pls|plz|please|sorry|btw|thanks|anyway)\b|and\s+(?:what(?:'s|s|\s+is|\s+was)\s+(?:s?he|it)\s+like|what\s+(?:does|did)\s+s?he\s+do|where\s+did\s+we\s+meet\s+(?:him|her))\b).*$",
    re.IGNORECASE,
)
"""Behind a word of politeness nothing is asked any more, and what somebody is like is part of who they are."""
_SUPPOSED: Final = late_pattern(r"\s+(?:supposed|meant)\s+to\s+be\b.*$", re.IGNORECASE)
THING_FOUND: Final = late_pattern(
    r"^(?!.*\bfirst\b).*\b(?:the|an?)\s+(?-i:[a-z])\w*\s+(?:turn|show|pop)(?:s|ed|ped)?\s+up\b", re.IGNORECASE
)
"""Where a thing turned up asks for what happened, not for the page that names it first."""
_A_CERTAIN: Final = late_pattern(
    r"^(?:this|that|the)\s+(.+?)\s+(?:guy|fella|dude|person|character|chap|bloke|kid|fellow)$", re.IGNORECASE
)


def _about(kind: Kind) -> Callable[[re.Match[str]], Asked | None]:
    def made(match: re.Match[str]) -> Asked | None:
        subject = bare(_AND_MORE.sub("", match["subject"]).strip(" ,.?!\"“”'‘"))
        if not subject or len(subject.split()) > _MOST_WORDS or subject.casefold() in _NOBODY:
            return None
        if kind is Kind.WHO and subject.split()[-1].casefold() in _NOT_PEOPLE | _HANGING:
            return None
        if kind is Kind.WHO and _A_CHAPTER.search(subject):
            return None
        if kind is Kind.FIRST and THING_FOUND.search(match.string):
            return None
        if kind is Kind.MEANING and subject.split()[0].casefold() in _PLACES:
            return None  # "the word on the wall": which word that is, has to be searched
        return Asked(kind=kind, subject=subject)

    return made


def name_alone(text: str) -> Asked | None:
    """Return whom a few words ask about that may be a name in small letters and nothing else: "will stutely again?"."""
    match = _A_NAME_ALONE.match(text)
    is_name = match is not None and not _NOT_IN_NAMES.intersection(match["subject"].casefold().split())
    return Asked(kind=Kind.NAME, subject=match["subject"]) if match and is_name else None


_NOT_IN_NAMES: Final = FUNCTION_WORDS - {"a", "of", "the", "will"}
_A_NAME_ALONE: Final = late_pattern(
    r"^\W*(?P<subject>[^\W\d_]+(?:\s+[^\W\d_]+){0,2}?)(?:\s+again)?\s*\?\W*$", re.IGNORECASE
)


def bare(subject: str) -> str:
    """Return whom somebody is asked about as: "this Stangerson guy supposed to be" is Stangerson."""
    return _BEFORE_NAME.sub("", _A_CERTAIN.sub(r"\1", _SUPPOSED.sub("", subject)))


_BEFORE_NAME: Final = late_pattern(
    r"^(?:(?:do\s+you\s+|does\s+anyone\s+)?remember\s+|(?:i\s+)?can'?t\s+(?:place|remember|recall)\s+|(?:this|that)\s+(?=\w+$))",
    re.IGNORECASE,
)


def _of_chapter(match: re.Match[str]) -> Asked | None:
    number = read_number(match["number"])
    called = match.groupdict().get("called") or ""
    return None if number is None else Asked(kind=Kind.CHAPTER, chapter=number, called=called.casefold())


def _just(kind: Kind) -> Callable[[re.Match[str]], Asked | None]:
    return lambda _match: Asked(kind=kind)


_MEANT = r"(?:\s+supposed\s+to\s+be)?"
_IS = r"(?:'s|s|\s+is|\s+was|\s+are|\s+were)"
_NO_WORD_ASKED = (
    r"(?:happen|going|next|left|wrong|this|that|these|those|missing|important|really|ahead|coming|known"
    r"|here|there|everyone|being)"
)
_PERSON = r"(?P<subject>[^,;:?!]+?)"
_NUMBER = r"(?P<number>\d{1,3}|[ivxl]{1,7}|[a-z]+(?:-[a-z]+)?)"
_IN = r"(?:in|on|at)"
_A_CHAPTER = late_pattern(
    rf"\b(?:{_CHAPTER}|(?P<called>{CALLED}))(?:\s+(?:(?:no|nr|number)\b\.?\s*|\#)?|(?=\d)){_NUMBER}(?![\w-])",
    re.IGNORECASE,
)
_NAMED_CHAPTER = late_pattern(r"\b(?:prologue|epilogue|preface|foreword)\b", re.IGNORECASE)
_COUNTED_CHAPTER = late_pattern(
    rf"(?:\bthe\s+)?\b(?P<number>\d{{1,3}}(?:st|nd|rd|th)|[a-z]{{4,}}(?:-[a-z]+)?)\s+(?:{_CHAPTER}|(?P<called>{CALLED}))\b",
    re.IGNORECASE,
)
_IN_A_NUMBER = late_pattern(r"\bin\s+(?P<number>\d{1,2}|[ivxl]{1,7})(?=\W*$)", re.IGNORECASE)
_PEOPLE = (
    r"(?:(?:the|all|main|important|other|these|those|of)\s+)*"
    r"(?:characters?|people|persons?|names|cast|everyone|everybody)"
)
_SO_FAR = r"(?:\s+(?:in|of|from)\s+(?:it|this|the|here)(?:\s+(?:book|story|novel|cast))?)?(?:\s+(?:until|till)\s+now)?"
_OTHER_FORMS: Final = str.maketrans("İıſ", "iis")
"""What patterns take for an i or an s as well, where case makes no difference, and `lower` does not."""
# Of the words that stand first, one is in every question that the rule fits: without it there is nothing to look for.
_WORDS: Iterable[tuple[str, str, Callable[[re.Match[str]], Asked | None]]] = (
    ("what",
     (rf"{BEGINS}what(?:'s|s|\s+is|\s+has)?\s+(?:all\s+|been\s+)*(?:going\s+on|happen\w*|gone\s+on|went\s+on)\s+"
     rf"(?:in\s+{BOOK}\s+)?(?:so\s+far|thus\s+far|(?:up\s+)?(?:to|till|until)\s+(?:now|here|this\s+point)|to\s+date){ENDS}"),
     _just(Kind.RECAP)),
    ("who character people person name cast every",
     (rf"{BEGINS}(?:(?:who(?:\s+all)?|which\s+{_PEOPLE}|what\s+{_PEOPLE})(?:'s|s|\s+has|\s+have|\s+had|\s+did|\s+do|\s+is|\s+are)?"
     rf"(?:\s+(?:{WE}|there|all|everyone|everybody))*(?:\s+(?:ever|already|been))*\s+(?:met|meet|seen|see|come\s+up|came\s+up"
     rf"|come\s+across|appear\w*|introduced|mentioned|named|(?:shown|turned)\s+up|in\s+(?:it|this|the\s+(?:book|story|novel))"
     r"|know|known|got)"
     rf"|(?:(?:a|the)\s+)?(?:list\s+(?:of\s+)?|who(?:'s|s|\s+is|\s+are|\s+were)\s+|of\s+|about\s+|name\s+)?{_PEOPLE}"
     rf"(?:\s+list)?(?:\s+(?:are|we(?:'ve|\s+have)?(?:\s+met)?|again))*"
     rf"|who(?:'s|s|\s+is|\s+are)\s+who){_SO_FAR}{ENDS}"), _just(Kind.CAST)),
    ("chapter",
     (r"\bhow\s+(?:far|long|many\s+(?:more\s+)?pages?|much)\b.*\b(?:end|rest|left|finish|remain\w*|until|till|to\s+go)\b"
     r".*\bchapter\b|\bhow\s+far\s+(?:am|are|were|have)\s+(?:i|we)\b.*\b(?:in|into|through)\s+(?:the|this)\s+chapter\b|\bhow\s+(?:far|long|many\s+(?:more\s+)?pages?|much)\b.*\bchapter\b.*\b(?:left|remain\w*|to\s+go|end|go)\b"
     r"|\b(?:when|where)\s+does\s+(?:this|the)\s+chapter\s+end\b"
     rf"|{BEGINS}how\s+(?:much\s+|many\s+pages\s+)?long(?:er)?\s+(?:is|does|will)\s+(?:this|the)\s+chapter\b(?!.*\bwas\b)"),
     _just(Kind.HOW_FAR)),
    ("ch",
     (rf"{BEGINS}(?:what\s+)?(?:{_HAPPENED}\s+)?.*\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up|catch\s+{WE}\s+up)\b.*"
     rf"\b{_CHAPTER}\s*{_NUMBER}{ENDS}"), _of_chapter),
    ("ch", rf"{BEGINS}what{_IS}\s+(?:{_IN}\s+)?{_CHAPTER}\s*{_NUMBER}(?:\s+(?:all\s+)?about)?{ENDS}", _of_chapter),
    ("ch", rf"{BEGINS}what\s+(?:happened\s+in\s+)?{_CHAPTER}\s*{_NUMBER}{_IS}\s+(?:all\s+)?about{ENDS}", _of_chapter),
    ("ch", rf"^\W*{_CHAPTER}\s*{_NUMBER}\s*(?:,|:)?\s*(?:recap|summary|please)?\W*$", _of_chapter),
    ("chapter",
     (rf"\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up)\b.*\b(?:last|previous)\s+chapter\b|^\W*(?:the\s+)?(?:last|previous)\s+"
     rf"chapter(?:\s+(?:recap|summary))?{ENDS}"
     rf"|{BEGINS}what(?:{_IS}|\s+happened\s+in)?\s+the\s+(?:last|previous)\s+chapter(?:{_IS})?(?:\s+(?:all\s+)?about)?{ENDS}"),
     _just(Kind.LAST_CHAPTER)),
    ("chapter", (rf"\b(?:{_HAPPENED}|recap|summar\w+|sum\s+up)\b.*\b(?:this|the\s+current)\s+chapter\b"
     rf"|{BEGINS}what(?:{_IS})?\s+(?:this|the\s+current)\s+chapter(?:{_IS})?\s+(?:all\s+)?about{ENDS}"),
     _just(Kind.THIS_CHAPTER)),
    ("what",
     (rf"{BEGINS}what(?:(?:'s|\s+has|\s+had|\s+is|\s+was|\s+did)?\s+(?:{WE}\s+)?just\s+(?:\w+\s+)?(?:happen\w*|read|going\s+on|went\s+on|now)"
     r"|(?:\s+(?:has\s+)?happen\w*\s+(?:just\s+now|last|right\s+now|here|on\s+(?:the\s+last|this)\s+(?:few\s+|two\s+)?pages?)"
     rf"|\s+did\s+{WE}\s+(?:just|last)\s+read|\s+(?:did|have)\s+{WE}\s+read\s+last(?:\s+time)?"
     r"|(?:'s|s|\s+is|\s+has)\s+(?:been\s+)?(?:going\s+on|happening)(?:\s+(?:lately|recently|of\s+late|(?:right\s+)?now|at\s+the\s+moment|here))?"
     rf"|\s+(?:has\s+)?happen\w*\s+(?:lately|recently|of\s+late)){ENDS})"),
     _just(Kind.JUST_NOW)),
    ("where what which",
     (rf"{BEGINS}(?:(?:where(?:'?s)?|at\s+(?:what|which)\s+(?:page|point))\s+(?:did|do|are|were|was|have|had|am)?\s*{WE}\s*(?:\w+\s+)?"
     rf"(?:stop\w*|le(?:ft|ave)(?:\s+off)?|were|are|am|was|get\s+to|got\s+to|been|now|at|last\s+time|in\s+the\s+(?:book|story))?{ENDS}"
     rf"|(?:what|which)\s+(?:page|chapter)\s+(?:are|were|am|did)\s+{WE}\b)"), _just(Kind.STOPPED)),
    ("recap sum catch what story plot tl speed date fill memor wrap",
     (rf"{BEGINS}(?:(?:(?:quick|short|brief)\s+)?recap\b|what\s+(?:did|have|has)\s+{WE}\s+miss(?:ed)?\b|(?:"
     rf"(?:(?:a|the|quick|short|little|brief|full)\s+)*(?:recap|summary|summar[iy][sz]e|sum\s+up|catch\s+{WE}\s+up)"
     r"(?:\s+(?:of\s+)?(?:it|this|us|me|what\s+happened|the\s+(?:story|book|plot)))?|what(?:"
     rf"(?:'s|\s+is)\s+{BOOK}\s+about|(?:'s|\s+has|\s+have)?\s+(?:all\s+)?(?:has\s+)?happen\w*"
     r"(?:\s+(?:so\s+far|until\s+now|up\s+to\s+now|before|in\s+the\s+(?:book|story)))?"
     rf"|\s+do\s+{WE}\s+need\s+to\s+(?:know|remember))|(?:sum|wrap)\s+(?:it|this|everything|the\s+(?:book|story))\s+up){ENDS})"
     rf"|\b(?:story|plot)\s+so\s+far\b|\bcatch\s+{WE}\s+up\b|^\W*tl\W?dr\b(?!.*\bch)"
     rf"|\b(?:bring|get)\s+{WE}\s+(?:back\s+)?up\s+to\s+(?:speed|date)\b"
     rf"|\b(?:fill\s+{WE}\s+in|refresh\s+(?:my|our)\s+memor(?:y|ies)){ENDS}"), _just(Kind.RECAP)),
    ("where when how page",
     (rf"{BEGINS}(?:where|when|how|on\s+(?:what|which)\s+page)\s+(?:did|do|have|had)\s+{WE}\s+(?:first\s+|ever\s+)?"
     rf"(?:meet|met|see|saw|hear\s+(?:of|about)|heard\s+(?:of|about)|encounter\w*|come\s+across|get\s+to\s+know|read\s+(?:of|about))"
     rf"\s+{_PERSON}(?:\s+(?:first|for\s+the\s+first\s+time|before))?{ENDS}"), _about(Kind.FIRST)),
    ("where when page",
     (rf"{BEGINS}(?:where|when|on\s+(?:what|which)\s+page)\s+(?:is|was|does|did|do)\s+{_PERSON}\s+(?:first\s+)?"
     rf"(?:mentioned|introduced|appear\w*|(?:show|turn)\s+up|come\s+(?:in|up)|named)"
     rf"(?:\s+first|\s+for\s+the\s+first\s+time)?{ENDS}"),
     _about(Kind.FIRST)),
    ("first",
     (rf"\bfirst\s+time\s+(?:that\s+)?{_PERSON}\s+(?:shows?\s+up|appears?|comes?\s+(?:in|up)|turns?\s+up|(?:is|gets)\s+(?:mentioned"
     rf"|introduced|named)){ENDS}"), _about(Kind.FIRST)),
    ("first",
     rf"\bfirst\s+(?:mention|appearance|meeting|time\s+{WE}\s+(?:meet|met|see|saw))\s+(?:of\s+|with\s+)?{_PERSON}{ENDS}",
     _about(Kind.FIRST)),
    ("mean",
     rf"{BEGINS}what\s+(?:does|do|did)\s+(?:the\s+word\s+|the\s+expression\s+)?{_PERSON}\s+mean(?:\s+(?:in|on)\b.*)?{ENDS}",
     _about(Kind.MEANING)),
    ("mean",
     (rf"{BEGINS}what(?:'s|s|\s+is|\s+are|\s+was|\s+does|\s+do)?\s+(?:the\s+(?:word\s+)?|an?\s+)?(?P<subject>(?!happen)[\"'‘“]?[^\W\d_]+(?:-\w+)?[\"'’”]?)\s+"
     rf"(?:supposed\s+to\s+|meant\s+to\s+)?mean{ENDS}"), _about(Kind.MEANING)),
    ("define explain",
     rf"{BEGINS}(?:define|explain)\s+(?:the\s+(?:word|expression)\s+)?(?P<subject>(?!what|why|how|who)[^\s,;:?!]+)(?:\s+as\b.*)?{ENDS}",
     _about(Kind.MEANING)),
    ("meaning", rf"{BEGINS}(?:what(?:'s|\s+is)\s+)?(?:the\s+)?meaning\s+of\s+(?:the\s+word\s+)?{_PERSON}{ENDS}",
     _about(Kind.MEANING)),
    ("what", rf"{BEGINS}what(?:'s|s|\s+is|\s+are)\s+an?\s+(?P<subject>(?-i:[a-z]+(?:[ -][a-z]+)?)){_MEANT}{ENDS}",
     _about(Kind.MEANING)),
    ("what", rf"{BEGINS}what(?:'s|s|\s+is)\s+[\"'‘“]?(?P<subject>(?!{_NO_WORD_ASKED})(?-i:[a-z]{{4,}}))[\"'’”]?{ENDS}",
     _about(Kind.MEANING)),
    ("what", rf"{BEGINS}what\s+are\s+(?P<subject>(?!th(?:is|ese)\b)(?-i:[a-z]{{4,}}s)){ENDS}", _about(Kind.MEANING)),
    ("what", (rf"{BEGINS}what\s+(?:an?\s+)?(?P<subject>(?!th(?:is|at|ey|ese|ose)\b|happen)(?-i:[a-z]{{4,}}))"
     rf"\s+(?:is|are|means|meant){ENDS}"), _about(Kind.MEANING)),
    ("what", (rf"{LEADS_IN}(?:an?\s+|the\s+)?(?P<subject>(?-i:[a-z][a-z-]{{3,}}))\s+(?:is|are|means)\s+what\b"
      rf"(?:\W+like\b[^?]*)?{ENDS}"), _about(Kind.MEANING)),
    ("huh mean", (r"^\W*(?P<subject>(?-i:[a-z][a-z-]{4,}))\s*(?:\?+|[-–—:,=]+)\s.*"
      r"\b(?:huh|what\s+does\s+(?:that|it)\s+mean|meaning)\W*$"), _about(Kind.MEANING)),
    ("huh mean",
     r"^\s*[\"“'‘](?P<subject>[^\"“”'‘’]{3,40})[\"”'’]\s.*\b(?:huh|mean(?:ing|s)?)\W*$", _about(Kind.MEANING)),
    ("meant", rf"{BEGINS}what(?:'s|\s+is)\s+meant\s+by\s+(?:the\s+word\s+)?{_PERSON}{ENDS}", _about(Kind.MEANING)),
    ("who", rf"{BEGINS}who(?:{_IS}|\s+this)\s+{_PERSON}{ENDS}", _about(Kind.WHO)),
    ("who",
     (r"\b(?:forget|forgetting|idea|clue|know|remember|recall|sure|explain)\s+who\s+(?P<subject>(?:[^\W\d_]+\.?\s+){1,4}?)"
      r"(?:is|was)(?:\s+(?:anymore|any\s+more|yet|tbh|again|at\s+all|now|even|supposed\s+to\s+be))*\W*$"),
     _about(Kind.WHO)),
    ("what",
     rf"{BEGINS}what(?:'s|s|\s+is|\s+was)\s+{_PERSON}(?:'s|s)?\s+(?:deal|role|story\s+again){ENDS}", _about(Kind.NAME)),
    ("which",
     rf"{BEGINS}which\s+(?:one|man|woman|guy|character|person){_IS}\s+{_PERSON}\s+again\W*$", _about(Kind.WHO)),
    ("who",
     rf"^\W*(?P<subject>[^\s,;:?!.]+(?:\.?\s+[^\s,;:?!.]+){{0,2}}?)\s*[,;:?!-]+\s*who{_IS}\s+(?:s?he|that|this|it|they)\W*$",
     _about(Kind.WHO)),
    ("which",
     rf"{BEGINS}which\s+(?:one|man|woman|guy|character|person){_IS}\s+(?P<subject>(?-i:[{CAPITAL}])[^,;:?!]*?){ENDS}",
     _about(Kind.WHO)),
    ("who", rf"{BEGINS}who\s+{_PERSON}\s+(?:is|was|are|were){ENDS}", _about(Kind.WHO)),
    ("who",
     (r"^\W*(?P<subject>(?!(?:but|and|so|wait|sorry|ok|then|or|is|was|by|to|with|for|of|from|about|says?|said|that|the)\b)"
     r"[^\W\d_]+(?:\s+(?!is\b|was\b)[^\W\d_]+)?)(?:\s+(?:is|was))?\s+who\W*$"), _about(Kind.WHO)),
    ("like", rf"{BEGINS}what{_IS}\s+{_PERSON}\s+like{ENDS}", _about(Kind.WHO)),
    ("know", rf"{BEGINS}what\s+(?:do|did)\s+{WE}\s+know\s+(?:about|of)\s+{_PERSON}{ENDS}", _about(Kind.WHO)),
    ("tell remind",
     rf"{LEADS_IN}(?:please\s+)?(?:tell|remind)\s+(?:me|us)\s+(?:a\s+bit\s+|more\s+|again\s+)*(?:about|of)\s+{_PERSON}{ENDS}",
     _about(Kind.WHO)),
    ("=", r"^\W*(?P<subject>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s*=+\W*$", _about(Kind.NAME)),
    (".. …",
     r"^\W*(?:(?:and|so)\s+)?(?P<subject>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s+is\s*(?:\.{2,}|…)\W*", _about(Kind.NAME)),
    ("", (rf"{LEADS_IN}(?:(?:remind|tell)\s+(?:me|us)\s+)?"
      rf"(?P<subject>(?-i:(?:(?:Mrs?|Ms|Dr)\. )?[{CAPITAL}][\w'’]+(?: [{CAPITAL}][\w'’]+){{0,2}})){ENDS}"),
     _about(Kind.NAME)),
)  # fmt: skip
_RULES: Final = [(needed.split(" "), late_pattern(pattern, re.IGNORECASE), made) for needed, pattern, made in _WORDS]
