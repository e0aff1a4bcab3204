"""The text of an EPUB in reading order, with marks where pages, chapters and notes are; called by the EPUB reader."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Final

from adapters.readers.epub.archive import EpubArchive
from adapters.readers.epub.flow import FlowBlock, FlowMark, FlowRules, MarkKind, blocks_of, plain
from adapters.readers.epub.listing import (
    HEADINGS,
    body_of,
    chapter_starts,
    is_listing,
    length_of,
    listings_in,
    may_be_listing,
)
from adapters.readers.epub.markup import Tree, attribute, local_name, parsed, types_of
from adapters.readers.epub.navigation import Navigation, Target
from adapters.readers.epub.notes import Footnote, Footnotes, is_way_back, notes_of
from adapters.readers.epub.package import Package
from adapters.readers.epub.styles import Styles
from adapters.readers.files import unreadable
from adapters.readers.roles import TYPES

_COVER: Final = "cover"
_GUTENBERG: Final = {"pg-header": frozenset({"frontmatter"}), "pg-footer": frozenset({"backmatter"})}
_NOTES: Final = frozenset({"endnotes", "rearnotes"})
_DIVISIONS: Final = frozenset({"body", "section", "article", "div", "aside", "level1"})
_CHAPTERS: Final = frozenset({"chapter", "part", "volume"})
_MOSTLY: Final = 0.5
_BLANK: Final = b" \t\r\n\0"

# Page breaks are marked by `epub:type="pagebreak"` and `role="doc-pagebreak"` (https://www.w3.org/TR/epub-
# ssv-11/#pagebreak). Older books, above all Project Gutenberg's, use an anchor or a small number with a telling class
# instead.
_BREAK_CLASSES: Final = frozenset(
    {"pageno", "pagenum", "pagenumber", "page-number", "page_number", "pagebreak", "page-break", "pb", "newpage"}
)
_BREAK_LABEL = re.compile(
    r"[\[({]?\s*(?:pg|page|pagebreak|p|seite|s)?[\s._:-]*(?P<label>\d{1,5}|[ivxlcdm]{1,10})\s*[\])}]?", re.IGNORECASE
)
_LONGEST_LABEL: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The paragraphs of the book with their marks, the referenced notes by number, and its marked divisions."""

    blocks: tuple[FlowBlock, ...]
    notes: tuple["NoteText", ...]
    divisions: tuple["Division", ...] = ()


@dataclass(slots=True)
class Division:
    """What the marks of an element say about it; `end` is the target behind it, None at the end of the book."""

    begin: Target
    types: frozenset[str]
    end: Target | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """The text of a note, and the numbers of the notes that it references."""

    text: str
    calls: tuple[int, ...]


def content_of(archive: EpubArchive, package: Package, navigation: Navigation, name: str) -> Content:
    """Read the documents of the spine: linear ones in order, then the others.

    Raises:
        BookError: a document is damaged, is no text, or declares suspicious entities.
    """
    documents = _documents(archive, package, name)
    notes = notes_of(documents)
    styles = Styles(_sheets(archive, package))
    gathering = _Gathering(navigation, notes)
    starts = chapter_starts(documents, navigation.targets)
    linear = {item.member for item in package.spine if item.linear}
    blocks: list[FlowBlock] = []
    for member, root in documents.items():
        is_list = _is_contents(member, root, package, navigation, documents.keys())
        aside = member not in linear and (member == package.nav or _is_cover(root))
        left_out = frozenset({root}) if is_list or aside else listings_in(member, root, starts)
        blocks += gathering.document(member, root, styles.learned(root), left_out)
    texts = tuple(gathering.note_text(note, styles) for note in notes.notes)
    return Content(blocks=tuple(blocks), notes=texts, divisions=tuple(gathering.divisions))


def break_label(element: Tree) -> str | None:
    """Return the label of the page that begins at an element, "" if it has none; None if no page begins there."""
    if not element.attrib:
        return None
    marked = local_name(element) == "pagebreak" or "pagebreak" in types_of(element)
    if not marked and _BREAK_CLASSES.isdisjoint(str(element.get("class") or "").lower().split()):
        return None
    text = " ".join("".join(str(part) for part in element.itertext()).split())
    if len(text) > _LONGEST_LABEL:
        return None  # a paragraph that starts a new page, not a page mark
    said = [*(attribute(element, key).strip(" .,") for key in ("title", "aria-label", "value")), text.strip(" .,")]
    named = (_BREAK_LABEL.fullmatch(one) for one in (*said, attribute(element, "id"), attribute(element, "name")))
    label = next((match["label"] for match in named if match), None)
    if marked:
        return label or next((one[:_LONGEST_LABEL] for one in said if one), "")
    return label if not text or _BREAK_LABEL.fullmatch(text) else None


def _documents(archive: EpubArchive, package: Package, name: str) -> dict[str, Tree]:
    documents: dict[str, Tree] = {}
    for item in sorted(package.spine, key=lambda item: not item.linear):
        data = archive.read(item.member) or b""
        root = parsed(data, name) if data else None
        if root is not None:
            documents[item.member] = root
        elif data.strip(_BLANK):  # leaving it out would silently lose a chapter
            raise unreadable(f"{name} holds text that is damaged or protected against copying; give another copy.")
    return documents


