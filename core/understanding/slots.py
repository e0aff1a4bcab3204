"""What a message names: people, words, quotations and places by a fitted tagger, numbers by rules."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.domain.conversation import Line
from core.domain.folding import folded
from core.domain.numbers import read_number
from core.domain.understanding import Intent, Slots
from core.language.words import words
from core.understanding.classifier import Classifier
from core.understanding.features import hashed, in_short

TAGS: Final = ("", "name", "word", "quote", "member", "date", "place")
"""What a token may be part of; a second name is the slot `other_name`."""
TAG_BUCKETS: Final = 2**16

_NAMED_FROM: Final = 0.25
"""A token is part of something named where that is so likely."""
_SUFFIX, _LONGEST_COUNTED, _LONGEST_TITLE = 3, 6, 3
_TOKEN: Final = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]")
_QUOTED: Final = re.compile(r"[\"“”«„]([^\"“”«»„]+)[\"“”»]|(?<!\w)['‘]([^'’]{3,}?)['’](?!\w)")
_ARTICLE: Final = re.compile(
    r"^(?:the|an?|this|that|our|der|die|das|dieser?|le|la|les|l'|une?|el|los|las|una?|un)\s+", re.IGNORECASE
)
_ASKING: Final = frozenset(
    words(
        "who what where when why how which whose wer was wo wann warum wie qui que quoi où quand pourquoi comment "
        "quién qué dónde cuándo cómo"
    )
)
_EDGES: Final = ' \t\n.,;:!?"“”«»„()[]'

_NUMERAL = r"(?P<number>\d{1,5}|[ivxlc]+\b|(?:[a-z]+)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)"
_PAGE: Final = re.compile(
    r"\b(?:pages?|pgs?|pp?|seiten?|s|p[áa]g(?:ina)?s?)\b\.?\s*(?:nr\.?|no\.?|number)?\s*(?P<number>\d{1,5})"
    r"|\b(?P<before>\d{1,5})(?:st|nd|rd|th)\s+page\b",
    re.IGNORECASE,
)
_CHAPTER: Final = re.compile(
    rf"\b(?:chapters?|chaps?|chp?t?s?|kap(?:itel)?|chapitres?|cap(?:[íi]tulo)?s?)\b\.?\s*{_NUMERAL}"
    r"|\b(?P<before>\d{1,3})(?:st|nd|rd|th)\s+chapter\b|\bch(?P<glued>\d{1,3})\b",
    re.IGNORECASE,
)
_PART: Final = re.compile(rf"\b(?:part|book|teil|partie|parte|tome|band)\b\.?\s*{_NUMERAL}", re.IGNORECASE)
_PERCENT: Final = re.compile(
    r"(\d{1,3}(?:[.,]\d+)?)\s?(?:%|percent\b|per cent\b|pct\b|prozent\b|pour ?cent\b|por ciento\b)"
)
_LOCATION: Final = re.compile(r"\bloc(?:ation)?s?\b\.?\s*(\d{1,6})|\b(\d{2,6})\s+locations?\b", re.IGNORECASE)
_HOURS: Final = re.compile(
    r"\b(?P<hours>\d{1,2})\s?(?:h\b|hrs?\b|hours?\b|stunden?\b|heures?\b|horas?\b|h(?=\d))\s?(?:(?:and\s)?(?P<minutes>\d{1,2})\s?(?:m|min)?)?",
    re.IGNORECASE,
)
_COUNTED_PAGES: Final = re.compile(r"\b(\d{1,4})\s+(?:more\s+)?(?:pages?|pgs?|seiten|p[áa]ginas)\b", re.IGNORECASE)
_BARE: Final = re.compile(r"(?<![\w.,:/-])(\d{1,4})(?![\w%]|[.,:/]\d|\s?(?:%|am|pm|h\b))", re.IGNORECASE)
_MINUTES: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Token:
    text: str
    start: int
    end: int


def slots_of(line: Line, before: Sequence[Line], intent: Intent, known: Classifier) -> Slots:
    """Return what a message names, by what it wants."""
    text = in_short(line.text)
    named = _tagged(text, before, intent, known)
    first = dict(reversed(named))
    names = [value for tag, value in named if tag == "name"]
    found = Slots(
        name=first.get("name", ""),
        other_name=next((each for each in names[1:] if each.casefold() != names[0].casefold()), ""),
        word=first.get("word", ""),
        quote=first.get("quote", ""),
        member=first.get("member", ""),
        date=first.get("date", ""),
        place=first.get("place", ""),
    )
    return numbers_in(found, text, intent)


def tokens(text: str) -> list[_Token]:
    """Return the words and marks of a text."""
    return [_Token(text=match[0], start=match.start(), end=match.end()) for match in _TOKEN.finditer(text)]


def token_features(text: str, before: Sequence[Line], intent: Intent) -> Iterator[list[str]]:
    """Return what speaks for a token being part of something named, a list a token."""
    found = tokens(text)
    quoted = {at for match in _QUOTED.finditer(text) for at in range(match.start(), match.end())}
    authors = {one.author.casefold() for one in before[-2:] if one.author}
    small = ["^3", "^2", "^1", *(each.text.casefold() for each in found), "$1", "$2"]
    shapes = ["-", *(_shape(each.text) for each in found), "-"]
    for at, token in enumerate(found):
        before3, before2, before1, word, after1, after2 = small[at : at + 6]
        last, shape, following = shapes[at : at + 3]
        yield [
            f"w{word}", f"s{shape}", f"p1{before1}", f"p2{before2}", f"p3{before3}", f"n1{after1}", f"n2{after2}",
            f"ps{last}", f"ns{following}", f"suf{word[-_SUFFIX:]}", f"i{intent}", f"iw{intent}{word}",
            f"is{intent}{shape}", f"pp{before2} {before1}", f"nn{after1} {after2}", f"ip{intent}{before1}",
            f"pw{before1} {word}", f"wn{word} {after1}", f"first{at == 0}", f"q{token.start in quoted}",
            f"m{word in authors}", f"len{min(len(word), _LONGEST_COUNTED)}", f"tail{min(len(found) - at, 3)}",
            f"isp{intent}{shape}{before1}",
        ]  # fmt: skip


def plain(value: str) -> str:
    """Return something named without its article, quotation marks and possessive."""
    value = _ARTICLE.sub("", value.strip(_EDGES))
    return re.sub(r"['’]s$", "", value.strip(_EDGES + "'‘’"))


def _tagged(text: str, before: Sequence[Line], intent: Intent, known: Classifier) -> list[tuple[str, str]]:
    """Return what is named, in order: the tag and the words of each run of tokens of one tag."""
    tags = [_tag(features, known.tags.sparse, known.tags.base) for features in token_features(text, before, intent)]
    found = tokens(text)
    _join_titles(tags, found)
    named = []
    for tag, run in groupby(zip(tags, found, strict=True), key=lambda each: each[0]):
        of_run = [token for _, token in run]
        value = plain(text[of_run[0].start : of_run[-1].end])
        if tag and value and folded(value) not in _ASKING:
            named.append((tag, value))
    return named


def _join_titles(tags: list[str], found: Sequence[_Token]) -> None:
    """Give a name behind a title with a dot the title's tag: "Mr. Hallam"."""
    for at, (title, dot, name) in enumerate(zip(found, found[1:], found[2:], strict=False)):
        if dot.text == "." and len(title.text) <= _LONGEST_TITLE and name.text[0].isupper():
            tags[at + 1] = tags[at + 2] = tags[at]


