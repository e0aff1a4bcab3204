"""Tables of contents, page lists and landmarks of an EPUB, whichever of its formats holds them.

Called by the EPUB reader. Formats: EPUB 3 navigation documents (https://www.w3.org/TR/epub-33/#sec-nav), NCX 2005-1
(https://daisy.org/activities/standards/daisy/daisy-3/z39-86-2005-r2012/#NCX) and Adobe's page-map.xml.
"""

from dataclasses import dataclass
from typing import Final

from adapters.readers.epub.archive import EpubArchive, resolved
from adapters.readers.epub.markup import Tree, attribute, local_name, parsed, types_of
from adapters.readers.epub.package import Package

_MOST_ENTRIES: Final = 50_000
_DEEPEST: Final = 12

Target = tuple[str, str]
"""A member of the archive, and the id of an element in it ("" for its beginning)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a table of contents; `depth` from 0. Without a target it only heads those below it."""

    title: str
    target: Target | None
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Navigation:
    """Where chapters begin, where printed pages begin (with their labels), and what landmarks point at."""

    entries: tuple[Entry, ...] = ()
    pages: tuple[tuple[str, Target], ...] = ()
    landmarks: tuple[tuple[frozenset[str], Target], ...] = ()


def navigation_of(archive: EpubArchive, package: Package, name: str) -> Navigation:
    """Return what the EPUB 3 navigation document says; where it is silent, what NCX and page map say."""
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
    for nav in root.iter() if root is not None else ():
        if local_name(nav) != "nav":
            continue
        types = types_of(nav)
        if "page-list" in types or "pagelist" in types:
            pages += [(_text(link), target) for link, target in _links(nav, member)]
        elif "landmarks" in types:
            landmarks += [(types_of(link), target) for link, target in _links(nav, member)]
        elif "toc" in types and not entries:
            entries = _list_entries(nav, member)
    return Navigation(entries=tuple(entries), pages=tuple(pages), landmarks=tuple(landmarks))


def _list_entries(nav: Tree, member: str) -> list[Entry]:
    """Return the lines of nested lists: a line is the link or the text before the list that an item holds."""
    entries: list[Entry] = []
    for item in nav.iter():
        if local_name(item) != "li" or len(entries) >= _MOST_ENTRIES:
            continue
        depth = sum(1 for above in item.iterancestors() if local_name(above) == "li")
        heading = next((child for child in item if local_name(child) not in {"ol", "ul"}), None)
        if heading is None or depth > _DEEPEST:
            continue
        link = next((one for one in heading.iter() if local_name(one) == "a" and attribute(one, "href")), None)
        target = resolved(member, attribute(link, "href")) if link is not None else ("", "")
        entries.append(Entry(title=_text(heading), target=target if target[0] else None, depth=depth))
    return entries


def _links(nav: Tree, member: str) -> list[tuple[Tree, Target]]:
    links = [one for one in nav.iter() if local_name(one) == "a" and attribute(one, "href")][:_MOST_ENTRIES]
    return [(one, target) for one in links if (target := resolved(member, attribute(one, "href")))[0]]


def _ncx(archive: EpubArchive, member: str, name: str) -> Navigation:
    root = _root(archive, member, name)
    entries: list[Entry] = []
    pages: list[tuple[str, Target]] = []
    for point in root.iter() if root is not None else ():
        kind = local_name(point)
        if kind not in {"navpoint", "pagetarget"} or len(entries) >= _MOST_ENTRIES:
            continue
        label = next((_text(child) for child in point if local_name(child) == "navlabel"), "")
        content = next((child for child in point if local_name(child) == "content"), None)
        target = resolved(member, attribute(content, "src")) if content is not None else ("", "")
        if kind == "pagetarget" and target[0]:
            pages.append((label or attribute(point, "value"), target))
        elif kind == "navpoint":
            depth = sum(1 for above in point.iterancestors() if local_name(above) == "navpoint")
            entries.append(Entry(title=label, target=target if target[0] else None, depth=min(depth, _DEEPEST)))
    return Navigation(entries=tuple(entries), pages=tuple(pages))


def _page_map(archive: EpubArchive, member: str, name: str) -> tuple[tuple[str, Target], ...]:
    root = _root(archive, member, name)
    pages = [one for one in root.iter() if local_name(one) == "page"][:_MOST_ENTRIES] if root is not None else []
    found = [(attribute(one, "name"), resolved(member, attribute(one, "href"))) for one in pages]
    return tuple((label, target) for label, target in found if target[0])


def _root(archive: EpubArchive, member: str, name: str) -> Tree | None:
    data = archive.read(member)
    return parsed(data, name) if data else None


def _text(element: Tree) -> str:
    return " ".join("".join(str(part) for part in element.itertext()).split())
