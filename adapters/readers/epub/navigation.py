"""Reads the table of contents, page list and landmarks of an EPUB, from any of its formats.

Called by the EPUB reader. Formats: EPUB 3 navigation documents (https://www.w3.org/TR/epub-33/#sec-nav), NCX 2005-1
(https://daisy.org/activities/standards/daisy/daisy-3/z39-86-2005-r2012/#NCX) and Adobe's page-map.xml.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from adapters.readers.epub.archive import EpubArchive, resolved
from adapters.readers.epub.markup import Tree, attribute, local_name, parsed, text_of, types_of
from adapters.readers.epub.package import Package

_MOST_ENTRIES: Final = 50_000
_DEEPEST: Final = 12
_PAGE_LISTS: Final = frozenset({"page-list", "pagelist"})

Target = tuple[str, str]
"""A member of the archive, and the id of an element in it ("" for its beginning)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a table of contents; `depth` from 0. Without a target it is only a heading for those below."""

    title: str
    target: Target | None
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Navigation:
    """Where chapters begin, where printed pages begin (with their labels), and the targets of landmarks."""

    entries: tuple[Entry, ...] = ()
    pages: tuple[tuple[str, Target], ...] = ()
    landmarks: tuple[tuple[frozenset[str], Target], ...] = ()

    @property
    def targets(self) -> frozenset[Target]:
        """The targets of the contents."""
        return frozenset(entry.target for entry in self.entries if entry.target)


def navigation_of(archive: EpubArchive, package: Package, name: str) -> Navigation:
    """Return the content of the EPUB 3 navigation document; what it lacks comes from NCX and page map."""
    nav = _nav(archive, package.nav, name) if package.nav else Navigation()
    ncx = _ncx(archive, package.ncx, name) if package.ncx else Navigation()
    pages = nav.pages or ncx.pages
    if not pages and package.page_map:
        pages = _page_map(archive, package.page_map, name)
    return Navigation(entries=nav.entries or ncx.entries, pages=pages, landmarks=nav.landmarks)


def _nav(archive: EpubArchive, member: str, name: str) -> Navigation:
    root = _root(archive, member, name)
    entries: list[Entry] = []
    pages: list[tuple[str, Target]] = []
    landmarks: list[tuple[frozenset[str], Target]] = []
    for nav in _named(root, "nav"):
        types = types_of(nav)
        if types & _PAGE_LISTS:
            pages += [(text_of(link), target) for link, target in _links(nav, member)]
        elif "landmarks" in types:
            landmarks += [(types_of(link), target) for link, target in _links(nav, member)]
        elif "toc" in types and not entries:
            entries = [*islice(_list_entries(nav, member), _MOST_ENTRIES)]
    return Navigation(entries=tuple(entries), pages=tuple(pages), landmarks=tuple(landmarks))


def _list_entries(nav: Tree, member: str) -> Iterator[Entry]:
    """Yield the lines of nested lists: the link or text before an item's own list."""
    for item in _named(nav, "li"):
        heading = next((child for child in item if local_name(child) not in {"ol", "ul"}), None)
        depth = _depth(item)
        if heading is not None and depth <= _DEEPEST:
            link = next((one for one in _named(heading, "a") if attribute(one, "href")), None)
            yield Entry(title=text_of(heading), target=_target(member, link, "href"), depth=depth)


def _links(nav: Tree, member: str) -> list[tuple[Tree, Target]]:
    links = islice((one for one in _named(nav, "a") if attribute(one, "href")), _MOST_ENTRIES)
    return [(one, target) for one in links if (target := _target(member, one, "href"))]


def _ncx(archive: EpubArchive, member: str, name: str) -> Navigation:
    root = _root(archive, member, name)
    points = islice(_named(root, "navpoint"), _MOST_ENTRIES)
    targets = islice(_named(root, "pagetarget"), _MOST_ENTRIES)
    return Navigation(
        entries=tuple(
            Entry(title=label, target=target, depth=min(_depth(point), _DEEPEST))
            for point, label, target in _labelled(points, member)
        ),
        pages=tuple(
            (label or attribute(page, "value"), target) for page, label, target in _labelled(targets, member) if target
        ),
    )


def _labelled(points: Iterable[Tree], member: str) -> Iterator[tuple[Tree, str, Target | None]]:
    """Yield each point of an NCX with its label and target."""
    for point in points:
        label = next((text_of(child) for child in point if local_name(child) == "navlabel"), "")
        content = next((child for child in point if local_name(child) == "content"), None)
        yield point, label, _target(member, content, "src")


def _page_map(archive: EpubArchive, member: str, name: str) -> tuple[tuple[str, Target], ...]:
    root = _root(archive, member, name)
    pages = islice(_named(root, "page"), _MOST_ENTRIES)
    return tuple((attribute(one, "name"), target) for one in pages if (target := _target(member, one, "href")))


def _root(archive: EpubArchive, member: str, name: str) -> Tree | None:
    data = archive.read(member)
    return parsed(data, name) if data else None


def _named(root: Tree | None, wanted: str) -> Iterator[Tree]:
    return (one for one in root.iter() if local_name(one) == wanted) if root is not None else iter(())


def _depth(element: Tree) -> int:
    """Return the number of ancestors with the same name."""
    name = local_name(element)
    return sum(local_name(above) == name for above in element.iterancestors())


def _target(member: str, element: Tree | None, reference: str) -> Target | None:
    """Return the target of an element's reference; None without one, or outside the archive."""
    target = resolved(member, attribute(element, reference)) if element is not None else ("", "")
    return target if target[0] else None
