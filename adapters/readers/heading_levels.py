"""Chapters from headings that say their own level; called by the Markdown and EPUB readers."""

from collections.abc import Sequence

from adapters.readers.headings import Heading, chosen
from adapters.readers.marks import Candidate, Mark, lone_number, mark_of

_TITLE_WITHIN = 4


def chapters_by_level(paragraphs: Sequence[str], levels: Sequence[int]) -> list[Heading]:
    """Return the chapters; `levels` has 0 for a paragraph of text. A heading that names the book is none."""
    headed = [index for index, level in enumerate(levels) if level]
    title = title_heading(paragraphs, levels)
    return _chapters(paragraphs, levels, [index for index in headed if index != title])


def title_heading(paragraphs: Sequence[str], levels: Sequence[int]) -> int | None:
    """Return the heading that names the book: the first, if no other has its rank or the next stands right below it."""
    headed = [index for index, level in enumerate(levels) if level]
    if not headed or headed[0] >= _TITLE_WITHIN or _mark(paragraphs[headed[0]]):
        return None
    first = headed[0]
    level = levels[first]
    below = [levels[index] for index in headed[1:]]
    if all(other > level for other in below):
        return first
    return first if headed[1] == first + 1 and level <= below[0] else None


def _chapters(paragraphs: Sequence[str], levels: Sequence[int], headed: Sequence[int]) -> list[Heading]:
    if not headed:
        return []
    level = _chapter_level(paragraphs, levels, headed)
    candidates: list[Candidate] = []
    for index in headed:
        mark = _mark(paragraphs[index])
        if levels[index] <= level:
            upper = levels[index] < level or bool(mark and mark.upper)
            candidates.append(Candidate(index=index, text=paragraphs[index], mark=mark, upper=upper))
    return chosen(candidates, paragraphs)


def _chapter_level(paragraphs: Sequence[str], levels: Sequence[int], headed: Sequence[int]) -> int:
    """Return the level of the numbered chapters, else the highest one that does not only hold parts."""
    ranks = [levels[index] for index in headed]
    marks = [_mark(paragraphs[index]) for index in headed]
    numbered = [level for level, mark in zip(ranks, marks, strict=True) if mark and mark.numbered]
    if numbered:
        return max(sorted(set(numbered)), key=numbered.count)
    for level in sorted(set(ranks)):
        here = [mark for other, mark in zip(ranks, marks, strict=True) if other == level]
        if not all(mark and mark.upper for mark in here):
            return level
    return min(ranks)


def _mark(text: str) -> Mark | None:
    number = lone_number(text)
    return Mark(kind="chapter", number=number, bare=True) if number is not None else mark_of(text)
