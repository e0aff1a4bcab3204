"""Footnotes and endnotes of an EPUB: which link references which note, and the note's text; called by `content`.

Marked notes (`epub:type` noteref, footnote ...; https://www.w3.org/TR/epub-ssv-11/#notes) are trusted. In older books a
short link counts as a reference if its target links back to it.
"""

import re
from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from adapters.readers.epub.archive import resolved
from adapters.readers.epub.markup import Tree, attribute, local_name, names_of, text_of, types_of
from adapters.readers.epub.navigation import Target

_CALL_TYPES: Final = frozenset({"noteref", "annoref"})
_NOTE_TYPES: Final = frozenset({"footnote", "endnote", "rearnote", "note", "annotation"})
_END_TYPES: Final = frozenset({"endnote", "endnotes", "rearnote", "rearnotes"})
_LABEL = re.compile(r"[\[({]?\s*(?P<label>\d{1,4}|[*†‡§¶]{1,4}|[a-z]|[ivxl]{1,6})\s*[\])}.]?")
_LONGEST_LABEL: Final = 8
_LONGEST_NOTE: Final = 20_000
_LONGEST_UNMARKED: Final = 4_000
_NOTE_BLOCKS: Final = frozenset({"aside", "div", "li", "p", "section", "dd", "tr", "blockquote"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_HEADS_NOTES = re.compile(r"(?:foot|end)?[ -]?notes?\W*", re.IGNORECASE)
_NAMED_NOTE = re.compile(r"(?:foot|end)?note|^fn", re.IGNORECASE)
_WAY_BACK = re.compile(r"[\W_]*(?:(?:go |jump )?back|return)(?: to (?:the )?text)?[\W_]*|[\W_]+", re.IGNORECASE)
_HIGHEST_CLIMB: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Footnote:
    """A note with the label at its first reference.

    An endnote comes after the chapter of its reference, or in another document. It stays there, since it may tell of
    any page.
    """

    label: str
    element: Tree
    member: str
    is_endnote: bool


@dataclass(slots=True)
class Footnotes:
    """The notes of a book, in the order of their first references."""

    notes: list[Footnote] = field(default_factory=list)
    moved: set[Tree] = field(default_factory=set)
    ways_back: set[Tree] = field(default_factory=set)
    _calls: dict[Tree, tuple[int, str]] = field(default_factory=dict)
    _numbers: dict[Tree, int] = field(default_factory=dict)

    def add(self, link: "_Placed", label: str, element: Tree, member: str, *, is_endnote: bool) -> None:
        """Record that a link with this label references a note."""
        if element not in self._numbers:
            self._numbers[element] = len(self.notes)
            self.notes.append(Footnote(label=label, element=element, member=member, is_endnote=is_endnote))
            if is_endnote:
                self.ways_back |= {one for one in element.iter() if _is_link(one) and _WAY_BACK.fullmatch(text_of(one))}
            else:
                self.moved.add(element)
        self._calls[link.element] = self._numbers[element], label

    def call(self, element: Tree) -> tuple[int, str] | None:
        """Return the note that an element references (its index in `notes`) and the label, or None."""
        return self._calls.get(element)


def notes_of(documents: Mapping[str, Tree]) -> Footnotes:
    """Find the notes in the documents, which are given in reading order."""
    elements, links, chapters = _named_and_linking(documents)
    found = Footnotes()
    for link in links:
        label = _label(link.element)
        target = elements.get(resolved(link.member, attribute(link.element, "href")))
        if label is None or target is None:
            continue
        note = _container(link, target)
        if note is not None:
            is_behind = _is_marked_end(note) or bisect(chapters, link.place) < bisect(chapters, target.place)
            found.add(link, label, note, target.member, is_endnote=is_behind or target.member != link.member)
    return found


@dataclass(frozen=True, slots=True)
class _Placed:
    """An element, its document, and its index among all elements of the book."""

    element: Tree
    member: str
    place: int


def _named_and_linking(documents: Mapping[str, Tree]) -> tuple[dict[Target, _Placed], list[_Placed], list[int]]:
    """Return the targets of links, the links to elements, and the positions of chapter headings."""
    elements: dict[Target, _Placed] = {}
    links: list[_Placed] = []
    chapters: list[int] = []
    in_order = ((member, element) for member, root in documents.items() for element in root.iter())
    for place, (member, element) in enumerate(in_order):
        if local_name(element) in _HEADINGS and not _HEADS_NOTES.fullmatch(text_of(element)):
            chapters.append(place)
        if not element.attrib:
            continue
        placed = _Placed(element, member, place)
        for name in names_of(element):
            elements.setdefault((member, name), placed)
        if local_name(element) == "a" and "#" in attribute(element, "href"):
            links.append(placed)
    return elements, links, chapters


def is_way_back(element: Tree, note: Footnote) -> bool:
    """Whether an element within a note only leads back to the reference."""
    if not _is_link(element):
        return False
    if "backlink" in types_of(element) or "referrer" in types_of(element):
        return True
    text = text_of(element)
    if _WAY_BACK.fullmatch(text):
        return True
    return text in {note.label, f"[{note.label}]", f"({note.label})", f"{note.label}."}


def _is_marked_end(note: Tree) -> bool:
    return any(_END_TYPES & types_of(one) for one in _upwards(note))


def _is_link(element: Tree) -> bool:
    return local_name(element) == "a" and bool(attribute(element, "href"))


def _label(link: Tree) -> str | None:
    text = text_of(link)
    if _CALL_TYPES & types_of(link):
        return text.strip("[](){} ")[:_LONGEST_LABEL] or "*"
    match = _LABEL.fullmatch(text)
    return match["label"] if match else None


def _container(link: _Placed, target: _Placed) -> Tree | None:
    """Return the element with the note that a link references, or None for an ordinary link."""
    marked = next((one for one in _upwards(target.element) if _NOTE_TYPES & types_of(one)), None)
    note = _unmarked(link, target) if marked is None else marked
    if note is None or any(one is note for one in _upwards(link.element)) or len(text_of(note)) > _LONGEST_NOTE:
        return None
    return note


def _unmarked(link: _Placed, target: _Placed) -> Tree | None:
    """Return the target block of a link that is marked as a reference, or whose target follows and links back."""
    block = next((one for one in _upwards(target.element) if local_name(one) in _NOTE_BLOCKS), None)
    note = None if block is None else _climbed(block)
    if note is None or _CALL_TYPES & types_of(link.element):
        return note
    leads_back = link.place < target.place and _can_be_note(note) and _links_back(note, target.member, link)
    return note if leads_back else None


def _climbed(block: Tree) -> Tree:
    """Return the enclosing element that is marked as a note and holds only one, else the block."""
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
    """Whether it may be a note, rather than a chapter that links back to the contents list."""
    return len(text_of(element)) <= _LONGEST_UNMARKED and not any(
        local_name(one) in _HEADINGS for one in element.iter()
    )


def _links_back(note: Tree, member: str, link: _Placed) -> bool:
    """Whether a note links to its reference: to the link, or to something around, in or directly before it."""
    before = link.element.getprevious()
    around = [*_upwards(link.element), *link.element, *([] if before is None else [before])]
    ids = set().union(*map(names_of, around))
    ways = [*filter(_is_link, note.iter())]
    targets: list[Target] = [resolved(member, attribute(one, "href")) for one in ways]
    return any(where == link.member and fragment in ids for where, fragment in targets)


def _upwards(element: Tree) -> Iterator[Tree]:
    yield element
    for above, _ in zip(element.iterancestors(), range(12), strict=False):
        yield above
