"""Tells a contents list from the chapters themselves; called by the search for chapter headings."""

from collections.abc import Sequence

from adapters.readers.marks import Candidate
from core.text.sentences import fold_space

_FEWEST_ENTRIES = 3
_ENTRY_WORDS = 2
_DESCRIBED_ENTRY_WORDS = 40


def without_contents(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates without those that stand in a list with hardly any text between them."""
    keys = _keys(candidates)
    last_place = {key: place for place, key in enumerate(keys)}
    kept: list[Candidate] = []
    start = 0
    while start < len(candidates):
        end = start  # the run is start..end; what ends it is a heading with text of its own
        while end < len(candidates) - 1 and _is_entry(candidates[end], recurs=last_place[keys[end]] > end):
            end += 1
        run = range(start, end + 1)
        first = _first_real(candidates, keys, run, last_place) if _is_list(candidates[start : end + 1]) else start
        kept += candidates[first : end + 1]
        start = end + 1
    return kept


def _is_list(run: Sequence[Candidate]) -> bool:
    return sum(not one.upper for one in run) >= _FEWEST_ENTRIES or _same_uppers(run)


def _keys(candidates: Sequence[Candidate]) -> list[tuple[str, ...]]:
    """Name each candidate by the part it is in and its number, so that list and chapter bear the same name."""
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
    """Tell a list of parts alone from a book, part and chapter that stand above one another."""
    kinds = [one.mark.kind if one.mark else "" for one in run if one.upper]
    return any(kinds.count(kind) >= _FEWEST_ENTRIES for kind in set(kinds))


def _first_real(
    candidates: Sequence[Candidate],
    keys: Sequence[tuple[str, ...]],
    run: range,
    last_place: dict[tuple[str, ...], int],
) -> int:
    """Return the place in the run from which the headings are those of the book (behind the run: none is)."""
    last = run[-1]
    listed = keys[last] in {keys[place] for place in run[:-1]}
    more_follow = last < len(candidates) - 1
    if not listed and (last_place[keys[last]] > last or not more_follow):
        return last + 1
    first = last
    while first > run[0] and candidates[first - 1].upper:
        first -= 1
    return first
