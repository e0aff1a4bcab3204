"""Finds chapters from headings with explicit levels; called by the Markdown and EPUB readers."""

from collections.abc import Sequence

from adapters.readers.headings import Heading, chosen
from adapters.readers.marks import Candidate, title_mark
from adapters.readers.roles import titled_role

_TITLE_WITHIN = 4


def chapters_by_level(paragraphs: Sequence[str], levels: Sequence[int]) -> list[Heading]:
    """Return the chapters; `levels` has 0 for a paragraph of text. The book's title is no chapter."""
    headed = [index for index, level in enumerate(levels) if level]
    title = title_heading(paragraphs, levels)
    return chosen(leveled(paragraphs, levels, [index for index in headed if index != title]), paragraphs)


def title_heading(paragraphs: Sequence[str], levels: Sequence[int]) -> int | None:
    """Return the heading that is the book's title: the first, if it alone has its level or another follows directly."""
    headed = [index for index, level in enumerate(levels) if level]
    if not headed or headed[0] >= _TITLE_WITHIN or title_mark(paragraphs[headed[0]]):
        return None
    first = headed[0]
    level = levels[first]
    below = [levels[index] for index in headed[1:]]
    if all(other > level for other in below):
        return first
    if _is_first_work(paragraphs, [index for index in headed if levels[index] == level], headed):
        return None
    return first if headed[1] == first + 1 and level <= below[0] else None


def _is_first_work(paragraphs: Sequence[str], titles: Sequence[int], headed: Sequence[int]) -> bool:
    """Whether the first of the titles is one of several works: numbers begin again under another, for about as long."""
    works: list[list[int]] = []
    for index in headed:
        mark = title_mark(paragraphs[index])
        if index == titles[0] or (index in titles and not mark and not titled_role(paragraphs[index])):
            works.append([])
        elif mark and mark.numbered:
            works[-1].append(mark.number)
    first, *others = works
    return bool(first) and any(numbers[:1] == [1] and 2 * len(numbers) >= len(first) for numbers in others)


def leveled(paragraphs: Sequence[str], levels: Sequence[int], headed: Sequence[int]) -> list[Candidate]:
    """Return the headings of chapters among these, and those of the parts above."""
    if not headed:
        return []
    level = _chapter_level(paragraphs, levels, headed)
    candidates: list[Candidate] = []
    for index in headed:
        mark = title_mark(paragraphs[index])
        if levels[index] <= level:
            upper = bool(mark and mark.upper) or (levels[index] < level and not titled_role(paragraphs[index]))
            candidates.append(
                Candidate(index=index, text=paragraphs[index], mark=mark, upper=upper, depth=levels[index])
            )
    return candidates


def _chapter_level(paragraphs: Sequence[str], levels: Sequence[int], headed: Sequence[int]) -> int:
    """Return the level of numbered chapters, else the highest level that does not contain only parts."""
    ranks = [levels[index] for index in headed]
    marks = [title_mark(paragraphs[index]) for index in headed]
    numbered = [level for level, mark in zip(ranks, marks, strict=True) if mark and mark.numbered]
    if numbered:
        return max(sorted(set(numbered)), key=numbered.count)
    for level in sorted(set(ranks)):
        here = [mark for other, mark in zip(ranks, marks, strict=True) if other == level]
        if not all(mark and mark.upper for mark in here):
            return level
    return min(ranks)
