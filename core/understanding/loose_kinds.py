"""What kind of question it is that is made of words about reading alone, however they are put together.

"can i get a quick recap", "where'd we leave off", "who all is in this book": nothing in them can be looked for on a
page, so which of those words there are tells what is meant. A question with any other word is left to others.
"""

import re
from collections.abc import Callable, Set
from typing import Final

from core.language.words import FUNCTION_WORDS

_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 14


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RECAP: Final = _words(
    "recap summary summarise summarize summarised summarized sum catch speed refresh refresher tldr lost missed "
    "miss previously gist rundown overview synopsis outline"
)
_TOLD_SHORTLY: Final = _words("recap summary summarise summarize tldr gist rundown overview synopsis")
_PEOPLE: Final = _words("characters character people persons cast names everyone everybody")
_HAPPENS: Final = _words(
    "happen happened happens happening going goes went on about occurred say says said tells told events event "
    "cover covers covered occur occured occurs"
)
_LATELY: Final = _words("just now lately recently moment right rn")
_READ_LAST: Final = _words("last latest time yesterday")
_STOPPED: Final = _words(
    "stop stopped stopping leave leaving left paused bookmark finish finished pick continue resume"
)
_TO_GO: Final = _words(
    "left long longer close closer end ends ending finish finishes finishing finished over remain remains remaining "
    "rest until till more"
)
_NEARLY: Final = _words("done nearly almost halfway soon")
_THE_WHOLE: Final = _words("plot story everything version")
_BEFORE: Final = _words("last previous prior preceding before")
_HERE: Final = _words("this current present our")
_TO_COME: Final = _words("will shall next later gonna yet ahead coming after would should might could may")
_OTHERS: Final = _words(
    "book books novel plot tale chapter chapters ch chap page pages far up down off whole entire main important "
    "major key list name read reading quick quickly short shortly brief briefly little full bit again please pls "
    "sorry hey hi hello ok okay thanks thank thx lol start beginning get give got show tell remind need want like "
    "memory fill bring date point place exactly anyone anybody somebody someone guys all much many more know "
    "remember forgot met meet seen see in since currently today yesterday week weeks month night meeting session "
    "nutshell wait um so for me us we i you from here there come came appear appeared appears section story near "
    "close one real really fast ive im id gimme plz version everything things thing havent been away while ages "
    "back started starting two three four five few couple several days months happenings bits part parts wat "
    "where finished gone reached doing done nearly almost soon halfway into through still yourself explain till "
    "til go cant dont didnt couldnt total blank zoned asleep half meetings sessions joined late absent busy sick "
    "skipped fell behind caught previous good kind kindly nice lovely thus uh oh haven't along gotten lot lots"
)
_OF_SOMEBODY: Final = _words("he she him her his hers they them their theirs why whose whom not no nor but")
_BRIEF: Final = _words("short brief briefly quick quickly nutshell again")
_PARTS: Final = _words("end ends ending start beginning it is that those")
_FORGOTTEN: Final = _words("remind remember forgot forget")
_POINTED_AT: Final = _words("that those it")
_BEGINNINGS: Final = _words("start starts started begin begins began beginning opening")
_ENDINGS: Final = _words("end ends ended ending finish finishes finished close closes closed")
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
    return bool(words & (_HAPPENS | _RECAP | _BRIEF | _FORGOTTEN)) and words.isdisjoint(
        {"since", "from", "until", "till", "how", "when"}
    )


def end_asked_for(text: str) -> str:
    """Return which end of a chapter a question asks for, whose number is left out: `begins`, `ends`, empty for neither.

    "how did it end", "what happens at the beginning"; how far it is to the end is another question.
    """
    words = _of_reading(text)
    if not words or not words & (_HAPPENS | {"how", "what"}) or words & (_LENGTHS | {"since", "from", "until", "till"}):
        return ""
    if words & _BEGINNINGS:
        return "begins" if not words & _ENDINGS else ""
    return "ends" if words & _ENDINGS and not words & {"we", "i", "when"} else ""


_LENGTHS: Final = _words("far long many much page pages left remain remains remaining rest to till til")


