"""Reads PDF; chosen by `choose.reader_for`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from adapters.readers.bound import bound
from adapters.readers.files import DEFAULT_MAX_BYTES, require_size, unreadable
from adapters.readers.formats import FileReader
from adapters.readers.headings import headings_in
from adapters.readers.layout import TextLayout
from adapters.readers.naming import first_name, shown_name, title_of
from adapters.readers.outline import OutlineEntry, chapters_of, outside_entries
from adapters.readers.pages import numbered
from adapters.readers.pdf.columns import columns_of
from adapters.readers.pdf.document import PdfEntry, PdfFacts, facts_of
from adapters.readers.pdf.furniture import without_furniture
from adapters.readers.pdf.paragraphs import Hyphens, Paragraph, paragraphs_of
from adapters.readers.pdf.parallel import LinesProgress, all_lines
from adapters.readers.sections import outside_lines
from adapters.readers.story import shape_of
from core.domain.book import BookText, PageSource
from core.domain.errors import BookError, BookErrorCode
from core.language.sentences import fold_space

_FEWEST_LETTERS: Final = 20
_SCANNED_SHARE: Final = 0.05
_FEW_PAGES: Final = 10
# What programs write when nobody set a title.
_NO_TITLE = re.compile(
    r"\(?(?:untitled|unknown|anonymous|unspecified|document\d*)\)?|microsoft word - .*"
    r"|.*\.(?:docx?|indd|odt|pdf|qxd|rtf|tex)",
    re.IGNORECASE,
)
_NO_AUTHOR = re.compile(r"\(?(?:unknown|anonymous|unspecified|user|admin|administrator)\)?")


class PdfBookReader(FileReader):
    """Reads .pdf files: real pages with their labels, chapters from the outline, else from headings."""

    def __init__(
        self, *, max_bytes: int = DEFAULT_MAX_BYTES, processes: int = 1, on_progress: LinesProgress | None = None
    ) -> None:
        self._max_bytes = max_bytes
        self._processes = processes
        self._on_progress = on_progress

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` override its metadata."""
        require_size(path, self._max_bytes)
        name = shown_name(path)
        facts = facts_of(path, name)
        drawn = all_lines(path, name, facts.pages, processes=self._processes, on_progress=self._on_progress)
        text_pages, printed = without_furniture(drawn)
        hyphens = Hyphens(line for page in text_pages for line in page)
        laid = _carried_over([paragraphs_of(columns_of(page), hyphens) for page in text_pages], hyphens)
        _refuse_scan(laid, name)
        story = _PdfStory.of(laid)
        entries = _entries(facts, laid, story)
        headings = chapters_of(entries, story.paragraphs, subtitled=False)
        layout = TextLayout.of(story.page_of)
        headings = headings or headings_in(story.paragraphs, layout)
        named = title_of(path, (title, _told(facts.title, _NO_TITLE)))
        writer = first_name((author, _told(facts.author, _NO_AUTHOR)))
        others = [*outside_entries(entries), *([] if entries else outside_lines(story.paragraphs, headings))]
        shape = shape_of(
            headings,
            story.paragraphs,
            others=others,
            names=(named, writer),
            apart=frozenset() if entries else layout.apart,
        )
        pages = numbered("\n\n".join(one.text for one in page) for page in laid)
        labels = facts.labels or printed
        return bound(
            shape,
            tuple(replace(page, label=_label(label)) for page, label in zip(pages, labels, strict=True)),
            story.page_of,
            title=named,
            author=writer,
            source=PageSource.PDF,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PdfStory:
    """The paragraphs of all pages in a row, the page of each, and the first paragraph of each page."""

    paragraphs: tuple[str, ...]
    page_of: tuple[int, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, pages: Sequence[Sequence[Paragraph]]) -> "_PdfStory":
        paragraphs: list[str] = []
        page_of: list[int] = []
        starts: list[int] = []
        for number, page in enumerate(pages, 1):
            starts.append(len(paragraphs))
            paragraphs += [one.text for one in page]
            page_of += [number] * len(page)
        return cls(paragraphs=tuple(paragraphs), page_of=tuple(page_of), starts=tuple(starts))


def _carried_over(pages: list[list[Paragraph]], hyphens: Hyphens) -> list[list[Paragraph]]:
    """Move a word that is divided by a page break to the later page: a reader of the first has not read it."""
    carried = ""
    for page in pages:
        if carried and page:
            page[0] = replace(page[0], text=hyphens.mended(carried, page[0].text))
            carried = ""
        if page and page[-1].hyphenated:
            kept, _, carried = page[-1].text.rpartition(" ")
            page[-1] = replace(page[-1], text=kept)
            if not kept:
                page.pop()
    if carried:
        pages[-1].append(Paragraph(text=f"{carried}-", height=0, base=0))
    return pages


def _refuse_scan(pages: Sequence[Sequence[Paragraph]], name: str) -> None:
    letters = [sum(sum(map(str.isalpha, one.text)) for one in page) for page in pages]
    written = sum(count >= _FEWEST_LETTERS for count in letters)
    if not any(letters):
        message = f"{name} has pictures of pages but no text (a scan); give a copy with text, after OCR for example."
        raise BookError(BookErrorCode.EMPTY, message)
    if len(pages) >= _FEW_PAGES and written < _SCANNED_SHARE * len(pages):
        raise unreadable(
            f"{name} has text on {written} of its {len(pages)} pages only (a scan); give a copy with text."
        )


def _entries(facts: PdfFacts, pages: Sequence[Sequence[Paragraph]], story: _PdfStory) -> list[OutlineEntry]:
    placed = [(entry, _paragraph_of(entry, pages, story)) for entry in facts.outline]
    last = len(story.paragraphs)
    return [OutlineEntry(title=entry.title, depth=entry.depth, index=at) for entry, at in placed if at < last]


def _paragraph_of(entry: PdfEntry, pages: Sequence[Sequence[Paragraph]], story: _PdfStory) -> int:
    """Return the paragraph at which an outline entry begins: the heading with its title, else by its height."""
    start = story.starts[entry.page]
    page = pages[entry.page]
    title = _letters(entry.title)
    for place, paragraph in enumerate(page):
        words = _letters(paragraph.text)
        if title and words and len(words) <= 2 * len(title) and (words.startswith(title) or title.startswith(words)):
            return start + place
    if entry.base is not None:
        below = [place for place, paragraph in enumerate(page) if paragraph.base <= entry.base]
        return start + (below[0] if below else 0)
    return start


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _told(name: str | None, placeholder: re.Pattern[str]) -> str | None:
    return None if name is None or placeholder.fullmatch(name.strip()) else name


def _label(label: str | None) -> str | None:
    return fold_space(label)[:20] or None if label else None
