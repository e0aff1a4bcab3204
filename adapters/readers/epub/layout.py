"""Divides the text of an EPUB into pages: listed or marked ones, else estimated; called by the EPUB reader."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from adapters.readers.epub.content import Content, NoteText
from adapters.readers.epub.flow import MARKS, FlowBlock, FlowMark, MarkKind, plain, single_spaced
from adapters.readers.epub.navigation import Target
from adapters.readers.pages import estimated_pages, numbered
from core.domain.book import Page, PageSource
from core.language.sentences import unit_count

_PIECES = re.compile(f"([{MARKS}])")
# A word cut by a page's end belongs to the next page: the reader of the first page has not read it.
_LETTER = "[^\\W\\d_\u0e00-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
_BREAKS = (MarkKind.BREAK, MarkKind.LISTED_BREAK)
_BREAK_IN_WORD = re.compile(
    f"(?P<word>{_LETTER}(?:{_LETTER}|[-’']){{0,40}})"
    f"(?P<marks>[{MarkKind.BREAK}{MarkKind.LISTED_BREAK}{MarkKind.ANCHOR}]+)(?={_LETTER})"
)
_FEWEST_PAGES: Final = 2
_MOST_WORDS_A_PAGE: Final = 1_500


@dataclass(slots=True)
class EpubStory:
    """The paragraphs divided by page: one that a page break cuts counts as two.

    `page_of` and `labels` are filled if the book marks its pages. `notes` are the numbers of the referenced notes, in
    the order of their marks.
    """

    paragraphs: list[str] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    anchors: dict[Target, int] = field(default_factory=dict)
    page_of: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """The paragraphs without the marks of notes."""
        return [plain(text) for text in self.paragraphs]


def story_of(content: Content) -> tuple[EpubStory, PageSource]:
    """Cut the text at the book's page breaks, if they make sense."""
    for kind, source in (
        (MarkKind.LISTED_BREAK, PageSource.PAGE_LIST),
        (MarkKind.BREAK, PageSource.PAGE_BREAKS),
    ):
        breaks = sum(mark.kind is kind for block in content.blocks for mark in block.marks)
        if breaks >= _FEWEST_PAGES and _words(content.blocks) <= breaks * _MOST_WORDS_A_PAGE:
            return _cut(content.blocks, kind), source
    return _cut(content.blocks, None), PageSource.ESTIMATED


def _words(blocks: Sequence[FlowBlock]) -> int:
    return sum(unit_count(plain(block.text)) for block in blocks)


def pages_of(story: EpubStory, starts: Set[int], notes: Sequence[NoteText]) -> tuple[tuple[Page, ...], list[int]]:
    """Divide the paragraphs into pages, with each note at the end of the page that references it.

    Returns:
        the pages, and for each paragraph the page on which it begins.
    """
    if not story.labels:
        pages, page_of = estimated_pages(story.paragraphs, starts)
        return numbered(_with_notes([page.text for page in pages], story.notes, notes)), page_of
    sections: list[list[str]] = [[] for _ in story.labels]
    for text, page in zip(story.paragraphs, story.page_of, strict=True):
        sections[page - 1].append(text)
    laid = numbered(_with_notes(["\n\n".join(section) for section in sections], story.notes, notes))
    return tuple(
        replace(page, label=label or None) for page, label in zip(laid, story.labels, strict=True)
    ), story.page_of


def _with_notes(texts: Sequence[str], called: Sequence[int], notes: Sequence[NoteText]) -> Iterator[str]:
    order = iter(called)
    told: set[int] = set()
    for text in texts:
        waiting = [next(order) for _ in range(text.count(MarkKind.NOTE))]
        shown = single_spaced(text.replace(MarkKind.NOTE, "")) if waiting else text
        here: list[str] = []
        while waiting:
            number = waiting.pop(0)
            if number not in told:
                told.add(number)
                here.append(notes[number].text)
                waiting += notes[number].calls
        yield "\n\n".join(filter(None, [shown, *here]))


def _cut(blocks: Sequence[FlowBlock], kind: MarkKind | None) -> EpubStory:
    cutting = _Cutting(kind)
    for block in blocks:
        cutting.take(block)
    return cutting.story


class _Cutting:
    """Builds the story paragraph by paragraph."""

    def __init__(self, kind: MarkKind | None) -> None:
        self.story = EpubStory()
        self._kind = kind
        self._current = ""
        self._waiting: list[Target] = []  # targets before the next words

    def take(self, block: FlowBlock) -> None:
        """Add one block: its words, and its marks."""
        marks = iter(block.marks)
        text = block.text
        if any(mark.kind in _BREAKS for mark in block.marks):
            text = _BREAK_IN_WORD.sub(r"\g<marks>\g<word>", text)
        for piece in _PIECES.split(text):
            if piece and piece in MARKS:
                self._heed(next(marks), block.level)
            elif piece.strip():
                place = len(self.story.paragraphs)
                self.story.anchors.update((target, place) for target in self._waiting)
                self._waiting.clear()
                self._current += piece
            elif self._current:
                self._current += piece
        self._end_paragraph(block.level)

    def _heed(self, mark: FlowMark, level: int) -> None:
        if mark.kind is self._kind:
            self._end_paragraph(level)
            self.story.labels.append(str(mark.value))
        elif mark.kind is MarkKind.NOTE and isinstance(mark.value, int):
            self._current += mark.kind
            self.story.notes.append(mark.value)
        elif mark.kind is MarkKind.ANCHOR and isinstance(mark.value, tuple):
            self._waiting.append(mark.value)

    def _end_paragraph(self, level: int) -> None:
        text, self._current = single_spaced(self._current).strip(), ""
        if not text:
            return
        if self._kind is not None and not self.story.labels:
            self.story.labels.append("")  # the text before the first mark is a page too
        self.story.paragraphs.append(text)
        self.story.levels.append(level)
        self.story.page_of.append(len(self.story.labels))
