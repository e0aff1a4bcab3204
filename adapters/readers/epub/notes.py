"""Footnotes and endnotes of an EPUB: which link calls which note, and what the note says; called by `content`.

Marked notes (`epub:type` noteref, footnote ...; https://www.w3.org/TR/epub-ssv-11/#notes) are taken at their word; in
older books a short link counts as a call where what it points at links back to it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from adapters.readers.epub.archive import resolved
from adapters.readers.epub.markup import Tree, attribute, local_name, types_of
from adapters.readers.epub.navigation import Target

_CALL_TYPES: Final = frozenset({"noteref", "annoref"})
_NOTE_TYPES: Final = frozenset({"footnote", "endnote", "rearnote", "note", "annotation"})
_LABEL = re.compile(r"[\[({]?\s*(?P<label>\d{1,4}|[*†‡§¶]{1,4}|[a-z]|[ivxl]{1,6})\s*[\])}.]?")
_LONGEST_LABEL: Final = 8
_LONGEST_NOTE: Final = 20_000
_LONGEST_UNMARKED: Final = 4_000
_NOTE_BLOCKS: Final = frozenset({"aside", "div", "li", "p", "section", "dd", "tr", "blockquote"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_NAMED_NOTE = re.compile(r"(?:foot|end)?note|^fn", re.IGNORECASE)
_HIGHEST_CLIMB: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note with the label at its first call."""

    label: str
    element: Tree
    member: str


@dataclass(slots=True)
class Notes:
    """The notes of a book, by the order of their first calls."""

    notes: list[Note] = field(default_factory=list)
    moved: set[Tree] = field(default_factory=set)
    _calls: dict[Tree, tuple[int, str]] = field(default_factory=dict)
    _numbers: dict[Tree, int] = field(default_factory=dict)

    def add(self, link: Tree, label: str, element: Tree, member: str) -> None:
        """Take in that a link with a label calls a note."""
        if element not in self._numbers:
            self._numbers[element] = len(self.notes)
            self.notes.append(Note(label=label, element=element, member=member))
            self.moved.add(element)
        self._calls[link] = self._numbers[element], label

    def call(self, element: Tree) -> tuple[int, str] | None:
        """Return the note that an element calls (its place in `notes`) and the label there, or None."""
        return self._calls.get(element)


def notes_of(documents: Mapping[str, Tree]) -> Notes:
    """Find the notes among the documents, which are given in reading order."""
    elements: dict[Target, tuple[int, Tree]] = {}
    links: list[tuple[int, str, Tree]] = []
    in_order = ((member, element) for member, root in documents.items() for element in root.iter())
    for place, (member, element) in enumerate(in_order):
        if not element.attrib:
            continue
        for name in {attribute(element, "id"), attribute(element, "name")} - {""}:
            elements.setdefault((member, name), (place, element))
        if local_name(element) == "a" and "#" in attribute(element, "href"):
            links.append((place, member, element))
    found = Notes()
    for place, member, link in links:
        target = resolved(member, attribute(link, "href"))
        label = _label(link)
        if label is None or target not in elements:
            continue
        target_place, element = elements[target]
        note = _container(_Link(link, member, place), element, target[0], target_place)
        if note is not None:
            found.add(link, label, note, target[0])
    return found


@dataclass(frozen=True, slots=True)
class _Link:
    element: Tree
    member: str
    place: int


def is_way_back(element: Tree, note: Note) -> bool:
    """Tell whether an element within a note only leads back to where it is called."""
    if local_name(element) != "a" or not attribute(element, "href"):
        return False
    if "backlink" in types_of(element) or "referrer" in types_of(element):
        return True
    text = _text(element)
    if text in {note.label, f"[{note.label}]", f"({note.label})", f"{note.label}."}:
        return True
    return bool(text) and not any(map(str.isalnum, text)) and len(text) <= _LONGEST_LABEL


def _label(link: Tree) -> str | None:
    text = _text(link)
    if _CALL_TYPES & types_of(link):
        return text.strip("[](){} ")[:_LONGEST_LABEL] or "*"
    match = _LABEL.fullmatch(text)
    return match["label"] if match else None


def _container(link: _Link, target: Tree, member: str, place: int) -> Tree | None:
    """Return the element that holds the note which a link calls, or None where it is an ordinary link."""
    note = next((one for one in _upwards(target) if _NOTE_TYPES & types_of(one)), None)
    if note is None:
        block = next((one for one in _upwards(target) if local_name(one) in _NOTE_BLOCKS), None)
        if block is None:
            return None
        note = _climbed(block)
        if not _CALL_TYPES & types_of(link.element) and not (
            link.place < place and _can_be_note(note) and _links_back(note, member, link)
        ):
            return None
    if any(one is note for one in _upwards(link.element)) or len(_text(note)) > _LONGEST_NOTE:
        return None
    return note


def _climbed(block: Tree) -> Tree:
    """Return the element around a block that is named a note and holds one only, else the block."""
    best, at = block, block
    for _ in range(_HIGHEST_CLIMB):
        above = at.getparent()
        if above is None or local_name(above) not in _NOTE_BLOCKS:
            break
        at = above
        names = str(at.get("class") or "").split()
        if any(_NAMED_NOTE.search(name) and not name.lower().endswith("s") for name in names):
            best = at
    return best


def _can_be_note(element: Tree) -> bool:
    """Tell a note from a chapter to which a list of contents leads, and which leads back to the list."""
    return len(_text(element)) <= _LONGEST_UNMARKED and not any(local_name(one) in _HEADINGS for one in element.iter())


def _links_back(note: Tree, member: str, link: _Link) -> bool:
    """Tell whether a note leads to its call: to the link, to what is around it, in it, or directly before it."""
    before = link.element.getprevious()
    around = [*_upwards(link.element), *link.element, *([] if before is None else [before])]
    ids = {name for one in around for name in (attribute(one, "id"), attribute(one, "name")) if name}
    ways = [one for one in note.iter() if local_name(one) == "a" and attribute(one, "href")]
    targets: list[Target] = [resolved(member, attribute(one, "href")) for one in ways]
    return any(where == link.member and fragment in ids for where, fragment in targets)


def _upwards(element: Tree) -> Iterator[Tree]:
    yield element
    for above, _ in zip(element.iterancestors(), range(12), strict=False):
        yield above


def _text(element: Tree) -> str:
    return " ".join("".join(str(part) for part in element.itertext()).split())
