"""Distinguishes a contents list from the chapters themselves; called by the search for chapter headings."""

import re
from collections.abc import Sequence

from adapters.readers.marks import Candidate
from core.language.sentences import fold_space

_FEWEST_ENTRIES = 3
_ENTRY_WORDS = 2
_DESCRIBED_ENTRY_WORDS = 40
_LIST_HEADING = re.compile(r"[_*]*(?:table of )?contents[_*]*[.:]?(?: page)?", re.IGNORECASE)
_LIST_WITHIN = 60
_LONGEST_ENTRY = 100
_MOST_ENTRIES = 300
_KNOWN_SHARE = 0.75
# A number before the title, leader dots and a page number after it.
_AROUND_TITLE = re.compile(r"^[\W_]*(?:(?:\d{1,3}|[ivxlc]+)[.:)\s—–-]+)?|[\s.…]*(?:\s(?:\d{1,4}|[ivxlc]+))?[\W_]*$")


def without_contents(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates without those in a list with hardly any text between its entries."""
    keys = _keys(candidates)
    last_place = {key: place for place, key in enumerate(keys)}
    kept: list[Candidate] = []
    start = 0
    while start < len(candidates):
        end = start  # the run is start..end; a heading with text of its own ends it
        while end < len(candidates) - 1 and _is_entry(candidates[end], recurs=last_place[keys[end]] > end):
            end += 1
        run = range(start, end + 1)
        start = end + 1
        first_kept = _first_real(candidates, keys, run, last_place) if _is_list(candidates, run) else run.start
        kept.extend(candidates[first_kept : run.stop])
    return kept


def without_listed(candidates: Sequence[Candidate], paragraphs: Sequence[str]) -> list[Candidate]:
    """Return the candidates without those of a list titled Contents, which ends where its first entry occurs again."""
    head = _list_head(paragraphs) if candidates and candidates[0].index < _LIST_WITHIN else None
    if head is None:
        return [*candidates]
    _, end = _list_below(paragraphs, head)
    near = [one for one in candidates if head <= one.index <= end]
    again = [one.index for one in near[1:] if _mark_name(one) == _mark_name(near[0])]
    span = range(head, again[0] if again else head)
    return [one for one in candidates if one.index not in span]


def _mark_name(one: Candidate) -> tuple[str, int] | None:
    return (one.mark.kind, one.mark.number) if one.mark else None


def _is_list(candidates: Sequence[Candidate], run: range) -> bool:
    chapters = sum(not candidates[place].upper for place in run)
    return chapters >= _FEWEST_ENTRIES or _same_uppers([candidates[place] for place in run])


def listed_headings(paragraphs: Sequence[str]) -> list[int]:
    """Return the paragraphs with the titles of the contents list, in its order; empty if there is no list."""
    head = _list_head(paragraphs)
    if head is None:
        return []
    titles, end = _list_below(paragraphs, head)
    wanted = [*titles]
    found: list[int] = []
    for index in range(end, len(paragraphs)):
        title = _title(paragraphs[index])
        if title in wanted:
            found.append(index)
            wanted = wanted[wanted.index(title) + 1 :]
    return found if len(found) >= max(_FEWEST_ENTRIES, _KNOWN_SHARE * len(titles)) else []


def _list_head(paragraphs: Sequence[str]) -> int | None:
    heads = (at for at, text in enumerate(paragraphs[:_LIST_WITHIN]) if _LIST_HEADING.fullmatch(text.split("\n")[0]))
    return next(heads, None)


def _list_below(paragraphs: Sequence[str], head: int) -> tuple[list[str], int]:
    """Return the titles of a contents list, and the paragraph after it: prose, or a repeated title."""
    titles: list[str] = []
    lines = paragraphs[head].split("\n")[1:]
    for index in range(head + 1, len(paragraphs)):
        titles += filter(None, map(_title, lines))
        lines = paragraphs[index].split("\n")
        if max(map(len, lines)) > _LONGEST_ENTRY or _title(lines[0]) in titles or len(titles) > _MOST_ENTRIES:
            return titles, index
    return titles, len(paragraphs)


def _title(line: str) -> str:
    """Return a title in the form used for comparison; "" if it is too long for a title."""
    return fold_space(_AROUND_TITLE.sub("", line)).casefold() if len(line) <= _LONGEST_ENTRY else ""


def _keys(candidates: Sequence[Candidate]) -> list[tuple[str, ...]]:
    """Return a key for each candidate, its part and number, which is the same in the list and at the chapter."""
    keys: list[tuple[str, ...]] = []
    part = ""
    for one in candidates:
        name = f"{one.mark.kind} {one.mark.number}" if one.mark else fold_space(one.text).casefold()
        if one.upper:
            part = name
        keys.append((part, name))
    return keys


def _is_entry(one: Candidate, *, recurs: bool) -> bool:
    return one.words_after <= (_DESCRIBED_ENTRY_WORDS if recurs else _ENTRY_WORDS)


def _same_uppers(run: Sequence[Candidate]) -> bool:
    """Whether a run is a list of parts, rather than book, part and chapter headings above one another."""
    kinds = [one.mark.kind if one.mark else "" for one in run if one.upper]
    return any(kinds.count(kind) >= _FEWEST_ENTRIES for kind in set(kinds))


def _first_real(
    candidates: Sequence[Candidate],
    keys: Sequence[tuple[str, ...]],
    run: range,
    last_place: dict[tuple[str, ...], int],
) -> int:
    """Return the index in the run of the first real heading; the end of the run if there is none."""
    last = run[-1]
    listed = keys[last] in {keys[place] for place in run[:-1]}
    more_follow = last < len(candidates) - 1
    if not listed and (last_place[keys[last]] > last or not more_follow):
        return last + 1
    first = last
    while first > run[0] and candidates[first - 1].upper:
        first -= 1
    return first
