"""Finds contents lists within the text, since their titles would be spoilers; called by `content`.

A list is a row of short paragraphs, each with a link to where a chapter begins: a target in the book's own contents, a
heading, or the beginning of a document.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence, Set
from operator import itemgetter
from typing import Final

from lxml import etree

from adapters.readers.epub.archive import resolved
from adapters.readers.epub.markup import Tree, attribute, local_name, names_of
from adapters.readers.epub.navigation import Target

_FEWEST_LISTED: Final = 5
_MOSTLY_LINKS: Final = 0.6
_LONGEST_LINE: Final = 300
_FURTHEST_APART: Final = 150
_LONGEST_LIST: Final = 20_000
_LINES: Final = frozenset({"p", "li", "tr", "dt", "dd", "div", "h1", "h2", "h3", "h4", "h5", "h6"})
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

_Line = tuple[Tree, Target]
"""A paragraph with a link, and the link's target."""
_Spans = dict[Tree, tuple[int, int]]
"""The number of letters before, and up to the end of, each element."""


def chapter_starts(documents: Mapping[str, Tree], named: Set[Target]) -> frozenset[Target]:
    """Return where chapters may begin: targets in the contents, headings, and elements that begin with one of these."""
    found = {(member, "") for member in documents} | named
    for member, root in documents.items():
        found |= {(member, name) for name in _names_at_headings(root)}
    return frozenset(found)


def listings_in(member: str, root: Tree, starts: Set[Target]) -> frozenset[Tree]:
    """Return the elements of a document that are lines of a contents list, and those between them."""
    lines = _lines(member, root, starts)
    if len(lines) < _FEWEST_LISTED:
        return frozenset()
    spans = _spans(root)
    lists = [_extent(row, spans) for row in _rows(lines, spans) if _is_list(row, spans)]
    return frozenset(one for one, (start, stop) in spans.items() if start < stop and _is_within(start, stop, lists))


def _is_within(start: int, stop: int, lists: Sequence[tuple[int, int]]) -> bool:
    """Whether a span lies within the last list that began before it."""
    begun = bisect_right(lists, start, key=itemgetter(0))
    return begun > 0 and stop <= lists[begun - 1][1]


def is_listing(root: Tree, links: Sequence[Tree]) -> bool:
    """Whether a document is only a list with these links to chapters."""
    return len(links) >= _FEWEST_LISTED and sum(map(length_of, links)) >= _MOSTLY_LINKS * length_of(body_of(root))


def may_be_listing(root: Tree) -> bool:
    """Whether a document that the book calls its contents can be that: neither it nor any of its lines is long."""
    body = body_of(root)
    lines = (one for one in body.iter() if local_name(one) in _LINES - {"div"})
    return length_of(body) <= _LONGEST_LIST and all(length_of(one) <= _LONGEST_LINE for one in lines)


def body_of(root: Tree) -> Tree:
    """Return the body of a document; the whole document if there is none."""
    return next((one for one in root.iter() if local_name(one) == "body"), root)


def _names_at_headings(root: Tree) -> set[str]:
    """Return the ids in a document's headings, and of elements that begin with a heading."""
    headings = [element for element in root.iter() if local_name(element) in HEADINGS]
    if not headings:
        return set()
    spans = _spans(root)
    begins = {spans[heading][0] for heading in headings}
    inside = [below for heading in headings for below in heading.iter()]
    around = [element for element, (begin, _) in spans.items() if begin in begins]
    return set().union(*map(names_of, (*inside, *around)))


def _lines(member: str, root: Tree, starts: Set[Target]) -> list[_Line]:
    """Return each paragraph with a link to the beginning of a chapter, and the link's target."""
    links = [link for link in root.iter() if local_name(link) == "a"]
    leading = [(link, resolved(member, attribute(link, "href"))) for link in links]
    return [(_line_around(link), target) for link, target in leading if target[0] and target in starts]


def _line_around(link: Tree) -> Tree:
    line = next((one for one in link.iterancestors() if local_name(one) in _LINES), link)
    return next((one for one in line.iterancestors() if local_name(one) == "tr"), line)


def _rows(lines: Sequence[_Line], spans: _Spans) -> list[list[_Line]]:
    """Return the lines grouped by closeness."""
    rows: list[list[_Line]] = [[]]
    for line in lines:
        if rows[-1] and spans[line[0]][0] - spans[rows[-1][-1][0]][1] > _FURTHEST_APART:
            rows.append([])
        rows[-1].append(line)
    return rows


def _is_list(row: Sequence[_Line], spans: _Spans) -> bool:
    begin, end = _extent(row, spans)
    return len({target for _, target in row}) >= _FEWEST_LISTED and end - begin <= _LONGEST_LINE * len(row)


def _extent(row: Sequence[_Line], spans: _Spans) -> tuple[int, int]:
    return spans[row[0][0]][0], max(spans[line][1] for line, _ in row)


def _spans(root: Tree) -> _Spans:
    """Return the number of letters before, and up to the end of, each element."""
    spans: _Spans = {}
    at = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            spans[element] = (at, at)
            at += _letters(element.text)
        else:
            spans[element] = (spans[element][0], at)
            at += _letters(element.tail)
    return spans


def length_of(element: Tree) -> int:
    """Return the number of letters in an element."""
    return sum(_letters(str(part)) for part in element.itertext())


def _letters(text: str | None) -> int:
    return len("".join(text.split())) if text else 0
