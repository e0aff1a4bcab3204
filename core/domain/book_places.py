"""The places of a book by their printed names: chapters, and what they stand in (volumes, parts, acts).

Numbers are as printed. Only where a book prints none do its chapters count in running order; the titled works of an
omnibus count as its books.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby, pairwise
from typing import Final

from core.catalogue.sentences import say
from core.domain.book import BookOutline, Chapter
from core.domain.folding import folded
from core.domain.numbers import leading_number, read_number
from core.domain.position_requests import Step

LEVELS: Final = (
    "volume", "book", "part", "phase", "act", "chapter", "letter", "stave", "canto", "fit", "episode", "scene",
    "section", "tale", "adventure",
)  # fmt: skip
"""What books call their parts, from large to small."""
SHORT: Final = {
    "vol": "volume", "bk": "book", "pt": "part", "sc": "scene", "chap": "chapter", "ch": "chapter", "chpt": "chapter",
}  # fmt: skip
NAMED: Final = ("prologue", "epilogue", "interlude", "prelude", "postscript", "coda")
"""Parts of a story that mostly have no number."""
_CLOSING: Final = ("epilogue", "postscript", "coda", "afterword", "conclusion")
"""What closes a whole book where it stands at its end."""
_CHAPTER: Final = "chapter"
HOLD_CHAPTERS: Final = LEVELS[: LEVELS.index(_CHAPTER)]
PIECES: Final = LEVELS[len(HOLD_CHAPTERS) + 1 :]
"""What some books call their chapters."""
_HIGHEST: Final = 999
"""Above it a number alone is a year."""
_BESIDE: Final = " / "
"""Between the titles of a part and its first chapter."""
LEVEL_WORDS: Final = "|".join(sorted((*LEVELS, *SHORT), key=len, reverse=True))
_LEVEL: Final = re.compile(rf"[\W_]*(?:the )?(?P<word>{LEVEL_WORDS})(?:\.? +|\.|(?=\d))(?:the )?(?P<rest>.+)")
_CHAPTER_INSIDE: Final = re.compile(r".*\b(?P<word>chapter)\.? +(?:the )?(?P<rest>.+)")
_ORDINAL: Final = re.compile(
    rf"[\W_]*(?:the )?(?P<number>\w+(?:-\w+)?) (?P<word>{LEVEL_WORDS})(?P<rest>$|[.:;,)–—-].*)"
)
_ENDS: Final = re.compile(r"$|[.:;,)\]/–—-]| [–—/-] ")
"""What stands behind a number that is written in letters, so that `The Letter I Never Sent` has none."""
_ALONE: Final = re.compile(r"[\W_]*(?P<number>\w+(?:-\w+)?)(?:[.:)\]_]*$|[.:)–—-](?: |$)| [–—-] |(?<=\d) (?=\D))")

_BEHIND_NUMBERS: Final = " .:;,)]/–—-_*"
_MERELY_COUNTED: Final = re.compile(r"\s*\d+\s+\w")
_LONGEST_TITLE: Final = 200
_TITLES_KEPT: Final = 1_024

Titles = tuple[str, ...]
"""The printed titles that lead to a place, outermost first, its own last."""
Mark = tuple[str, int]
"""A level and its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A chapter with its running number, or what several chapters stand in."""

    titles: Titles
    first_page: int
    last_page: int
    number: int | None = None


class BookPlaces:
    """The places of a book, in order, for readers who have read up to a page.

    Whatever they type, no reply tells a title of what comes later: a title counts only if its place has begun or is
    the next one.
    """

    def __init__(self, outline: BookOutline, *, reached: int | None) -> None:
        self._places = [*_places(outline)]
        self._reached = reached or 0
        self._orders = _orders(self._places)
        self._printed = {title: marks_in(title) for place in self._places for title in place.titles}
        own = chain.from_iterable(self._printed[place.titles[-1]] for place in self._places if place.number)
        self._has_bare = _count_on([number for word, number in own if not word])
        self._marks = {*chain.from_iterable(map(self._marks_in, self._printed))}
        self._numbered = self._by_number()
        self._known = _known(self._places, self._reached)

    def _by_number(self) -> dict[int | None, list[Place]]:
        """Return the places by each number that they print, or else have among those beside them; all for None."""
        found: dict[int | None, list[Place]] = {None: self._places}
        for place in self._places:
            printed = {number for _, number in self._marks_in(place.titles[-1])}
            for number in printed or {self._orders.get(place.titles, 0)}:
                found.setdefault(number, []).append(place)
        return found

    def named(self, steps: Sequence[Step]) -> list[Place]:
        """Return the places that steps from outer to inner may mean, the nearest ahead first; empty for none."""
        found = (
            [place for place in self._numbered.get(steps[-1].number, []) if self._fits(steps, place)]
            or self._pieces(steps)
            or self._in_running_order(steps)
        )
        return sorted(found, key=lambda place: (place.last_page <= self._reached, abs(place.last_page - self._reached)))

    def around(self, page: int) -> Place | None:
        """Return the chapter in which a page stands, the later one where two share it; None for none."""
        inside = [each for each in self._places if each.number and each.first_page <= page <= each.last_page]
        return inside[-1] if inside else None

    def name_of(self, place: Place) -> str:
        """Return a place's name, its own first: `chapter 1 of volume 2`; titles only where they have been read."""
        names = [self._name_at(place.titles[:depth], place) for depth in range(len(place.titles), 0, -1)]
        name, *above = filter(None, names)
        for each in above:
            name = say("{place} of {whole}", place=name, whole=each)
        return name

    def typed_name(self, chapter: Chapter) -> str | None:
        """Return the shortest name that means this chapter alone, without its title: `ch 3`, `volume 2 ch 3`.

        None where only its title identifies it.
        """
        steps = self._steps_to(chapter)
        inner = (steps[at:] for at in range(len(steps) - 1, -1, -1))
        return next((" ".join(map(_typed, each)) for each in inner if len(self.named(each)) == 1), None)

    def _steps_to(self, chapter: Chapter) -> list[Step]:
        """Return the numbered steps to a chapter and its name, or its running number; empty where it has none."""
        titles = next(each.titles for each in self._places if each.number == chapter.number)
        own = [Step(word=word) for word in NAMED if folded(titles[-1]).startswith(word)][:1]
        if own or self._marks_in(titles[-1]):
            return [*self._steps(titles), *own]
        return [] if self._marks else [Step(word=_CHAPTER, number=chapter.number)]

    def forms(self) -> tuple[str, str] | None:
        """Return what the places are called, and one as it may be typed; None where nothing is numbered."""
        chains = [steps for place in self._places if (steps := self._steps(place.titles))]
        if not chains:
            return None
        numbers: dict[str, list[int]] = {}
        for top, *_ in chains:
            numbers.setdefault(top.word, []).append(top.number or 0)
        levels = ", ".join(f"{word}s {min(found)} to {max(found)}" for word, found in numbers.items())
        _, *inner = longest = max(chains, key=len)
        if inner:
            each = say(" and ").join(f"{step.word}s" for step in inner)
            levels = say("{levels} with {inner}", levels=levels, inner=each)
        return levels, " ".join(f"{step.word} {step.number}" for step in longest)

    def _steps(self, titles: Titles) -> list[Step]:
        """Return the numbered steps to a place, such as volume 2, chapter 3; a work of an omnibus is a `book`."""
        steps: list[Step] = []
        for depth, title in enumerate(titles, 1):
            order = self._orders.get(titles[:depth])
            unnumbered = [Step(word="book", number=order)] if order else []
            printed = [Step(word=word or _CHAPTER, number=number) for word, number in self._marks_in(title)]
            steps += printed or unnumbered
        return steps

    def _name_at(self, titles: Titles, place: Place) -> str:
        if marks := self._marks_in(titles[-1]):
            word, number = marks[-1]
            return f"{word or _CHAPTER} {number}"
        begins = min(each.first_page for each in self._places if each.titles[: len(titles)] == titles)
        if begins <= self._reached:
            return " ".join(titles[-1].split())
        if titles == place.titles and place.number is not None:
            return say("chapter {number}", number=place.number)
        return say("book {number}", number=self._orders[titles])

    def _fits(self, steps: Sequence[Step], place: Place) -> bool:
        """Whether the last step is the place's own name, and those before it what it stands in, in order."""
        *outer, own = steps
        if not self._is_own(own, place):
            return False
        depth = 1
        for step in outer:
            depth = next(
                (each for each in range(depth, len(place.titles) + 1) if self._is_title(step, place.titles[:each])), 0
            )
            if not depth:
                return False
        return True

    def _is_own(self, step: Step, place: Place) -> bool:
        if step.number is None or place.number is None:
            return self._is_title(step, place.titles)
        marks = self._marks_in(place.titles[-1])[-1:]
        return any(number == step.number and step.word in {"", word or _CHAPTER} for word, number in marks)

    def _is_title(self, step: Step, titles: Titles) -> bool:
        """Whether a step names the last of some titles."""
        if step.title:
            own = " ".join(titles[-1].split())
            return titles in self._known and folded(step.title) in {folded(own), folded(_unnumbered(own))}
        if step.number is None:
            return folded(titles[-1]).startswith(step.word)
        marks = self._marks_in(titles[-1])
        is_work = not marks and step.word in HOLD_CHAPTERS and self._orders.get(titles) == step.number
        return is_work or (step.word, step.number) in marks

    def _pieces(self, steps: Sequence[Step]) -> list[Place]:
        """Return letters, cantos or scenes with a chapter's number, in a book that numbers nothing as a chapter."""
        *outer, own = steps
        words = {word or _CHAPTER for word, _ in self._marks} - {*HOLD_CHAPTERS}
        if own.word != _CHAPTER or own.number is None or _CHAPTER in words:
            return []
        each = [(*outer, Step(word=word, number=own.number)) for word in words]
        numbered = self._numbered.get(own.number, [])
        return [place for place in numbered if any(self._fits(steps, place) for steps in each)]

    def _in_running_order(self, steps: Sequence[Step]) -> list[Place]:
        """Return the chapter with a number in running order, in a book that prints none."""
        own = steps[-1]
        if len(steps) > 1 or own.word not in {"", _CHAPTER} or own.title or self._marks:
            return []
        return [place for place in self._places if place.number is not None and place.number == own.number]

    def _marks_in(self, title: str) -> Sequence[Mark]:
        """Return what a title prints; numbers alone only where they count the chapters."""
        return [mark for mark in self._printed[title] if mark[0] or self._has_bare]


