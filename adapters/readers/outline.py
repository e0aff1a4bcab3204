"""Finds chapters from a table of contents or a nested outline; called by the EPUB and PDF readers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import Final

from adapters.readers.heading_levels import leveled
from adapters.readers.headings import Heading, chosen, marked_in
from adapters.readers.marks import Candidate, Mark, mark_of, title_mark
from adapters.readers.roles import is_never_chapter, titled_role
from core.language.sentences import fold_space, unit_count

_WORDS_OF_A_CHAPTER: Final = 700
_FEWEST_INSIDE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineEntry:
    """One line of a table of contents: `index` is the paragraph at which it begins, `depth` counts from 0."""

    title: str
    index: int
    depth: int


def chapters_of(
    entries: Sequence[OutlineEntry], paragraphs: Sequence[str], levels: Sequence[int] = (), *, subtitled: bool = True
) -> list[Heading]:
    """Return the chapters: of several levels, the one whose entries are neither parts nor mere sections.

    Where the contents list parts or works only, their chapters are the headings inside (by `levels`, where the text has
    them). With `subtitled` a bare `Chapter I` takes its title from the text below it.
    """
    words = [0, *accumulate(unit_count(text) for text in paragraphs)]
    chapter_at: dict[int, Candidate] = {}
    uppers: dict[int, list[Candidate]] = {}
    for root in _tree([entry for entry in entries if fold_space(entry.title)], len(paragraphs)):
        for node in _selected(root, words):
            inside = [] if node.below else _inside(node, paragraphs, words, levels)
            upper = node.is_part or bool(inside)
            one = Candidate(index=node.index, text=node.title, mark=node.mark, upper=upper, depth=node.depth)
            if is_never_chapter(one.text) or (one.index in chapter_at and not chapter_at[one.index].upper):
                continue
            if one.index in chapter_at:
                uppers.setdefault(one.index, []).append(chapter_at[one.index])
            chapter_at.update((each.index, each) for each in (one, *inside))
    candidates = [each for index in sorted(chapter_at) for each in (*uppers.get(index, ()), chapter_at[index])]
    listed = {entry.index for entry in entries} | chapter_at.keys()
    unlisted = [one for one in _headed(candidates, paragraphs, levels) if one.index not in listed]
    return chosen(_with_unlisted(candidates, unlisted), paragraphs, subtitled=subtitled)


def outside_entries(entries: Sequence[OutlineEntry]) -> list[Heading]:
    """Return the entries whose titles are of what stands around the story."""
    told = [(fold_space(entry.title), entry.index) for entry in entries]
    return [Heading(index=index, front=index, title=title) for title, index in told if titled_role(title)]


def _inside(node: "_Node", paragraphs: Sequence[str], words: Sequence[int], levels: Sequence[int]) -> list[Candidate]:
    """Return the headings of chapters in a part, an act or a work whose chapters the contents don't list."""
    if (node.mark and not node.mark.upper and node.kind != "act") or titled_role(node.title):
        return []
    start = node.index + 1
    found = leveled(paragraphs, levels, [at for at in range(start, node.end) if levels and levels[at]])
    if len(found) < _FEWEST_INSIDE:
        found = [replace(one, index=one.index + start) for one in marked_in(paragraphs[start : node.end])]
    if not (node.mark and node.mark.upper):
        kinds = {"scene"} if node.mark else {"chapter", "chap.", "letter", "canto", "stave"}
        found = [one for one in found if (told := mark_of(one.text)) and told.kind in kinds]
    are_numbered = any(one.mark and one.mark.numbered for one in found)
    is_long = words[node.end] - words[start] >= len(found) * _WORDS_OF_A_CHAPTER
    are_chapters = len(found) >= _FEWEST_INSIDE and (are_numbered or is_long)
    return [replace(one, depth=node.depth + 1 + one.depth) for one in found] if are_chapters else []


