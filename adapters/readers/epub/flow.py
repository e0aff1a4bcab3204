"""Turns a document of an EPUB into paragraphs, with marks for pages, chapters and notes; called by `content`.

A mark is one character that no text contains; the block lists the meanings of its marks in order. Alternative texts of
pictures (except a first letter) and everything that the reader of a printed page would not see (hidden elements,
scripts) are left out.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lxml import etree

from adapters.readers.epub.markup import Tree, attribute, local_name, types_of
from adapters.readers.epub.navigation import Target


class MarkKind(StrEnum):
    """The meaning of a mark; the value is the mark's character."""

    NOTE = "\ue000"
    BREAK = "\ue001"
    LISTED_BREAK = "\ue002"
    ANCHOR = "\ue003"


@dataclass(frozen=True, slots=True)
class FlowMark:
    """A note reference (its number), the start of a page (its label), or the target of a link."""

    kind: MarkKind
    value: str | Target | int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowBlock:
    """One paragraph with its marks; `level` is the level of a heading. It may consist of marks only."""

    text: str
    level: int = 0
    marks: tuple[FlowMark, ...] = ()


MARKS: Final = "".join(MarkKind)
_ANY_MARK = re.compile(f"[{MARKS}]")
_LINE_BREAK: Final = "\ue004"
_EDGE: Final = "\ue005"  # marks the edge of a block: one line break, never two
_EDGES = re.compile(rf"[\s{_EDGE}]*{_EDGE}[\s{_EDGE}]*")
_EDGES_AT_BREAK = re.compile(rf"{_EDGE}?{_LINE_BREAK}{_EDGE}?")
_INITIAL = re.compile(r"[“\"‘'«]?[^\W\d_]")
_SPACES = re.compile(r" {2,}")
_AROUND_BREAK = re.compile(rf"\s*{_LINE_BREAK}\s*")
# Control characters, soft hyphens and invisible joiners would hide a word from the search.
_DROPPED = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b\u2060\ufeff{MARKS}{_LINE_BREAK}{_EDGE}]")
_NEVER_TEXT: Final = frozenset(
    {
        "head", "script", "style", "template", "svg", "audio", "video", "object", "iframe", "canvas", "select", "rt",
        "rp", "nav", "annotation", "annotation-xml", "noscript", "map", "title", "datalist",
    }
)  # fmt: skip
_BLOCKS: Final = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
        "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
        "header", "hgroup", "hr", "html", "legend", "li", "main", "menu", "ol", "p", "pre", "section", "summary",
        "table", "tbody", "tfoot", "thead", "tr", "ul", "l", "lg", "level1", "level2", "level3", "doctitle",
    }
)  # fmt: skip
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_LISTS: Final = frozenset({"toc", "landmarks", "page-list", "loi", "lot"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowRules:
    """What is to be marked in one document, and what is to be left out."""

    at_element: Callable[[Tree], Iterable[FlowMark]]
    note_call: Callable[[Tree], tuple[int, str] | None]
    is_moved: Callable[[Tree], bool]
    is_hidden: Callable[[Tree], bool]
    stands_apart: Callable[[Tree], bool]


def blocks_of(root: Tree, wanted: FlowRules) -> list[FlowBlock]:
    """Return the paragraphs below an element, in order."""
    flow = _Flow(wanted)
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            flow.leave(element, is_root=element is root)
        elif not flow.enter(element):
            walk.skip_subtree()
    flow.end_paragraph()
    return flow.blocks


def plain(text: str) -> str:
    """Return a text without its marks."""
    return single_spaced(_ANY_MARK.sub("", text)).strip(" ")


def single_spaced(text: str) -> str:
    """Return a text with single spaces where removing a mark left several."""
    return _SPACES.sub(" ", text) if "  " in text else text


class _Flow:
    """Collects the paragraphs while the tree is walked."""

    def __init__(self, wanted: FlowRules) -> None:
        self.blocks: list[FlowBlock] = []
        self._wanted = wanted
        self._parts: list[str] = []
        self._marks: list[FlowMark] = []
        self._level = 0
        self._preformatted = 0

    def enter(self, element: Tree) -> bool:
        """Handle the start of an element; return False if its content is no part of the text."""
        tag = local_name(element)
        if tag in _BLOCKS:
            self.end_paragraph()
            self._level = _HEADINGS.get(tag, self._level)
        self._mark(self._wanted.at_element(element))
        if self._is_no_text(element, tag):
            return self._leave_out(element)
        call = self._wanted.note_call(element)
        if call is not None:
            self._parts.append(f"[{call[1]}]")
            self._mark([FlowMark(MarkKind.NOTE, call[0])])
            return False
        if tag == "br":
            self._parts.append(_LINE_BREAK)
        elif tag == "img" and not "".join(self._parts).strip(f" \n{MARKS}"):
            self._add(_initial(element))
        elif tag not in _BLOCKS and self._wanted.stands_apart(element):
            self._parts.append(_EDGE)
        self._preformatted += tag == "pre"
        self._add(element.text)
        return True

    def leave(self, element: Tree, *, is_root: bool) -> None:
        """Handle the end of an element and the text after it."""
        tag = local_name(element)
        if tag in _BLOCKS:
            self.end_paragraph()
            if tag in _HEADINGS:
                self._level = 0
        elif tag in {"td", "th"}:
            self._parts.append(" ")
        elif self._wanted.stands_apart(element):
            self._parts.append(_EDGE)
        self._preformatted -= tag == "pre" and self._preformatted > 0
        if not is_root:
            self._add(element.tail)

    def end_paragraph(self) -> None:
        """End the current paragraph, if it has any content."""
        joined = " ".join("".join(self._parts).split())
        if _EDGE in joined:
            joined = _EDGES_AT_BREAK.sub(_LINE_BREAK, _EDGES.sub(_EDGE, joined)).replace(_EDGE, _LINE_BREAK)
        if _LINE_BREAK in joined:
            joined = _AROUND_BREAK.sub(_LINE_BREAK, joined).strip(f" {_LINE_BREAK}")
        self._parts.clear()
        if joined:
            text = joined.replace(_LINE_BREAK, " " if self._level else "\n")
            self.blocks.append(FlowBlock(text=text, level=self._level, marks=tuple(self._marks)))
            self._marks.clear()

    def _mark(self, marks: Iterable[FlowMark]) -> None:
        for mark in marks:
            self._parts.append(mark.kind)
            self._marks.append(mark)

    def _is_no_text(self, element: Tree, tag: str) -> bool:
        if tag in _NEVER_TEXT or self._wanted.is_moved(element) or self._wanted.is_hidden(element):
            return True
        return bool(element.attrib) and not _LISTS.isdisjoint(types_of(element))

    def _leave_out(self, element: Tree) -> bool:
        """Keep the marks within a left-out element: a chapter or a page may begin there."""
        for below in element.iterdescendants():
            self._mark(self._wanted.at_element(below))
        return False

    def _add(self, text: str | None) -> None:
        if not text:
            return
        clean = _DROPPED.sub("", text)
        self._parts.append(clean.replace("\n", _LINE_BREAK) if self._preformatted else clean)


def _initial(picture: Tree) -> str:
    """Return the letter that a picture shows before the first words of a paragraph (an ornamental initial)."""
    around = picture.getparent() if picture.getnext() is None else None
    behind = (picture.tail or "").strip() or (around.tail or "" if around is not None else "").strip()
    letter = attribute(picture, "alt").strip()
    return letter if behind and _INITIAL.fullmatch(letter) else ""