def _tag(features: list[str], weights: NDArray[np.float32], base: NDArray[np.float32]) -> str:
    columns = list(hashed(features, TAG_BUCKETS))
    scores = weights[columns].sum(0) + base
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    return TAGS[1 + int(shares[1:].argmax())] if 1 - shares[0] > _NAMED_FROM else TAGS[0]


def _shape(token: str) -> str:
    if token[0].isalpha():
        return "A" if token.isupper() and len(token) > 1 else "Aa" if token[0].isupper() else "a"
    return "0" if token[0].isdigit() else token


def numbers_in(found: Slots, text: str, intent: Intent) -> Slots:
    """Return slots with the page, chapter, part and amount that a text names."""
    chapter, part, page = _number(_CHAPTER, text), _number(_PART, text), _number(_PAGE, text)
    amount, unit = _measured(text)
    if page is None and chapter is part is None and not unit and intent in _OF_PAGES:
        page = _number(_BARE, text)
    return replace(found, chapter=chapter, part=part, page=page, amount=amount, unit=unit)


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    for match in pattern.finditer(text):
        value = next((read_number(each) for each in match.groups() if each), None)
        if value is not None:
            return value
    return None


def _measured(text: str) -> tuple[float | None, str]:
    """Return an amount and its unit, where a message names one that is no page."""
    if match := _PERCENT.search(text.casefold()):
        return float(match[1].replace(",", ".")), "percent"
    if match := _LOCATION.search(text):
        return float(match[1] or match[2]), "locations"
    if match := _HOURS.search(text):
        return int(match["hours"]) + int(match["minutes"] or 0) / _MINUTES, "time"
    if match := _COUNTED_PAGES.search(text):
        return float(match[1]), "pages"
    return None, ""


_OF_PAGES: Final = frozenset(
    {Intent.SET_PAGE, Intent.MY_PAGE, Intent.UNDO, Intent.HOW_FAR, Intent.RECAP, Intent.STOPPED}
)
"""What is wanted where a bare number is a page."""