def _with_unlisted(found: Sequence[Candidate], unlisted: Sequence[Candidate]) -> list[Candidate]:
    """Return the listed headings with those that the contents leave out: of chapters, and behind the last one.

    Headings without a number count between listed ones only where none has a number.
    """
    numbered = [one for one in found if one.mark and one.mark.number and not one.upper]
    last = found[-1].index if numbered else -1
    reached: dict[str, int] = {}
    kept: list[Candidate] = []
    for one in sorted([*found, *unlisted], key=lambda one: one.index):
        kind, number = (one.mark.kind, one.mark.number) if one.mark else ("", 0)
        same = (other.mark for other in numbered if other.index > one.index)
        following = next((mark.number for mark in same if mark and mark.kind == kind), 0)
        is_listed = one in found
        if is_listed or (_goes_on(number, reached.get(kind, 0), following) if number else kind or one.index > last):
            reached[kind] = number
            kept.append(one)
    return kept


def _goes_on(number: int, reached: int, following: int) -> bool:
    """Whether a number is the next one, or begins again before a lower one or behind the last one."""
    return number != following and (number == reached + 1 or (number == 1 and following <= reached))


def _headed(found: Sequence[Candidate], paragraphs: Sequence[str], levels: Sequence[int]) -> Iterable[Candidate]:
    """Yield what may head a chapter: headings with the levels of those found, and lines with the same word."""
    ranks = {levels[one.index] for one in found if levels and not one.upper} - {0}
    kinds = {one.mark.kind for one in found if one.mark and one.mark.numbered}
    depth = max((one.depth for one in found), default=0)
    heads = [level in ranks for level in levels] or [False] * len(paragraphs)
    for index, (text, below) in enumerate(pairwise(paragraphs)):
        mark = title_mark(text) if heads[index] else mark_of(text)
        is_title = heads[index] and not heads[index + 1] and not heads[index - 1]
        is_head = is_title or (mark and (heads[index] or mark.kind in kinds))
        if is_head and not titled_role(text) and not mark_of(below):
            yield Candidate(index=index, text=text, mark=mark, upper=bool(mark and mark.upper), depth=depth)


@dataclass(slots=True)
class _Node:
    """A line of the contents with those below it; `end` is the paragraph at which the next one of its level begins."""

    title: str
    index: int
    end: int
    depth: int
    mark: Mark | None
    below: list["_Node"] = field(default_factory=list)
    is_part: bool = False

    @property
    def kind(self) -> str:
        return self.mark.kind if self.mark else ""


def _tree(entries: Sequence[OutlineEntry], last: int) -> list[_Node]:
    roots: list[_Node] = []
    path: list[tuple[int, _Node]] = []
    for entry in entries:
        while path and path[-1][0] >= entry.depth:
            path.pop()[1].end = entry.index
        title = fold_space(entry.title)
        node = _Node(title=title, index=entry.index, end=last, depth=len(path), mark=title_mark(title))
        (path[-1][1].below if path else roots).append(node)
        path.append((entry.depth, node))
    return roots


def _selected(node: _Node, words: Sequence[int]) -> list[_Node]:
    """Return the node as one chapter, or its children as several, with the node as their part."""
    if not node.below or not _holds_chapters(node, words):
        node.is_part = bool(node.mark and node.mark.upper)
        return [node]
    node.is_part = True
    return [node, *(one for below in node.below for one in _selected(below, words))]


def _holds_chapters(node: _Node, words: Sequence[int]) -> bool:
    if node.mark and (node.mark.upper or (node.kind == "act" and any(one.kind == "scene" for one in node.below))):
        return True
    if node.mark and node.mark.numbered:
        return False
    if any(one.mark and (one.mark.numbered or one.mark.upper) for one in node.below):
        return True
    first = node.below[0]
    if len(node.below) == 1 and not first.below:
        return False  # a chapter with one titled scene
    return words[max(node.end, first.index)] - words[first.index] >= len(node.below) * _WORDS_OF_A_CHAPTER