_A_WHILE: Final = re.compile(r"\b\d{1,2}\s+(days|weeks|months|meetings|sessions)\b")


def _of_reading(text: str) -> Set[str]:
    """Return the words of a question that has none but those about reading; else nothing, as for what is to come."""
    plain = _A_WHILE.sub(r"\1", re.sub(r"['’](?:s|d|re|ve|m|ll)\b", " ", text.casefold()))
    plain = re.sub(r"\b(where|what|who|how|when)s\b", r"\1", plain)
    found = _WORD.findall(plain)
    is_kind = re.search(r"\b(?:would|could|can|will|should) (?:you|someone|somebody|anyone|i|we)\b", plain)
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
        "last chapter",
        lambda words: (
            _OF_CHAPTER(words)
            and bool(words & _BEFORE)
            and bool(words & (_ENDINGS | _BEGINNINGS))
            and "how" in words
            and not words & _LENGTHS
        ),
    ),
    (
        "how far",
        lambda words: (
            _OF_CHAPTER(words)
            and (_asks("how", "when")(words) or not _asks("what", "which", "who", "where")(words))
            and bool(words & (_TO_GO | _NEARLY))
        ),
    ),
    (
        "how far",
        lambda words: _OF_CHAPTER(words) and _asks("pages", "page")(words) and _asks("go", "left", "more")(words),
    ),
    ("how far", lambda words: _OF_CHAPTER(words) and _asks("pages")(words) and _asks("go", "left", "more")(words)),
    (
        "how far",
        lambda words: (
            _OF_CHAPTER(words)
            and bool(words & {"left", "remains", "remaining"})
            and words.isdisjoint(_HAPPENS | {"off", "where"})
            and not _READERS(words)
        ),
    ),
    ("last chapter", lambda words: _OF_CHAPTER(words) and bool(words & _BEFORE) and not _WHERE(words)),
    (
        "last chapter",
        lambda words: _OF_CHAPTER(words) and "just" in words and bool(words & {"finished", "read", "done"}),
    ),
    (
        "recap",
        lambda words: (
            "what" in words
            and bool(words & (_HAPPENS | {"read"}))
            and bool(words & {"until", "till", "til", "far"})
            and not (_OF_CHAPTER(words) or _WHERE(words))
        ),
    ),
    (
        "this chapter",
        lambda words: _OF_CHAPTER(words) and bool(words & _HERE) and bool(words & (_HAPPENS | _RECAP)),
    ),
    ("recap", lambda words: bool(words & _RECAP) and not _WHERE(words) and not _OF_CHAPTER(words)),
    ("recap", lambda words: bool(words & _TOLD_SHORTLY) and _READERS(words) and not _OF_CHAPTER(words)),
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
    (
        "stopped",
        lambda words: (
            "where" in words
            and _READERS(words)
            and bool(words & (_READ_LAST | {"week", "session"}))
            and "first" not in words
        ),
    ),
    (
        "stopped",
        lambda words: (
            {"far", "how"} <= words
            and _READERS(words)
            and _asks("in", "into", "through", "along", "read", "get", "got", "gotten", "come")(words)
            and not words & {"until", "till"}
        ),
    ),
    (
        "stopped",
        lambda words: "where" in words and _READERS(words) and _asks("get", "got", "gotten")(words) and "to" in words,
    ),
    (
        "stopped",
        lambda words: "where" in words and _READERS(words) and {"start", "reading"} <= words and not _OF_CHAPTER(words),
    ),
    ("stopped", lambda words: {"where", "story"} <= words and _asks("at", "now", "up")(words)),
    ("stopped", lambda words: _asks("my", "our")(words) and _asks("page", "bookmark", "place")(words)),
    ("stopped", lambda words: "where" in words and _READERS(words) and _asks("up", "at", "now", "far")(words)),
    (
        "just now",
        lambda words: (
            "last" in words and bool(words & (_HAPPENS | {"read"})) and _asks("thing", "things", "bit", "part")(words)
        ),
    ),
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
    ("recap", lambda words: bool(words & _THE_WHOLE) and not (_WHERE(words) or _OF_CHAPTER(words) or words & _PARTS)),
)
