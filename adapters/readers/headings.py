"""Finds where the chapters of a book begin, from its paragraphs; called by all readers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from adapters.readers.contents import without_contents, without_listed
from adapters.readers.layout import TextLayout
from adapters.readers.marks import Candidate, mark_of
from adapters.readers.naming import clean_name
from adapters.readers.rising import rising_numbers
from adapters.readers.subtitles import joined, subtitles
from adapters.readers.titles import title_lines
from core.language.sentences import fold_space, unit_count

_NEAR_WORDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The beginning of a chapter: the index of its heading among the paragraphs.

    `front` is where the part headings that stand directly above it begin, else the same index.
    """

    index: int
    front: int
    title: str


def headings_in(paragraphs: Sequence[str], layout: TextLayout) -> list[Heading]:
    """Return the chapter beginnings of plain text.

    They are the first of these that the book has: chapters called so, numbers that count up, titles alone.
    """
    marked = [
        Candidate(index=index, text=text, mark=mark, upper=mark.upper)
        for index, text in enumerate(paragraphs)
        if (mark := mark_of(text))
    ]
    marked = without_listed(marked, paragraphs)
    if any(one.mark and one.mark.numbered for one in marked):
        return chosen(marked, paragraphs)
    parts = {one.index for one in marked if one.upper}
    alone = rising_numbers(paragraphs, layout, parts) or title_lines(paragraphs, layout, {one.index for one in marked})
    found = {one.index: one for one in (*marked, *alone)}
    return chosen([found[index] for index in sorted(found)], paragraphs)


def chosen(candidates: Sequence[Candidate], paragraphs: Sequence[str], *, subtitled: bool = True) -> list[Heading]:
    """Return the chapters among the candidates: no contents list, no part that only holds chapters; with subtitles."""
    kept = without_contents(_measured(candidates, paragraphs))
    above = {one.index for one, below in pairwise(kept) if _stands_above(one, below)}
    titles = _subtitles([one for one in kept if one.index not in above], paragraphs) if subtitled else {}
    return _headings(kept, above, titles)


def _headings(kept: Sequence[Candidate], above: Collection[int], titles: Mapping[int, str]) -> list[Heading]:
    headings: list[Heading] = []
    front: int | None = None
    for one in kept:
        front = one.index if front is None else front
        if one.index not in above:
            title = clean_name(joined(fold_space(one.text), titles.get(one.index))) or "Untitled"
            headings.append(Heading(index=one.index, front=front, title=title))
            front = None
    return headings


def _subtitles(chapters: Sequence[Candidate], paragraphs: Sequence[str]) -> dict[int, str]:
    return subtitles([(one.index, one.text) for one in chapters if one.mark and one.mark.bare], paragraphs)


def _measured(candidates: Sequence[Candidate], paragraphs: Sequence[str]) -> list[Candidate]:
    """Fill in how many words stand between each candidate and the next."""
    ends = [*(one.index for one in candidates), len(paragraphs)][1:]
    return [
        replace(one, words_after=sum(unit_count(text) for text in paragraphs[one.index + 1 : end]))
        for one, end in zip(candidates, ends, strict=True)
    ]


def _stands_above(one: Candidate, below: Candidate) -> bool:
    if not one.upper:
        return False
    if below.upper:
        kinds = (one.mark.kind if one.mark else "", below.mark.kind if below.mark else "")
        return kinds[0] != kinds[1] and not one.words_after
    numbered = below.mark is None or below.mark.numbered
    return one.words_after <= (_NEAR_WORDS if numbered else 0)
