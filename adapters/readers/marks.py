"""Recognises a line that heads a chapter, part, letter or preface; called by the search for headings and paragraphs."""

import re
from dataclasses import dataclass

from core.domain.numbers import leading_number, read_number

_CHAPTERS = (
    "chapter", "chap.", "letter", "stave", "canto", "fit", "act", "scene", "section", "adventure", "episode",
    "kapitel", "chapitre", "capítulo", "capÍtulo",
)  # fmt: skip
_UPPER = ("book", "part", "volume", "vol.", "phase", "epoch", "period", "narrative", "teil", "partie", "parte")
_NAMED = (
    "prologue", "epilogue", "preface", "foreword", "introduction", "afterword", "interlude", "prelude", "conclusion",
    "postscript", "introductory", "author’s note", "author's note",
)  # fmt: skip
_KINDS = "|".join(re.escape(kind) for kind in (*_CHAPTERS, *_UPPER))
# `(?a:` since IGNORECASE would accept `ı` and `İ` as i and `ſ` as s; outside it, \s matches any space.
_NUMBERED = re.compile(rf"[\[_*]*(?P<kind>(?a:{_KINDS}))\s+(?:(?a:no)\.\s*)?", re.IGNORECASE)
_ORDINAL_FIRST = re.compile(
    rf"[\[_*]*(?:the\s+)?(?P<number>(?a:last|(?:[a-z]+[- ])?(?:first|second|third|[a-z]+th)))\s+(?P<kind>(?a:{_KINDS}))"
    r"[\]_*]*(?P<divider>\s*[.:—–-]+\s*|$)(?P<rest>.*)",
    re.IGNORECASE,
)
_CHAPTER_BEHIND = re.compile(r"[\s./|,:;—–-](?=(?a:chapter|chap\.|letter|canto|scene)\s)", re.IGNORECASE)
_LAST = re.compile(r"(?a:(?:the\s+)?last)(?![^\W_]|['’])", re.IGNORECASE)
_BEHIND_NUMBER = re.compile(r"[\]_*]*(?P<divider>\s*[.:,;\])—–-]+\s*|\s+|$)(?P<rest>.*)")
_BY_NAME = re.compile(
    rf"[\[_*]*(?:the\s+(?=prologue))?(?P<kind>(?a:{'|'.join(map(re.escape, _NAMED))}))[\]_*]*", re.IGNORECASE
)
_BEHIND_NAME = re.compile(r"(?P<divider>\s*[.:—–-]+\s*|$)(?P<rest>.*)")
_ALONE = re.compile(r"[\[(_*-]*\s*(?P<number>\d{1,3}|[IVXLCDM]+)\s*[\])_*.:-]*")
# A play describes the place on the same line: `SCENE II. Elsinore. A room in the castle.`
_SCENE = re.compile(r"(?:SCENE|Scene) (?P<number>[IVX]+|\d{1,2})\. (?=[A-Z])")
_HIGHEST = 9_999
_LONGEST_LINE = 200
_LONGEST_TITLE_WORDS = 25
_LEADERS = re.compile(r"\.{4,}|(?:\s\.){3,}|…{2,}")
_SMALL_LETTERS = 3
_SMALL_WORDS = frozenset({"with", "from", "into", "upon", "over", "under", "than", "without", "through"})
_SENTENCE_END = re.compile(r"[.!?,;]$")
_SENTENCES_IN_TITLE = re.compile(r"[a-z]{3,}[.!?]\s+[A-Z“\"]|\)(?:\.(?:--|—)|, [a-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The content of a heading line: its kind, its number (0 if none), and whether a title follows on the line."""

    kind: str
    number: int
    bare: bool

    @property
    def upper(self) -> bool:
        """Whether it is a part, book or volume, which holds chapters."""
        return self.kind in _UPPER

    @property
    def numbered(self) -> bool:
        """Whether it is a chapter or the like, rather than a prologue or preface."""
        return self.kind in _CHAPTERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A paragraph that may head a chapter; `upper` ones (parts, books) hold those below them."""

    index: int
    text: str
    mark: Mark | None = None
    upper: bool = False
    words_after: int = 0
    depth: int = 0


def title_mark(title: str) -> Mark | None:
    """Return the content of a title: as of a heading line, but a number alone counts chapters too."""
    number = lone_number(title)
    return Mark(kind="chapter", number=number, bare=True) if number is not None else mark_of(title)


def mark_of(line: str) -> Mark | None:
    """Return the content of a heading line, or None for ordinary text."""
    if len(line) > _LONGEST_LINE or "\n" in line:
        return None
    if scene := _SCENE.match(line):
        return Mark(kind="scene", number=read_number(scene["number"]) or 0, bare=False)
    return None if _SENTENCES_IN_TITLE.search(line) else _mark(line)


def lone_number(line: str) -> int | None:
    """Return the number that is alone on a line, in digits or Roman, or None."""
    if len(line) > 16:  # noqa: PLR2004 - no numeral below a thousand is longer
        return None
    match = _ALONE.fullmatch(line)
    return read_number(match["number"]) if match else None


def can_be_title(rest: str, *, divided: bool) -> bool:
    """Whether the text after a chapter's number may be its title; `divided` means after a stop rather than a space."""
    if len(rest.split()) > _LONGEST_TITLE_WORDS:
        return False
    if _LEADERS.search(rest) or looks_like_title(rest.rstrip(".")):
        return True
    # `Chapter 12. In which nothing happens` is a heading; `Part one was over.` is not.
    first = re.search(r"[^\W_]", rest)
    return divided and bool(first) and not (first and first.group().islower()) and not _SENTENCE_END.search(rest)


def looks_like_title(text: str) -> bool:
    """Whether a line is written like a title: no sentence end, and capitals on longer words except `with`."""
    if _SENTENCE_END.search(text.rstrip("”’\"'")) and not text.isupper() and not text.endswith(("?", "!")):
        return False
    words = [
        word
        for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", text)
        if len(word) > _SMALL_LETTERS and word not in _SMALL_WORDS
    ]
    first = re.search(r"[^\W_]", text)
    return bool(first and not first.group().islower() and all(word[0].isupper() for word in words))


def _mark(line: str) -> Mark | None:
    found = _numbered(line) or _by_name(line) or _ordinal_first(line)
    if not found or not found.kind[0].isupper():
        return None
    kind = found.kind.lower()
    rest = found.behind["rest"].strip()
    if kind in _UPPER and (chapter := _chapter_behind(found.behind[0])):
        return chapter
    divider = found.behind["divider"].strip()
    if divider in {",", ";"} or (rest and not can_be_title(rest, divided=bool(divider))):
        return None
    return Mark(kind=kind, number=found.number, bare=not rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A kind of heading with its number, and the divider and the rest of the line after it."""

    kind: str
    number: int
    behind: re.Match[str]


def _numbered(line: str) -> _Found | None:
    match = _NUMBERED.match(line)
    if not match:
        return None
    text = line[match.end() :]
    number = leading_number(text)
    if number is None:
        last = _LAST.match(text)
        return None if last is None else _ending(match["kind"], 0, _BEHIND_NUMBER.fullmatch(text, last.end()))
    if number.value > _HIGHEST:
        return None
    return _ending(match["kind"], number.value, _BEHIND_NUMBER.fullmatch(text, number.end))


def _ending(kind: str, number: int, behind: re.Match[str] | None) -> _Found | None:
    return None if behind is None else _Found(kind=kind, number=number, behind=behind)


def _by_name(line: str) -> _Found | None:
    match = _BY_NAME.match(line)
    behind = _BEHIND_NAME.fullmatch(line, match.end()) if match else None
    return _Found(kind=match["kind"], number=0, behind=behind) if match and behind else None


def _ordinal_first(line: str) -> _Found | None:
    """Parse `FIRST PART`, `The Second Book`, `THE LAST CHAPTER`."""
    match = _ORDINAL_FIRST.match(line)
    number = read_number(match["number"]) if match else None
    if not match or (number is None and match["number"].casefold() != "last") or not line.strip("[_*")[0].isupper():
        return None
    return _Found(kind=match["kind"], number=number or 0, behind=match)


def _chapter_behind(text: str) -> Mark | None:
    """Return the chapter named on the same line after a part: `BOOK I. CHAPTER II`."""
    marks = (mark_of(text[match.end() :]) for match in _CHAPTER_BEHIND.finditer(text))
    return next((mark for mark in marks if mark and mark.numbered), None)