def _typed(step: Step) -> str:
    """Return a step as members type it: `ch 3`."""
    word = "ch" if step.word == _CHAPTER else step.word
    return word if step.number is None else f"{word} {step.number}"


def _count_on(numbers: Sequence[int]) -> bool:
    """Whether numbers count the chapters of a book: most begin at 1 or go on from the one before."""
    going_on = sum(number in {1, before + 1} for before, number in pairwise([0, *numbers]))
    return going_on * 2 > len(numbers)


def marks_in(title: str) -> tuple[Mark, ...]:
    """Return the levels and numbers that a title prints: `Act II. Scene I` is act 2, scene 1; `IV` has no word.

    A title prints them at its beginning, what holds chapters first; of words that merely stand in it none count.
    """
    return _marks_and_rest(title)[0]


def _unnumbered(title: str) -> str:
    """Return a title without its level and number: `the storm` for `Chapter 3: The Storm`."""
    return _marks_and_rest(title)[1].strip(_BEHIND_NUMBERS)


@lru_cache(maxsize=_TITLES_KEPT)
def _marks_and_rest(title: str) -> tuple[tuple[Mark, ...], str]:
    """Return the levels and numbers that a title prints, and what follows them, in small letters."""
    text = " ".join(unicodedata.normalize("NFKC", title[:_LONGEST_TITLE]).casefold().split())
    found: list[Mark] = []
    while (not found or found[-1][0] in HOLD_CHAPTERS) and (mark := _leading_mark(text)):
        word, number, text = mark
        found.append((word, number))
    alone = None if found else _ALONE.match(text)
    value = read_number(alone["number"]) if alone else None
    if alone and value is not None and value <= _HIGHEST:
        found, text = [("", value)], text[alone.end() :]
    return tuple(found), text


