"""The sections of a book with what their titles and the book's own marks say; used to separate the story."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final

from adapters.readers.headings import Heading
from adapters.readers.marks import looks_like_title, mark_of, title_mark
from adapters.readers.roles import is_about_books, is_never_chapter, is_notes, may_end_story, titled_role, typed_role
from core.domain.book import PartRole
from core.language.sentences import fold_space

_LONGEST_LINE: Final = 80
UNNAMED: Final = "before the first chapter"
_THE_END = re.compile(r"[\W_]*(?:the end|finis)[\W_]*", re.IGNORECASE)
_IMPRINT = re.compile(
    r"(?:(?:[A-Z]\w+: )?(?:first |made and |set and )?(?:published|printed|typeset)(?: and bound)? (?:at|by|in)\b"
    r"|.{0,60}\b(?:press|printers)\b.{0,60}(?<![.!?”\"])$)",
    re.IGNORECASE,
)
_OPENING: Final = 20
_MOST_OF_IMPRINT: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What the marks of an EPUB say about the paragraphs `start` to `stop`."""

    start: int
    stop: int
    types: frozenset[str]


@dataclass(slots=True, kw_only=True)
class TitledSection:
    """A heading and what the section under it is: `role` None for a chapter that nothing says more about."""

    heading: Heading
    is_chapter: bool = True
    role: PartRole | None = None
    title: str = ""
    why: str = ""
    typed: bool = False

    @property
    def outside(self) -> bool:
        """Whether it is known to be no story."""
        return self.role not in {None, PartRole.STORY}

    @property
    def number(self) -> int:
        """The printed number of a chapter; 0 without one."""
        mark = self.heading.mark
        return mark.number if mark and mark.numbered else 0

    @property
    def kind(self) -> str:
        """The word before the number: `chapter`, `letter`."""
        return self.heading.mark.kind if self.heading.mark else ""

    def is_now(self, role: PartRole, why: str, title: str = "") -> None:
        """Fill in its role, and why."""
        self.role, self.why, self.title = role, why, title or self.title


def sections_of(
    headings: Sequence[Heading],
    others: Iterable[Heading],
    typed: Sequence[Typed],
    paragraphs: Sequence[str],
    apart: Set[int] = frozenset(),
) -> list[TitledSection]:
    """Return a section for each heading, in order.

    `others` are headings of what is never a chapter; `apart` are the paragraphs that stand apart from those above.
    """
    found = {one.index: TitledSection(heading=one, title=one.title) for one in headings}
    marked = {one.index: one for one in _headings_of(typed, paragraphs)}
    for one in (*others, *marked.values()):
        is_chapter = one.index in marked and not is_never_chapter(one.title)
        found.setdefault(one.index, TitledSection(heading=one, title=one.title, is_chapter=is_chapter))
    for section in found.values():
        _guess(section, typed)
    if headings:
        _add_unnamed(found, paragraphs, 0, UNNAMED)
        for index in range(headings[-1].index + 1, len(paragraphs)):
            if why := _why_ended(index, paragraphs, apart if headings[-1].mark else frozenset()):
                _add_unnamed(found, paragraphs, index, why)
                break
    return [found[index] for index in sorted(found)]


def _add_unnamed(found: dict[int, TitledSection], paragraphs: Sequence[str], index: int, why: str) -> None:
    """Add a section for text without a heading, with its first words as its title."""
    lines = (fold_space(text.split("\n")[0])[:_LONGEST_LINE] for text in paragraphs[index:])
    title = next((line for line in lines if any(map(str.isalpha, line))), "")
    if title and index not in {front for one in found.values() for front in (one.heading.index, one.heading.front)}:
        heading = Heading(index=index, front=index, title=title)
        role = PartRole.NOTES if is_notes(title) else PartRole.BACK
        found[index] = TitledSection(heading=heading, title=title, is_chapter=False, role=role, why=why)


def _why_ended(index: int, paragraphs: Sequence[str], titles: Set[int]) -> str:
    """Return why a paragraph of the last chapter and what is behind it are no story; "" if they may be."""
    text, behind = paragraphs[index], paragraphs[index + 1 : index + 1 + _OPENING]
    if _THE_END.fullmatch(paragraphs[index - 1]):
        return "after THE END"
    if _IMPRINT.match(text) and len(behind) <= _MOST_OF_IMPRINT:
        return "an imprint"
    if not behind or not is_title(text):
        return ""
    if text.isupper() and is_about_books(behind, "", "", numbered=False):
        return "after the last chapter; about books"
    is_other = index in titles and text[0].isalnum() and not may_end_story(text) and not title_mark(text)
    return "after the last chapter, under a title of its own" if is_other else ""


def is_title(text: str) -> bool:
    """Whether a line may be the title of a section."""
    return len(text) <= _LONGEST_LINE and "\n" not in text and looks_like_title(text)


def outside_lines(paragraphs: Sequence[str], headings: Sequence[Heading], levels: Sequence[int] = ()) -> list[Heading]:
    """Return the lines (headings, where there are levels) that head what is no story.

    They stand around the chapters, or head notes at the end of one.
    """
    first, last = (headings[0].front, headings[-1].index) if headings else (0, 0)
    known = {one.index for one in headings}
    within = chain.from_iterable(range(one.index + 1, below.front) for one, below in pairwise(headings))
    notes = [at for at in within if is_notes(paragraphs[at])]
    places = [*range(first), *notes, *range(last + 1, len(paragraphs))] if headings else []
    return [
        Heading(index=index, front=index, title=fold_space(paragraphs[index]).strip("_*[] "))
        for index in places
        if index not in known and (not levels or levels[index]) and _heads_outside(paragraphs[index])
    ]


def _heads_outside(text: str) -> bool:
    return is_title(text) and titled_role(text) is not None


def told_at(index: int, typed: Sequence[Typed]) -> tuple[PartRole, str] | None:
    """Return what the book's own marks say about a paragraph, and the telling one."""
    return typed_role({kind for one in typed if one.start <= index < one.stop for kind in one.types})


def _guess(section: TitledSection, typed: Sequence[Typed]) -> None:
    """Fill in what the book's marks, the section's title, or the titles above it say."""
    told = told_at(section.heading.index, typed)
    if told and not (told[0] is PartRole.STORY and is_never_chapter(section.title)):
        section.is_now(told[0], f"EPUB semantics: {told[1]}")
        section.typed = True
        return
    for title in (section.title, *reversed(section.heading.path)):
        mark = mark_of(title)
        role = None if mark and (mark.upper or mark.numbered) else titled_role(title)
        if role:
            section.is_now(role, "title", title)
            return


def _headings_of(typed: Sequence[Typed], paragraphs: Sequence[str]) -> Iterable[Heading]:
    """Return a heading for each marked section outside the story: its first line, else what the mark says."""
    for one in typed:
        told = typed_role(one.types)
        if told and told[0] is not PartRole.STORY and one.start < one.stop:
            line = fold_space(paragraphs[one.start])
            title = line if len(line) <= _LONGEST_LINE else told[1].capitalize()
            yield Heading(index=one.start, front=one.start, title=title)
