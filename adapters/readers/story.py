"""Separates the story from the parts before, within and behind it; called by all readers.

Everything is counted in paragraphs; `bound` turns it into pages.
"""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, takewhile
from typing import Final

from adapters.readers.headings import Heading
from adapters.readers.marks import mark_of
from adapters.readers.roles import is_about_books, is_never_chapter, is_notes, may_end_story
from adapters.readers.sections import UNNAMED, TitledSection, Typed, sections_of
from core.domain.book import PartRole
from core.domain.book_places import chapter_mark, division_number
from core.language.sentences import fold_space, unit_count

_LEAST_OF_PROLOGUE: Final = 250
_LEAST_OF_PARAGRAPH: Final = 30
_HARDLY_ANY: Final = 20
_TITLE_PAGE: Final = 300
_FEWEST_NUMBERED: Final = 3
_MOST_BEHIND: Final = 0.25
_MOST_OF_EXCERPT: Final = 0.8
_MOST_OF_RESTART: Final = 0.5
_OF_CHAPTERS = re.compile(r"\S+|.*\b(?:chapters?|part|book|volume|canto)\b.*", re.IGNORECASE)
_ENTRY = re.compile(r"[_*]*[A-Z][\w.’']*(?: (?:of|the|and|[A-Z][\w.’']*)){0,5}[_*]*(?:[,:;]| [(=—–-])")
_ENDS_SENTENCE = re.compile(r"[.!?…][”’\"')\]*_]*\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideStretch:
    """The paragraphs `start` to `stop` that are no story."""

    role: PartRole
    title: str
    start: int
    stop: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryShape:
    """The chapters of the story, the paragraphs `start` to `stop` that it has, and the stretches outside it.

    `breaks` are paragraphs at which pages begin, where the book has no pages of its own.
    """

    chapters: tuple[Heading, ...]
    start: int
    stop: int
    outside: tuple[OutsideStretch, ...]
    breaks: frozenset[int]


def shape_of(
    headings: Sequence[Heading],
    paragraphs: Sequence[str],
    *,
    others: Iterable[Heading] = (),
    typed: Sequence[Typed] = (),
    begin: int | None = None,
    names: tuple[str, str | None] = ("", None),
    apart: Set[int] = frozenset(),
) -> StoryShape:
    """Return the shape of a book with these chapter headings.

    `others` are headings of what is never a chapter; `begin` is the paragraph at which the book itself says that it
    begins; `names` are the book's title and its author; `apart` are the paragraphs that stand apart from those above.
    """
    book = _StoryFinder(sections_of(headings, others, typed, paragraphs, apart), paragraphs, *names)
    first = next((place for place, one in enumerate(book.sections) if one.is_chapter and not one.outside), None)
    if first is None:
        whole = frozenset(one.front for one in headings)
        return StoryShape(chapters=tuple(headings), start=0, stop=len(paragraphs), outside=(), breaks=whole)
    if begin is not None and not any(one.outside for one in book.sections if one.heading.index == begin):
        first = next((place for place, one in enumerate(book.sections) if one.heading.index >= begin), first)
        return book.shape(first, begin, {begin})
    first = book.after_essays(first)
    return book.shape(first, book.start_at(first))


class _StoryFinder:
    def __init__(
        self, sections: list[TitledSection], paragraphs: Sequence[str], title: str, author: str | None
    ) -> None:
        self.sections = sections
        self._paragraphs = paragraphs
        self._words = [0, *accumulate(unit_count(text) for text in paragraphs)]
        self._title = title
        self._author = author or ""

    def after_essays(self, first: int) -> int:
        """Return the first section of the story after titled ones that are a title page or an essay."""
        for place in range(first, len(self.sections) - 1):
            one = self.sections[place]
            numbered = any(other.number for other in self.sections[place + 1 :])
            if one.outside:
                continue
            if one.heading.mark or one.role:
                return place
            most = _TITLE_PAGE if self._is_own(one.title) else numbered * _HARDLY_ANY
            if self._count(place, place + 1) <= most:
                one.is_now(PartRole.BACK, "hardly any words before the first chapter")
            elif why := self._why_outside(place, numbered=numbered):
                one.is_now(PartRole.BACK, f"before the first chapter; {why}")
            elif numbered and self._stands_before_front(place):
                one.is_now(PartRole.BACK, "before front matter")
            else:
                return place
        return first if self.sections[-1].outside else len(self.sections) - 1

    def _stands_before_front(self, place: int) -> bool:
        """Whether front matter follows a section before the first heading that says what it heads."""
        behind = takewhile(lambda one: one.outside or not one.heading.mark, self.sections[place + 1 :])
        return any(one.outside and one.is_chapter for one in behind)

    def start_at(self, first: int) -> int:
        """Return where the story begins: prose without a heading before the first chapter may be a prologue."""
        heading = self._named(self.sections[first].heading)
        begin = heading.front if heading.path else heading.index
        before = (one for one in self.sections[:first] if one.why != UNNAMED)
        if any(one.typed or not is_never_chapter(one.title) for one in before):
            return begin
        _, number = chapter_mark(heading.title) or ("", 1)
        numbers = {number, *map(division_number, (heading.title, *heading.path))}
        if not numbers <= {None, 1}:
            return 0  # the book's first chapter was not found
        prose = [index for index, text in enumerate(self._paragraphs[:begin]) if _is_prose(text)]
        enough = sum(unit_count(self._paragraphs[index]) for index in prose) >= _LEAST_OF_PROLOGUE
        is_essay = enough and is_about_books(self._paragraphs[:begin], self._title, self._author, numbered=False)
        return prose[0] if enough and not is_essay else begin

    def shape(self, first: int, start: int, breaks: Set[int] = frozenset()) -> StoryShape:
        """Return the shape of a book whose story begins with a section or, if that is before it, a paragraph."""
        ends = (place for place in range(first + 1, len(self.sections)) if self._ends_story(place, first))
        tail = next(ends, len(self.sections))
        for place in range(tail + 1, len(self.sections)):
            self._begins_again(place, first, tail)
        is_preview = any(one.role is PartRole.EXCERPT and one.why != "title" for one in self.sections[tail:])
        while is_preview and self.sections[tail - 1].outside and tail - 1 > first:
            tail -= 1
        before = [place for place in range(first) if self._front(place) < start]
        inner = [place for place in range(first, tail) if self._is_outside_within(place)]
        behind = [place for place in range(tail, len(self.sections)) if place == tail or self._begins(place)]
        spans = [*((place, place + 1) for place in (*before, *inner)), *pairwise([*behind, len(self.sections)])]
        outside = [self._stretch(*span, range(first, tail), start) for span in spans]
        changed = {one.start for above, one in pairwise(outside) if above.role is not one.role}
        begun = {self._front(place) for place, one in enumerate(self.sections) if one.is_chapter or place in inner}
        chapters = (self.sections[place] for place in range(first, tail) if place not in inner)
        return StoryShape(
            chapters=tuple(self._named(one.heading) for one in chapters if one.is_chapter),
            start=start,
            stop=self._front(tail),
            outside=tuple(outside),
            breaks=frozenset({*begun, *changed, *breaks, self._front(tail)}),
        )

    def _named(self, heading: Heading) -> Heading:
        return replace(heading, path=tuple(title for title in heading.path if not self._is_own(title)))

    def _is_own(self, title: str) -> bool:
        return fold_space(title).casefold() == self._title.casefold()

    def _begins(self, place: int) -> bool:
        """Whether a section behind the story goes on with what it follows, for want of a role of its own."""
        return self.sections[place].outside and self.sections[place].title != self.sections[place - 1].title

    def _stretch(self, place: int, end: int, story: range, start: int) -> OutsideStretch:
        """Return sections as one stretch; most of what is known to be no story is front or back matter by its place."""
        one = self.sections[place]
        following = next((other.number for other in self.sections[place + 1 :] if other.number), 0)
        in_front = place < story.start or (place in story and following == 1)
        stop = min(start, self._front(end)) if place < story.start else self._front(end)
        role = PartRole.FRONT if in_front else PartRole.BACK
        if one.role in {PartRole.NOTES, PartRole.OTHER_WORK} or (one.role is PartRole.EXCERPT and not in_front):
            role = one.role
        why = one.why or "before the beginning that the book marks"
        return OutsideStretch(role=role, title=one.title, start=self._front(place), stop=stop, why=why)

    def _front(self, place: int) -> int:
        return self.sections[place].heading.front if place < len(self.sections) else len(self._paragraphs)

    def _count(self, begin: int, end: int) -> int:
        return self._words[self._front(end)] - self._words[self._front(begin)]

    def _why_outside(self, place: int, *, numbered: bool) -> str:
        """Return why a section at either end is no story, by its words; "" if it may be."""
        text = self._paragraphs[self.sections[place].heading.index : self._front(place + 1)]
        if is_about_books(text, self._title, self._author, numbered=numbered):
            return "about books"
        is_list = 2 * sum(bool(_ENTRY.match(line)) for line in text) >= len(text) and not any(map(_is_prose, text))
        return "a list" if is_list else ""

    def _ends_story(self, place: int, first: int) -> bool:
        """Whether the story ends before a section; fills in the role of one whose title does not say it."""
        one, story, behind = self.sections[place], self.sections[first:place], self.sections[place + 1 :]
        share = self._count(place, len(self.sections)) / max(1, self._count(first, place))
        is_last = all(other.outside for other in behind)
        if one.outside:
            most = _MOST_OF_EXCERPT if one.role is PartRole.EXCERPT else _MOST_BEHIND
            return is_last or (share <= most and not _continues(story, behind))
        numbered = [other for other in story if other.number]
        numbers = story[story.index(numbered[0]) if numbered else 0 :]
        titled = [other for other in numbers if _is_bare(other)]
        if one.role or not one.is_chapter or (titled and numbered) or may_end_story(one.title):
            return False
        if is_last and _is_bare(one) and (why := self._why_outside(place, numbered=bool(numbered))):
            one.is_now(PartRole.BACK, f"after the last chapter; {why}")
        elif share > _MOST_OF_RESTART:
            return False
        elif len(numbered) >= _FEWEST_NUMBERED and all(other.outside or _is_bare(other) for other in (one, *behind)):
            path = one.heading.path
            if path and (not is_last or path == story[-1].heading.path):
                return False
            one.is_now(PartRole.OTHER_WORK, "after the last numbered chapter, under a title of its own")
        else:
            self._begins_again(place, first, place)
        return one.outside

    def _begins_again(self, place: int, first: int, last: int) -> None:
        """Fill in that a section is an excerpt if it begins again behind the story, the sections `first` to `last`."""
        one = self.sections[place]
        title = "" if one.role else self._title_of_restart(one, self.sections[first:last], self.sections[place + 1 :])
        if title:
            one.is_now(PartRole.EXCERPT, "after the last chapter; numbers begin again", title)

    def _title_of_restart(
        self, one: TitledSection, story: Sequence[TitledSection], behind: Sequence[TitledSection]
    ) -> str:
        """Return the bare title over a chapter 1, the section's own or its part's, behind chapters without one."""
        is_title = not one.heading.mark and bool(behind) and behind[0].heading.path in {(), (one.title,)}
        restart = behind[0] if is_title else one
        kinds = {other.kind for other in story if other.number}
        numbered = sum(bool(other.number) for other in (one, *behind))
        begins = restart.number == 1 and (not kinds or restart.kind in kinds)
        if not (begins or (kinds and restart.kind == "prologue")) or numbered > _MOST_OF_RESTART * len(story):
            return ""
        works = {title for other in story for title in other.heading.path if mark_of(title) is None}
        title = one.title if is_title else next(iter(one.heading.path[-1:]), "")
        return "" if mark_of(title) or not all(map(self._is_own, works)) else title

    def _is_outside_within(self, place: int) -> bool:
        """Whether a section between chapters is no story: if the book marks it, or if it stands between two works."""
        one = self.sections[place]
        is_between = place + 1 < len(self.sections) and self.sections[place + 1].number == 1
        are_notes = is_notes(one.title) and (is_between or bool(_OF_CHAPTERS.fullmatch(one.title)))
        return one.outside and (one.typed or are_notes or (is_between and one.is_chapter))


def _is_bare(one: TitledSection) -> bool:
    """Whether a section that may be story has no more than a title."""
    return not one.outside and not one.heading.mark and not may_end_story(one.title)


def _continues(story: Sequence[TitledSection], behind: Sequence[TitledSection]) -> bool:
    """Whether the story goes on behind a section: its numbers, a later part, or what the book marks as story."""
    highest = {other.kind: other.number for other in story if other.number}
    known = {title for other in story for title in other.heading.path} if highest else set()
    return any(
        other.role is PartRole.STORY
        or (other.number and other.number == highest.get(other.kind, 0) + 1)
        or any((division_number(title) or 0) > 1 for title in other.heading.path if title not in known)
        for other in behind
        if not other.outside
    )


def _is_prose(paragraph: str) -> bool:
    """Whether it is a long paragraph that ends like a sentence, rather than a list or a title."""
    return unit_count(paragraph) >= _LEAST_OF_PARAGRAPH and bool(_ENDS_SENTENCE.search(paragraph))