def chapter_mark(title: str) -> Mark | None:
    """Return what a title calls its chapter, and its number: a letter and 2, a chapter and 5; None if it has none.

    That `20 Years Later` begins with a number says nothing, since nothing is known of the other titles.
    """
    marks_of_all = (*marks_in(title.rpartition(_BESIDE)[2]), *marks_in(title))
    marks = ((word or _CHAPTER, number) for word, number in marks_of_all if word not in HOLD_CHAPTERS)
    return None if _MERELY_COUNTED.match(title) else next(marks, None)


def shown_number(chapter: Chapter) -> int:
    """Return the number of a chapter for readers: the one printed, else the running one."""
    _, number = chapter_mark(chapter.title) or (_CHAPTER, chapter.number)
    return number


def division_number(title: str) -> int | None:
    """Return the number of a title that names more than a chapter (`Part II`, `Book the First`), None otherwise."""
    return next((number for word, number in marks_in(title) if word in HOLD_CHAPTERS), None)


def _leading_mark(text: str) -> tuple[str, int, str] | None:
    """Return the level and number at the beginning of a title, and what follows; None without one."""
    if (first := _ORDINAL.match(text)) and (value := read_number(first["number"])) is not None:
        return SHORT.get(first["word"], first["word"]), value, first["rest"]
    match = _LEVEL.match(text) or _CHAPTER_INSIDE.match(text)
    number = leading_number(match["rest"]) if match else None
    if match is None or number is None:
        return None
    said, rest = match["rest"][: number.end], match["rest"][number.end :]
    word = SHORT.get(match["word"], match["word"])
    if not _ENDS.match(rest) and not said.isdecimal() and word != _CHAPTER:
        return None
    return word, number.value, rest


