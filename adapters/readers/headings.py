"""Finds where the chapters of a book begin, from its paragraphs; called by all readers."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from adapters.readers.contents import without_contents
from adapters.readers.marks import Candidate, Mark, lone_number, mark_of
from adapters.readers.naming import clean_name
from adapters.readers.subtitles import joined, subtitles
from core.text.lengths import unit_count
from core.text.sentences import fold_space

_NEAR_WORDS = 100
_LONGEST_SHOUT = 60
_FEWEST_SHOUTS = 3
_FEWEST_PAGE_NUMBERS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The beginning of a chapter: the index of its heading among the paragraphs.

    `front` is where the part headings that stand directly above it begin, else the same index.
    """

    index: int
    front: int
    title: str


def headings_in(paragraphs: Sequence[str], page_of: Sequence[int]) -> list[Heading]:
    """Return the chapter beginnings of plain text; `page_of` is the page of each paragraph, as far as it is known."""
    marked = [
        Candidate(index=index, text=text, mark=mark, upper=mark.upper)
        for index, text in enumerate(paragraphs)
        if (mark := mark_of(text))
    ]
    if not any(one.mark and one.mark.numbered for one in marked):
        numerals = _rising_numerals(paragraphs, page_of, {one.index for one in marked if one.upper})
        marked = sorted([*marked, *numerals], key=lambda one: one.index)
    return chosen(marked or _shouted(paragraphs), paragraphs)


def chosen(candidates: Sequence[Candidate], paragraphs: Sequence[str], *, subtitled: bool = True) -> list[Heading]:
    """Return the chapters among the candidates: no contents list, no part that only holds chapters; with subtitles."""
    kept = without_contents(_measured(candidates, paragraphs))
    above = {one.index for one, below in pairwise(kept) if _stands_above(one, below)}
    chapters = [one for one in kept if one.index not in above]
    bare = [(one.index, one.text) for one in chapters if one.mark and one.mark.bare]
    titles = subtitles(bare, paragraphs) if subtitled else {}
    fronts = _fronts(kept, above)
    return [
        Heading(
            index=one.index,
            front=fronts[one.index],
            title=clean_name(joined(fold_space(one.text), titles.get(one.index))) or "Untitled",
        )
        for one in chapters
    ]


def _fronts(candidates: Sequence[Candidate], above: Set[int]) -> dict[int, int]:
    """Return for each candidate where the headings begin that stand directly above it, itself where none does."""
    fronts: dict[int, int] = {}
    front: int | None = None
    for one in candidates:
        front = one.index if front is None else front
        fronts[one.index] = front
        if one.index not in above:
            front = None
    return fronts


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


def _rising_numerals(paragraphs: Sequence[str], page_of: Sequence[int], parts: set[int]) -> list[Candidate]:
    """Return the paragraphs I, II, III ... that count up by one; after a part they may begin again."""
    found: list[list[Candidate]] = [[]]
    last = 0
    after_part = False
    for index, text in enumerate(paragraphs):
        after_part = after_part or index in parts
        number = lone_number(text)
        begins = number == 1 and (last != 1 or after_part)
        if number is None or not (begins or number == last + 1):
            continue
        if begins:
            found.append([])
        mark = Mark(kind="chapter", number=number, bare=True)
        found[-1].append(Candidate(index=index, text=text, mark=mark))
        last, after_part = number, False
    numerals = [*chain.from_iterable(run for run in found if len(run) > 1)]
    return [] if _are_page_numbers(numerals, page_of) else numerals


def _are_page_numbers(numerals: Sequence[Candidate], page_of: Sequence[int]) -> bool:
    """Tell whether the numbers are those printed on most pages of a book with form feeds."""
    pages = {page_of[one.index] for one in numerals if any(map(str.isdigit, one.text))}
    return len(pages) >= _FEWEST_PAGE_NUMBERS and len(pages) > len(set(page_of)) / 2


def _shouted(paragraphs: Sequence[str]) -> list[Candidate]:
    """Return short lines in capitals; of several in a row (a title page) only the last heads a text."""
    shouted = [
        Candidate(index=index, text=text)
        for index, text in enumerate(paragraphs)
        if len(text) <= _LONGEST_SHOUT
        and text.isupper()
        and "\n" not in text
        and sum(map(str.isalpha, text)) > 1
        and text[0].isalnum()
        and text[-1] not in "!?,;:"
        and text.strip(" .") not in {"THE END", "CONTENTS", "FINIS", "END"}
    ]
    following = {one.index for one in shouted}
    heading = [one for one in shouted if one.index + 1 not in following and one.index + 1 < len(paragraphs)]
    return heading if len(heading) >= _FEWEST_SHOUTS else []
