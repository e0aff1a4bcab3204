"""What kind of question it is that is made of words about reading alone, however they are put together.

"can i get a quick recap", "where'd we leave off", "who all is in this book": nothing in them can be looked for on a
page, so which of those words there are tells what is meant. A question with any other word is left to others.
"""

import re
from collections.abc import Callable, Set
from typing import Final

from core.text.words import FUNCTION_WORDS

_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 14


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RECAP: Final = _words(
    "recap summary summarise summarize summarised summarized sum catch speed refresh refresher tldr lost missed miss"
    " previously"
)
_PEOPLE: Final = _words("characters character people persons cast names everyone everybody")
_HAPPENS: Final = _words("happen happened happens happening going goes went on about occurred say says said tells told")
_LATELY: Final = _words("just now lately recently moment right")
_READ_LAST: Final = _words("last latest time")
_STOPPED: Final = _words("stop stopped stopping leave leaving left paused bookmark")
_TO_GO: Final = _words(
    "left long longer end ends ending finish finishes finished over remain remains remaining rest until till more"
)
_BEFORE: Final = _words("last previous prior preceding before")
_HERE: Final = _words("this current present our")
_TO_COME: Final = _words("will shall next later gonna yet ahead coming after would should might could may")
_OTHERS: Final = _words(
    "book books novel plot tale chapter chapters ch chap page pages far up down off whole entire main important "
    "major key list name read reading quick quickly short shortly brief briefly little full bit again please "
    "pls sorry hey hi hello ok okay thanks thank thx lol start beginning get give got show tell remind need "
    "want like memory fill bring date point place exactly anyone anybody somebody someone guys all much many "
    "more know remember forgot met meet seen see in since currently today yesterday week weeks month night "
    "meeting session nutshell wait um so for me us we i you from here there come came appear appeared appears "
    "section story near close one real really fast"
)
_OF_SOMEBODY: Final = _words("he she him her his hers they them their theirs why whose whom not no nor but")
_BRIEF: Final = _words("short brief briefly quick quickly nutshell again")
_PARTS: Final = _words("end ends ending start beginning it is that those")
_POINTED_AT: Final = _words("that those it")
_KNOWN: Final = (
    (FUNCTION_WORDS - _OF_SOMEBODY)
    | _RECAP
    | _PEOPLE
    | _HAPPENS
    | _LATELY
    | _READ_LAST
    | _STOPPED
    | _TO_GO
    | _BEFORE
    | _HERE
    | _OTHERS
)


def kind_of_words(question: str) -> str | None:
    """Return the kind that a question's words make, by its name; None where it has a word of matter, or is unclear."""
    words = _of_reading(question)
    return next((kind for kind, fits in _RULES if fits(words)), None) if words else None


def asks_what_is_told(text: str) -> bool:
    """Whether what a question says beside the number of a chapter asks what that tells."""
    words = _of_reading(text)
    return bool(words & (_HAPPENS | _RECAP | _BRIEF)) and words.isdisjoint(
        {"since", "from", "until", "till", "how", "when"}
    )


def _of_reading(text: str) -> Set[str]:
    """Return the words of a question that has none but those about reading; else nothing, as for what is to come."""
    plain = re.sub(r"['’](?:s|d|re|ve|m|ll)\b", " ", text.casefold())
    plain = re.sub(r"\b(where|what|who|how)s\b", r"\1", plain)
    found = _WORD.findall(plain)
    is_kind = re.search(r"\b(?:would|could|can|will) (?:you|someone|somebody|anyone|i|we)\b", plain)
    is_ahead = (not _TO_COME.isdisjoint(found) and not is_kind) or "going to" in plain
    words = frozenset(found)
    return words if len(found) <= _MOST_WORDS and words <= _KNOWN and not is_ahead else frozenset()


def _asks(*kinds: str) -> Callable[[Set[str]], bool]:
    return lambda words: bool(words & frozenset(kinds))


_WHERE: Final = _asks("where", "when", "how", "why", "who")
_WHICH: Final = _asks("where", "which", "what")
_READERS: Final = _asks("we", "i", "us", "our", "my")
_OF_CHAPTER: Final = _asks("chapter", "chap", "ch")
_RULES: Final[tuple[tuple[str, Callable[[Set[str]], bool]], ...]] = (
    (
        "how far",
        lambda words: (
            _OF_CHAPTER(words)
            and (_asks("how", "when")(words) or not _asks("what", "which", "who", "where")(words))
            and bool(words & _TO_GO)
        ),
    ),
    ("last chapter", lambda words: _OF_CHAPTER(words) and bool(words & _BEFORE) and not _WHERE(words)),
    (
        "this chapter",
        lambda words: _OF_CHAPTER(words) and bool(words & _HERE) and bool(words & (_HAPPENS | _RECAP)),
    ),
    ("recap", lambda words: bool(words & _RECAP) and not _WHERE(words) and not _OF_CHAPTER(words)),
    (
        "cast",
        lambda words: bool(words & _PEOPLE) and ("who" in words or not _asks("where", "when", "how", "why")(words)),
    ),
    ("cast", lambda words: "who" in words and _asks("all", "met", "far", "book", "story")(words)),
    (
        "stopped",
        lambda words: _WHICH(words) and _asks("page", "chapter")(words) and not words & (_HAPPENS | _POINTED_AT),
    ),
    ("stopped", lambda words: _WHICH(words) and _READERS(words) and bool(words & _STOPPED)),
    ("stopped", lambda words: "where" in words and _READERS(words) and _asks("up", "at", "now", "far")(words)),
    (
        "just now",
        lambda words: (
            "what" in words
            and bool(words & (_HAPPENS | {"read"}))
            and bool(words & (_LATELY | _READ_LAST))
            and not words & _PARTS
        ),
    ),
    (
        "recap",
        lambda words: (
            "what" in words
            and _asks("happen", "happened", "happens")(words)
            and not words & _PARTS
            and not _OF_CHAPTER(words)
        ),
    ),
)
