"""Recognises a line that heads a chapter, part, letter or preface; called where headings and paragraphs are found."""

import re
from dataclasses import dataclass

_CHAPTERS = ("chapter", "chap.", "letter", "stave", "canto", "act", "scene", "section", "adventure", "episode")
_UPPER = ("book", "part", "volume", "vol.")
_NAMED = (
    "prologue", "epilogue", "preface", "foreword", "introduction", "afterword", "interlude", "prelude", "conclusion",
    "postscript", "introductory", "author’s note", "author's note",
)  # fmt: skip
_ONES = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FIRSTS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
)
_TENTHS = ("twentieth", "thirtieth", "fortieth", "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth")
_VALUES = {
    **{word: value for words in (_ONES, _FIRSTS) for value, word in enumerate(words, 1)},
    **{word: 10 * value for words in (_TENS, _TENTHS) for value, word in enumerate(words, 2)},
    "last": 0,
}
_WORDS = "|".join(sorted((word for word in _VALUES if word != "last"), key=len, reverse=True))
_ROMAN = r"(?=[mdclxvi])m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})"
_NUMBER = rf"(?:\d{{1,4}}|{_ROMAN}|(?:the\s+)?(?:(?:{_WORDS})(?:[\s-](?:{_WORDS}))?|last))"
_KINDS = "|".join(re.escape(kind) for kind in (*_CHAPTERS, *_UPPER))
_NUMBERED = re.compile(
    rf"[\[_*]*(?P<kind>{_KINDS})\s+(?:no\.\s*)?(?P<number>{_NUMBER})(?![\w'’])[\]_*]*"
    r"(?P<divider>\s*[.:,;\])—–-]+\s*|\s+|$)(?P<rest>.*)",
    re.IGNORECASE,
)
_BY_NAME = re.compile(
    rf"[\[_*]*(?P<kind>{'|'.join(map(re.escape, _NAMED))})[\]_*]*(?P<divider>\s*[.:—–-]+\s*|$)(?P<rest>.*)",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"[\[(_*-]*\s*(?P<number>\d{{1,3}}|{_ROMAN})\s*[\])_*.:-]*", re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_LONGEST_LINE = 200
_LONGEST_TITLE_WORDS = 25
_LEADERS = re.compile(r"\.{4,}|(?:\s\.){3,}|…{2,}")
_SMALL_LETTERS = 3
_SENTENCE_END = re.compile(r"[.!?,;]$")
_SENTENCES_IN_TITLE = re.compile(r"[a-z]{3,}[.!?]\s+[A-Z“\"]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a heading line says: its kind, its number (0 if it has none), and whether a title follows on the line."""

    kind: str
    number: int
    bare: bool

    @property
    def upper(self) -> bool:
        """Parts, books and volumes hold chapters."""
        return self.kind in _UPPER

    @property
    def numbered(self) -> bool:
        """Chapters and their like, as opposed to a prologue or preface."""
        return self.kind in _CHAPTERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A paragraph that may head a chapter; `upper` ones (parts, books) hold chapters."""

    index: int
    text: str
    mark: Mark | None = None
    upper: bool = False
    words_after: int = 0


def mark_of(line: str) -> Mark | None:
    """Return what a line says as a heading, or None where it is ordinary text."""
    if len(line) > _LONGEST_LINE or "\n" in line or _SENTENCES_IN_TITLE.search(line):
        return None
    match = _NUMBERED.fullmatch(line)
    number = _value(match["number"]) if match else 0
    match = match or _BY_NAME.fullmatch(line)
    if not match or not match["kind"][0].isupper():
        return None
    rest = match["rest"].strip()
    if rest and not _can_follow(rest, divided=bool(match["divider"].strip(" \t"))):
        return None
    if match["divider"].strip() in {",", ";"}:
        return None
    return Mark(kind=match["kind"].lower(), number=number, bare=not rest)


def lone_number(line: str) -> int | None:
    """Return the number that stands alone on a line, in digits or Roman, or None."""
    if len(line) > 16:  # noqa: PLR2004 - no numeral below a thousand is longer
        return None
    match = _ALONE.fullmatch(line)
    if not match or not (match["number"].isdigit() or match["number"].isupper()):
        return None
    return _value(match["number"])


def looks_like_title(text: str) -> bool:
    """Tell whether a line is written as titles are: no sentence end, every longer word with a capital."""
    if _SENTENCE_END.search(text.rstrip("”’\"'")) and not text.isupper() and not text.endswith(("?", "!")):
        return False
    words = [word for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", text) if len(word) > _SMALL_LETTERS]
    first = re.search(r"[^\W_]", text)
    return bool(first and not first.group().islower() and all(word[0].isupper() for word in words))


def _can_follow(rest: str, *, divided: bool) -> bool:
    if len(rest.split()) > _LONGEST_TITLE_WORDS:
        return False
    if _LEADERS.search(rest) or looks_like_title(rest.rstrip(".")):
        return True
    # `Chapter 12. In which nothing happens` is a heading; `Part one was over.` is not.
    first = re.search(r"[^\W_]", rest)
    return divided and bool(first) and not (first and first.group().islower()) and not _SENTENCE_END.search(rest)


def _value(number: str) -> int:
    text = number.lower().removeprefix("the").strip()
    if text.isdigit():
        return int(text)
    words = re.split(r"[\s-]", text)
    if all(word in _VALUES for word in words):
        return sum(_VALUES[word] for word in words)
    total = 0
    for letter, following in zip(text, [*text[1:], ""], strict=False):
        value = _ROMAN_VALUES[letter]
        total += -value if following and value < _ROMAN_VALUES[following] else value
    return total