class _Gathering:
    """Knows which elements of the documents get marks."""

    def __init__(self, navigation: Navigation, notes: Footnotes) -> None:
        self._notes = notes
        self._labels: dict[Target, str] = {}
        for label, target in navigation.pages:
            self._labels.setdefault(target, label)
        self._anchors = navigation.targets | {target for _, target in navigation.landmarks}
        self._seen: set[Target] = set()
        self.divisions: list[Division] = []
        self._behind: dict[Tree | None, list[Division]] = {}

    def document(self, member: str, root: Tree, styles: Styles, left_out: Set[Tree]) -> list[FlowBlock]:
        """Return the paragraphs of one document; of left-out elements only their marks."""
        for division in self._behind.pop(None, []):
            division.end = (member, "")
        start = FlowBlock(text=MarkKind.ANCHOR, marks=(FlowMark(MarkKind.ANCHOR, (member, "")),))
        first = self._labels.get((member, ""))
        if first is not None:
            start = FlowBlock(
                text=start.text + MarkKind.LISTED_BREAK, marks=(*start.marks, FlowMark(MarkKind.LISTED_BREAK, first))
            )
        wanted = FlowRules(
            at_element=lambda element: self._at(member, element),
            note_call=self._notes.call,
            is_moved=self._notes.moved.__contains__,
            is_hidden=lambda element: (
                element in left_out
                or element in self._notes.ways_back
                or styles.hides(element)
                or break_label(element) is not None
            ),
            stands_apart=styles.sets_apart,
        )
        return [start, *blocks_of(root, wanted)]

    def note_text(self, note: Footnote, styles: Styles) -> NoteText:
        """Return the text of a note after its label; "" for an endnote, which is read in its place."""
        if note.is_endnote:
            return NoteText(text="", calls=())
        wanted = FlowRules(
            at_element=lambda _: (),
            note_call=self._notes.call,
            is_moved=lambda element: element is not note.element and element in self._notes.moved,
            is_hidden=lambda element: (
                (element is not note.element and styles.hides(element)) or is_way_back(element, note)
            ),
            stands_apart=styles.sets_apart,
        )
        blocks = blocks_of(note.element, wanted)
        text = plain("\n".join(block.text for block in blocks)).removeprefix(note.label).lstrip(" .:")
        calls = tuple(mark.value for block in blocks for mark in block.marks if isinstance(mark.value, int))
        return NoteText(text=f"[{note.label}] {text}" if text else "", calls=calls)

    def _at(self, member: str, element: Tree) -> Iterable[FlowMark]:
        for division in self._behind.pop(element, []):
            division.end = (member, f"{division.begin[1]} ")
            yield FlowMark(MarkKind.ANCHOR, division.end)
        if not element.attrib:
            return
        if types := _purposes(element):
            division = Division((member, f" {len(self.divisions)}"), types)  # no id has a space
            self.divisions.append(division)
            self._behind.setdefault(_following(element), []).append(division)
            yield FlowMark(MarkKind.ANCHOR, division.begin)
        yield from self._named(member, element)
        label = break_label(element)
        if label is not None:
            yield FlowMark(MarkKind.BREAK, label)

    def _named(self, member: str, element: Tree) -> Iterable[FlowMark]:
        for name in dict.fromkeys((attribute(element, "id"), attribute(element, "name"))):
            place = (member, name)
            if not name or place in self._seen:
                continue
            self._seen.add(place)
            if place in self._anchors:
                yield FlowMark(MarkKind.ANCHOR, place)
            if place in self._labels:
                yield FlowMark(MarkKind.LISTED_BREAK, self._labels[place])


def _purposes(element: Tree) -> frozenset[str]:
    """Return what an element's marks say about a division of the book; of a part of a chapter only for notes."""
    types = _GUTENBERG.get(attribute(element, "id"), types_of(element) & TYPES)
    if not types or local_name(element) == "body":
        return types
    in_chapter = not types & _NOTES and any(_CHAPTERS & types_of(one) for one in element.iterancestors())
    if local_name(element) not in _DIVISIONS or in_chapter:
        return frozenset()
    headed = any(local_name(one) in HEADINGS for one in element.iter())
    return types if headed or length_of(element) >= _MOSTLY * length_of(body_of(element)) else frozenset()


def _following(element: Tree) -> Tree | None:
    """Return the element that begins behind another one; None if it is the last of its document."""
    return next((after for one in (element, *element.iterancestors()) if (after := one.getnext()) is not None), None)


def _sheets(archive: EpubArchive, package: Package) -> list[str]:
    return [data.decode("utf-8", errors="replace") for one in package.styles if (data := archive.read(one))]


def _is_cover(root: Tree) -> bool:
    return any(_COVER in types_of(element) for element in root.iter() if element.attrib)


def _is_contents(member: str, root: Tree, package: Package, navigation: Navigation, members: Iterable[str]) -> bool:
    """Whether a document is only a list of chapters, whose titles would be spoilers."""
    if package.guide.get("toc") == (member, "") and may_be_listing(root):
        return True
    ends = {target for target, _ in navigation.targets} & set(members) - {member}
    names = frozenset(end.rpartition("/")[2] for end in ends)
    links = [
        one
        for one in root.iter()
        if local_name(one) == "a" and attribute(one, "href").partition("#")[0].rpartition("/")[2] in names
    ]
    return is_listing(root, links)
