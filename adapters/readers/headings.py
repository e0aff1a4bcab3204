"""Finds where the chapters of a book begin, from its paragraphs; called by all readers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from adapters.readers.contents import without_contents, without_listed
from adapters.readers.layout import TextLayout
from adapters.readers.marks import Candidate, Mark, mark_of
from adapters.readers.naming import clean_name
from adapters.readers.numerals import numbered_marks
from adapters.readers.parts import can_close, paths, with_acts, with_titles
from adapters.readers.rising import continued, rising_numbers
from adapters.readers.subtitles import joined, subtitles
from adapters.readers.titles import title_lines
from core.language.sentences import fold_space, unit_count

_NEAR_WORDS = 100
_PART_WORDS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The beginning of a chapter: the index of its heading among the paragraphs.

    `front` is the index of the first part heading directly above it, else the same index; `path` are the titles of the
    parts that it stands in, outermost first.
    """

    index: int
    front: int
    title: str
    path: tuple[str, ...] = ()
    mark: Mark | None = None


def headings_in(paragraphs: Sequence[str], layout: TextLayout) -> list[Heading]:
    """Return the chapter headings of plain text.

    They are the first of these that the book has: headings that say "chapter", ascending numbers, titles alone.
    """
    marked = marked_in(paragraphs)
    if any(one.mark and one.mark.numbered for one in marked):
        return chosen([*marked, *continued(marked[-1], paragraphs)], paragraphs)
    parts = {one.index for one in marked if one.upper}
    alone = rising_numbers(paragraphs, layout, parts) or title_lines(paragraphs, layout, {one.index for one in marked})
    found = {one.index: one for one in (*marked, *alone)}
    return chosen([found[index] for index in sorted(found)], paragraphs)


def marked_in(paragraphs: Sequence[str]) -> list[Candidate]:
    """Return the lines that say what they head: "chapter", "part", "prologue"."""
    marked = [
        Candidate(index=index, text=text, mark=mark, upper=mark.upper)
        for index, text in enumerate(paragraphs)
        if (mark := mark_of(text))
    ]
    return without_listed(marked, paragraphs)


def chosen(candidates: Sequence[Candidate], paragraphs: Sequence[str], *, subtitled: bool = True) -> list[Heading]:
    """Return the chapters among the candidates, with subtitles; contents lists and pure parts are left out."""
    marked = zip(with_acts(candidates), numbered_marks([one.text for one in candidates]), strict=True)
    told = [one if one.mark else replace(one, mark=mark) for one, mark in marked]
    kept = with_titles(without_contents(_with_word_counts(told, paragraphs)), paragraphs)
    above = {place for place, pair in enumerate(pairwise(kept)) if _stands_above(*pair)}
    titles = _subtitles([one for at, one in enumerate(kept) if at not in above], paragraphs) if subtitled else {}
    return _headings(kept, above, titles)


def _headings(kept: Sequence[Candidate], above: Collection[int], titles: Mapping[int, str]) -> list[Heading]:
    headings: list[Heading] = []
    front: int | None = None
    written: tuple[str, ...] = ()
    for place, (one, path) in enumerate(zip(kept, paths(kept), strict=True)):
        front = one.index if front is None else front
        if place not in above:
            title = clean_name(joined(fold_space(one.text), titles.get(one.index))) or "Untitled"
            part, slash, _ = title.rpartition(" / ")  # a part before the number: `Part II: The Sea / VII: The Shore`
            if slash and mark_of(part):
                written = (part,)  # it holds the chapters behind it, too
            elif can_close(one) and all(" / " in each.text for each in kept[place + 1 : place + 2]):
                written = ()
            headings.append(Heading(index=one.index, front=front, title=title, path=(*path, *written), mark=one.mark))
            front = None
    return headings


def _subtitles(chapters: Sequence[Candidate], paragraphs: Sequence[str]) -> dict[int, str]:
    return subtitles([(one.index, one.text) for one in chapters if one.mark and one.mark.bare], paragraphs)


def _with_word_counts(candidates: Sequence[Candidate], paragraphs: Sequence[str]) -> list[Candidate]:
    """Fill in the number of words between each candidate and the next."""
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
        return (kinds[0] != kinds[1] or one.depth < below.depth) and not one.words_after
    if below.mark and below.mark.numbered:
        return one.words_after <= (_PART_WORDS if one.mark is None or one.mark.upper else _NEAR_WORDS)
    return one.words_after <= (_NEAR_WORDS if below.mark is None else 0)
