"""Chapters from a table of contents or an outline of several levels, and which pages hold the story between them.

Called by the EPUB and PDF readers.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Final

from adapters.readers.headings import Heading, chosen
from adapters.readers.marks import Candidate, Mark, lone_number, mark_of
from core.domain.book import Chapter, Page
from core.domain.numbers import printed_chapter_number, printed_division_number
from core.language.sentences import fold_space, unit_count

_WORDS_OF_A_CHAPTER: Final = 700
_LEAST_OF_PROLOGUE: Final = 250
_LEAST_OF_PARAGRAPH: Final = 30
_ENDS_SENTENCE = re.compile(r"[.!?…][”’\"')\]*_]*\s*$")
_NEVER_CHAPTERS = re.compile(
    r"(?:front |back |book )?cover(?: page| image)?|(?:half[- ]?)?title[- ]?page|half[- ]?title|frontispiece"
    r"|copyright(?: page| notice)?|copyright,? (?:©|\(c\)|\d{4}).{0,200}|uncopyright|legal notice|imprint|colophon"
    r"|(?:table of |list of )?contents|contents page|illustrations|index|landmarks|back ?matter|front ?matter"
    r"|(?:a )?list of (?:the )?(?:illustrations|plates|figures|maps|tables)|dedication|newsletter"
    r"|(?:the )?(?:full )?project gutenberg(?:™|-tm)? (?:licen[sc]e|e-?(?:book|text) of .{1,200})"
    r"|(?:also|books|other books) by .{0,80}"
    r"|by the same author|about the (?:author|publisher)|praise for .{0,80}",
    re.IGNORECASE,
)
_FRONT = re.compile(
    r"(?:(?:author|translator|editor|transcriber|publisher)[’']?s[’']? )?"
    r"(?:preface|introduction|foreword|introductory|acknowledge?ments?|dedicat\w+|epigraph|note|notes?)\b"
    r"|(?:general |original |a )?(?:transcriber|translator|editor)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:end ?|foot|descriptive |explanatory )?notes\b|appendi|bibliograph|glossary|acknowledge?ments?|about the author"
    r"|afterword|(?:the )?(?:full )?project gutenberg|suggestions to|(?:a )?reading list|a pronouncing"
    r"|(?:discussion )?questions (?:for|about|and)\b|discussion questions|(?:reading|reader[’']?s) (?:group|guide)"
    r"|transcriber",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineEntry:
    """One line of a table of contents: `index` is that of the paragraph at which it begins, `depth` counts from 0."""

    title: str
    index: int
    depth: int


def chapters_of(entries: Sequence[OutlineEntry], paragraphs: Sequence[str], *, subtitled: bool = True) -> list[Heading]:
    """Return the chapters: of several levels the one whose entries are no parts and no mere sections.

    With `subtitled` a bare `Chapter I` takes its title from the text below it.
    """
    roots = _tree([entry for entry in entries if fold_space(entry.title)])
    words = [0, *accumulate(unit_count(text) for text in paragraphs)]
    ends = _ends(roots, len(paragraphs))
    chapter_at: dict[int, Candidate] = {}
    for root in roots:
        for node in _selected(root, words, ends):
            title, index = fold_space(node.entry.title), node.entry.index
            if is_never_chapter(title) or (index in chapter_at and not chapter_at[index].upper):
                continue
            chapter_at[index] = Candidate(index=index, text=title, mark=_mark(title), upper=node.is_part)
    return chosen([chapter_at[index] for index in sorted(chapter_at)], paragraphs, subtitled=subtitled)


def back_matter(entries: Iterable[OutlineEntry], headings: Sequence[Heading]) -> int | None:
    """Return the paragraph at which what is no chapter begins behind the last one, None where nothing does."""
    last = headings[-1].index if headings else 0
    behind = [entry.index for entry in entries if entry.index > last and is_back(entry.title)]
    return min(behind, default=None)


def is_never_chapter(title: str) -> bool:
    """Tell whether what is called so (a cover, a list, a licence) is no chapter, wherever it stands."""
    return bool(_NEVER_CHAPTERS.fullmatch(fold_space(title).strip(" .:*—-")))


def is_front(title: str) -> bool:
    """Tell whether what is called so is no part of the story where it stands before it."""
    return bool(_FRONT.match(fold_space(title))) or is_back(title)


def is_back(title: str) -> bool:
    """Tell whether what is called so stands behind the story."""
    return bool(_BACK.match(fold_space(title))) or is_never_chapter(title)


def story_span(chapters: Sequence[Chapter], pages: Sequence[Page]) -> tuple[int, int]:
    """Return the first and last page of the story by the names of what comes before and behind it.

    Prose without a heading before the first chapter may be a prologue, and belongs to the story.
    """
    story = [*chapters]
    while story and is_front(story[0].title):
        story.pop(0)
    if not story:
        return 1, len(pages)
    first, last = story[0].first_page, len(pages)
    if len(story) == len(chapters):
        first = _prologue_page(pages[: first - 1]) or first
    if not {printed_chapter_number(story[0].title), printed_division_number(story[0].title)} <= {None, 1}:
        first = 1  # the book's first chapter was not found
    while len(story) > 1 and is_back(story[-1].title):
        last = max(first, story.pop().first_page - 1)
    return first, last


def _prologue_page(before: Sequence[Page]) -> int | None:
    """Return the page on which prose begins before the first chapter; None where there is hardly any."""
    prose = [
        (page.number, sum(words for text in page.text.split("\n\n") if (words := _words_of_prose(text))))
        for page in before
    ]
    found = [number for number, words in prose if words]
    return found[0] if sum(words for _, words in prose) >= _LEAST_OF_PROLOGUE else None


def _words_of_prose(paragraph: str) -> int:
    """Return how many words a paragraph has that is long and ends as a sentence does; 0 for a list or a title."""
    words = unit_count(paragraph)
    return words if words >= _LEAST_OF_PARAGRAPH and _ENDS_SENTENCE.search(paragraph) else 0


def within(chapters: Sequence[Chapter], first: int, last: int) -> tuple[Chapter, ...]:
    """Return the chapters of the story alone, numbered anew, none beyond its last page."""
    inside = [one for one in chapters if first <= one.first_page <= last]
    return tuple(
        replace(one, number=number, last_page=min(one.last_page, last)) for number, one in enumerate(inside, 1)
    )


@dataclass(slots=True)
class _Node:
    entry: OutlineEntry
    below: list["_Node"] = field(default_factory=list)
    is_part: bool = False


def _tree(entries: Sequence[OutlineEntry]) -> list[_Node]:
    roots: list[_Node] = []
    path: list[_Node] = []
    for entry in entries:
        node = _Node(entry)
        while path and path[-1].entry.depth >= entry.depth:
            path.pop()
        (path[-1].below if path else roots).append(node)
        path.append(node)
    return roots


def _ends(roots: Sequence[_Node], last: int) -> dict[int, int]:
    """Return for each node (by its identity) the paragraph before which the next one of its level or above begins."""
    ends: dict[int, int] = {}

    def fill(nodes: Sequence[_Node], end: int) -> None:
        for place, node in enumerate(nodes):
            ends[id(node)] = nodes[place + 1].entry.index if place + 1 < len(nodes) else end
            fill(node.below, ends[id(node)])

    fill(roots, last)
    return ends


def _selected(node: _Node, words: Sequence[int], ends: dict[int, int]) -> list[_Node]:
    """Return the node as one chapter, or what is below it as several, with the node above them as a part."""
    mark = _mark(node.entry.title)
    if not node.below or not _holds_chapters(node, mark, words, ends):
        node.is_part = bool(mark and mark.upper)
        return [node]
    node.is_part = True
    return [node, *(one for below in node.below for one in _selected(below, words, ends))]


def _holds_chapters(node: _Node, mark: Mark | None, words: Sequence[int], ends: dict[int, int]) -> bool:
    if mark and mark.upper:
        return True
    numbered = [one for below in node.below if (one := _mark(below.entry.title)) and one.numbered]
    if mark and mark.numbered:
        return False
    if numbered:
        return True
    if len(node.below) == 1 and not node.below[0].below:
        return False  # a chapter with one scene that has a name
    mean = (words[max(ends[id(node)], node.below[0].entry.index)] - words[node.below[0].entry.index]) / len(node.below)
    return mean >= _WORDS_OF_A_CHAPTER


def _mark(title: str) -> Mark | None:
    text = fold_space(title)
    number = lone_number(text)
    if number is not None:
        return Mark(kind="chapter", number=number, bare=True)
    return mark_of(text)