def _known(places: Sequence[Place], reached: int) -> set[Titles]:
    """Return the titles of the places that have begun, and of the next one of each depth."""
    begun = [place for place in places if place.first_page <= reached]
    coming = {len(place.titles): place for place in reversed(places) if place not in begun}
    return {place.titles for place in (*begun, *coming.values())}


def _places(outline: BookOutline) -> Iterator[Place]:
    """Yield what chapters stand in, each before its chapters."""
    chapters = [*_titled(outline.chapters)]
    above: Titles = ()
    for titles, chapter in chapters:
        for whole in _wholes(titles, above):
            last = max(each.last_page for longer, each in chapters if longer[: len(whole)] == whole)
            yield Place(titles=whole, first_page=chapter.first_page, last_page=last)
        above = titles[:-1]
        yield Place(titles=titles, first_page=chapter.first_page, last_page=chapter.last_page, number=chapter.number)


def _wholes(titles: Titles, above: Titles) -> list[Titles]:
    """Return what begins with a chapter: all that it stands in, and the chapter before it doesn't."""
    depths = range(1, len(titles))
    return [titles[:depth] for depth in depths if above[:depth] != titles[:depth]]


def _titled(chapters: Sequence[Chapter]) -> Iterator[tuple[Titles, Chapter]]:
    """Yield each chapter with its titles; a part's title may stand before that of its first chapter, too."""
    if any(each.path for each in chapters):
        yield from (((*each.path, each.title.rpartition(_BESIDE)[2]), each) for each in chapters)
        return
    above: Titles = ()
    last = max((each.number for each in chapters if not folded(each.title).startswith(_CLOSING)), default=0)
    for each in chapters:
        *parts, own = each.title.split(_BESIDE)
        above = tuple(parts) or above
        yield (*(above if parts or each.number <= last else ()), own), each


def _orders(places: Sequence[Place]) -> Mapping[Titles, int]:
    """Return the running number of each place that holds chapters, among those beside it."""
    holding = [place.titles for place in places if place.number is None]
    found: dict[Titles, int] = {}
    for _, beside in groupby(sorted(holding, key=lambda titles: titles[:-1]), key=lambda titles: titles[:-1]):
        found |= {titles: number for number, titles in enumerate(sorted(set(beside), key=holding.index), 1)}
    return found
