"""Lists the people and places on the read pages, and tells them apart by the words around their names.

Names are counted as they are written and never merged: that two names are one person is often the twist. Only if read
pages join a first name and a surname themselves, the more frequent of the two is listed alone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from weakref import WeakKeyDictionary

from core.answering.extracts.names import NameSeen, is_title, names_seen, title_of
from core.answering.extracts.people import Mentions, find_as_written
from core.answering.extracts.read_text import ReadText

_LEAST_OFTEN: Final = 3
_SELDOM: Final = 4
_WITHIN: Final = 6
_BEHIND: Final = 3
_HARDLY_ACTS: Final = 5
_TWICE: Final = 2
_SPEAKS: Final = 2
_HARDLY_SPEAKS: Final = 10
_HARDLY_MANY: Final = 10
_seen: Final[WeakKeyDictionary[ReadText, list[NameSeen]]] = WeakKeyDictionary()
_somebody: Final[WeakKeyDictionary[ReadText, Mapping[str, str]]] = WeakKeyDictionary()
_full_names: Final[WeakKeyDictionary[ReadText, Mapping[str, str]]] = WeakKeyDictionary()
"""Caches of the names on all pages of a text, since a recap needs them for each chapter."""
_NAMED_AS_PLACE: Final = re.compile(
    r"(?:^| )(?:Road|Street|Lane|Quay|Avenue|Bay|Island|Inn|River|Farm)$| (?:Square|Row|Bridge|Hill|Gardens)$"
)


def people(read: ReadText, first_page: int, last_page: int, *, most: int) -> list[str]:
    """Return the people who come up most on some read pages. All read pages decide whether a name is a person."""
    known = _somebody.get(read)
    if known is None:
        known = _somebody[read] = {each.name: _listed_as(each) for each in _somebodies(_all_seen(read))}
        _full_names[read] = _in_full(_all_seen(read))
    seen = (
        _all_seen(read)
        if first_page <= read.first_page and last_page >= read.last_page
        else names_seen(read, first_page, last_page)
    )
    chosen = _of_different_people((each.name for each in seen if each.name in known), _full_names[read])[:most]
    return [known[name] for name in chosen]


def cast(read: ReadText, *, most: int, skipping: int = 0) -> list[Mentions]:
    """Return the people who come up most on the pages read, most mentioned first, without the first `skipping`."""
    return _mentioned(read, people(read, 1, read.last_page, most=skipping + most)[skipping:])


def places(read: ReadText, *, most: int) -> list[Mentions]:
    """Return the places that come up most: names that follow a preposition of place and act rarely."""
    seen = _all_seen(read)
    known = {part for each in _somebodies(seen) for part in each.name.split()}
    named = [each.name for each in seen if _is_place(each) and known.isdisjoint(each.name.split())]
    return _mentioned(read, _of_different_people(named, {})[:most])


def _all_seen(read: ReadText) -> list[NameSeen]:
    found = _seen.get(read)
    if found is None:
        found = _seen[read] = names_seen(read, 1, read.last_page)
    return found


def _mentioned(read: ReadText, names: Iterable[str]) -> list[Mentions]:
    found = (find_as_written(read, name) for name in names)
    return sorted((each for each in found if each is not None), key=lambda each: -each.total)


def _somebodies(seen: Sequence[NameSeen]) -> list[NameSeen]:
    """Return the names of people, with an article or without."""
    counts = {each.name: each.count for each in seen}
    return [
        each
        for each in seen
        if not (is_title(each.name) or _NAMED_AS_PLACE.search(each.name))
        and (_is_called(each, many=counts.get(f"{each.name}s", 0)) if _has_article(each) else _is_somebody(each))
    ]


def _is_called(seen: NameSeen, *, many: int) -> bool:
    """Whether a name with an article is a person: "the Duchess" speaks, whereas "the Saxons" has a plural."""
    speaks = seen.speaks >= _SPEAKS and seen.speaks * _HARDLY_SPEAKS >= seen.count
    return speaks and many * _HARDLY_MANY < seen.count


def _is_somebody(seen: NameSeen) -> bool:
    """Whether a name without an article is a person: it acts, and is not a place."""
    if not seen.does or seen.after_place * 2 > seen.count + seen.does:
        return False
    # A place, a ship or a people can also have or be something, but follows prepositions of place more often.
    is_where = seen.within_place * _WITHIN >= seen.count and seen.after_place * _BEHIND >= seen.count
    if is_where and seen.acts * _HARDLY_ACTS < seen.count:
        return False
    stands_alone = max(seen.within_place, seen.with_article, seen.second) * _SELDOM < seen.count
    return bool(seen.acts) or (seen.count >= _LEAST_OFTEN and stands_alone)


def _has_article(seen: NameSeen) -> bool:
    return seen.with_article * 2 > seen.count


def _listed_as(seen: NameSeen) -> str:
    return f"the {seen.name}" if _has_article(seen) else seen.name


def _is_place(seen: NameSeen) -> bool:
    stands_so = seen.within_place * 2 > seen.count and seen.does * 4 < seen.count
    is_named_so = _NAMED_AS_PLACE.search(seen.name) is not None
    return (stands_so or is_named_so) and seen.count >= _LEAST_OFTEN and not title_of(seen.name)


def _of_different_people(names: Iterable[str], in_full: Mapping[str, str]) -> list[str]:
    """Return names without those that share a word with an earlier one, unless their titles tell them apart.

    `in_full` maps surnames to the first names of the same person; only the earlier of both is kept.
    """
    chosen: list[str] = []
    taken: dict[str, set[str]] = {}
    for name in names:
        title, parts = title_of(name), _parts(name)
        is_known = in_full.get(name, name) in chosen or any(in_full.get(each) == name for each in chosen)
        if not is_known and all(_is_another(title, taken[part]) for part in parts & taken.keys()):
            chosen.append(name)
            for part in parts:
                taken.setdefault(part, set()).add(title)
    return chosen


def _in_full(seen: Iterable[NameSeen]) -> Mapping[str, str]:
    """Return for each surname its usual first name, where it has one."""
    found: dict[str, Counter[str]] = {}
    for each in seen:
        *first, surname = each.name.split()
        if first and not title_of(each.name):
            found.setdefault(surname, Counter())[first[-1]] += each.count
    return {surname: most for surname, counts in found.items() if (most := _usual(counts))}


def _usual(counts: Counter[str]) -> str:
    (most, often), *_others = counts.most_common(1)
    return most if often >= _LEAST_OFTEN and often >= _TWICE * (counts.total() - often) else ""


def _parts(name: str) -> set[str]:
    """Return the words of a name without its title."""
    return {part for part in name.split() if not title_of(f"{part} ")}


def _is_another(title: str, titles: set[str]) -> bool:
    """Whether a name with this title is a different person from those with the same name and these titles."""
    return bool(title) and title not in titles and "" not in titles
