"""Finds what chapters stand in: parts, acts, and the works of a book that holds several; called by `headings`."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from adapters.readers.marks import Candidate, looks_like_title
from adapters.readers.roles import titled_role
from core.language.sentences import fold_space

_LONGEST: Final = 80
_MOST_ABOVE: Final = 4
_BARE_WORDS: Final = 20
_NEAR_WORDS: Final = 100
_NO_TITLE = re.compile(
    r"(?:the )?end\b.*|finis|by\b.*|an? (?:\w+ )?(?:novel|novella|play|tale|story)\b.*|\W*", re.IGNORECASE
)


def with_acts(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates, with acts as parts if there are scenes."""
    kinds = {one.mark.kind for one in candidates if one.mark}
    are_parts = {"act", "scene"} <= kinds
    return [replace(one, upper=one.upper or (are_parts and _kind(one) == "act")) for one in candidates]


def with_titles(candidates: Sequence[Candidate], paragraphs: Sequence[str]) -> list[Candidate]:
    """Return the candidates with those titles as parts, from the text too, that only stand over a chapter."""
    restarts = _restarts(candidates)
    parts = [one for one, below in pairwise(candidates) if not one.upper and _heads_others(one, below, restarts)]
    before = takewhile(lambda one: not (one.mark and one.mark.numbered), candidates)
    if len(parts) == 1 and parts[0] in before:
        parts.clear()  # the book's title, a dedication, a list
    found = [replace(one, upper=one.upper or one in parts) for one in candidates]
    titled = [
        title
        for above, one in pairwise([None, *found])
        if one
        and one.index in restarts
        and not (above and above.upper)
        and (title := _title_over(above, one, paragraphs))
    ]
    if titled and _ends_title_page(titled[0], candidates, restarts):
        del titled[0]
    return sorted([*found, *titled], key=lambda one: one.index)


def _ends_title_page(title: Candidate, candidates: Sequence[Candidate], restarts: frozenset[int]) -> bool:
    """Whether a title over the first chapter is no work's: all that begin again behind it are far shorter."""
    starts = [at for at, one in enumerate(candidates) if one.index in restarts and not _leads(one)]
    lengths = [end - start for start, end in pairwise([*starts, len(candidates)])]
    is_long = bool(lengths[1:]) and lengths[0] > 2 * max(lengths[1:])
    return is_long and title.index < candidates[starts[0]].index


def paths(candidates: Sequence[Candidate]) -> list[tuple[str, ...]]:
    """Return for each candidate the titles of those that it stands in, outermost first."""
    found: list[tuple[str, ...]] = []
    holding: list[Candidate] = []
    nesting: set[int] = set()  # the parts whose chapters the contents list a level deeper
    for one, below in zip(candidates, [*candidates[1:], None], strict=False):
        while holding and holding[-1].depth > one.depth:
            holding.pop()
        same = [place for place, above in enumerate(holding) if above.depth == one.depth and _kind(above) == _kind(one)]
        if one.upper and same:
            del holding[same[0] :]
        while holding and holding[-1].depth == one.depth and holding[-1].index in nesting:
            holding.pop()
        nesting.update(above.index for above in holding[-1:] if above.depth < one.depth)
        stands_behind = can_close(one) and (below is None or below.upper)
        inside = [above for above in holding if above.depth < one.depth or not stands_behind]
        found.append(tuple(fold_space(above.text).strip("_*[] ") for above in inside))
        if one.upper and (one.mark is None or one.mark.upper or one.mark.kind == "act"):
            holding.append(one)
    return found


def can_close(one: Candidate) -> bool:
    """Whether a heading is an epilogue or the like, which stands behind the part before it where no chapter follows."""
    return bool(one.mark and not one.mark.numbered and not one.upper and _kind(one) != "prologue")


def _kind(one: Candidate) -> str:
    return one.mark.kind if one.mark else ""


def _restarts(candidates: Sequence[Candidate]) -> frozenset[int]:
    """Return the indices of the chapters numbered 1 if their kind begins more than once, and of late prologues.

    A preface directly above such a chapter is one too.
    """
    firsts = [one for one in candidates if one.mark and one.mark.numbered and one.mark.number == 1]
    times = Counter(map(_kind, firsts))
    late = [one for one in candidates if _kind(one) == "prologue" and firsts and one.index > firsts[0].index]
    found = {one.index for one in (*late, *firsts) if one in late or times[_kind(one)] > 1}
    above = {one.index for one, below in pairwise(candidates) if below.index in found and _leads(one)}
    return frozenset(found | above)


def _leads(one: Candidate) -> bool:
    """Whether it is a prologue, a preface or the like."""
    return bool(one.mark and not one.mark.numbered and not one.mark.upper)


def _heads_others(one: Candidate, below: Candidate, restarts: frozenset[int]) -> bool:
    """Whether a title without a number is only that of a part, with hardly any text of its own above a number."""
    heads = bool(below.mark and below.mark.numbered) or below.index in restarts
    if one.mark or titled_role(one.text) or not heads:
        return False
    return one.words_after <= (_NEAR_WORDS if below.index in restarts else _BARE_WORDS)


def _title_over(above: Candidate | None, one: Candidate, paragraphs: Sequence[str]) -> Candidate | None:
    """Return the title in the few lines over a chapter 1."""
    begin = max(above.index + 1 if above else 0, one.index - _MOST_ABOVE)
    for index in range(one.index - 1, begin - 1, -1):
        text = paragraphs[index]
        is_title = len(text) <= _LONGEST and "\n" not in text and (text.isupper() or looks_like_title(text))
        if is_title and not _NO_TITLE.fullmatch(text.strip(" .*_")):
            return Candidate(index=index, text=text, upper=not titled_role(text), depth=one.depth)
    return None
