"""Reads plain text books, including Project Gutenberg's; chosen by `choose.reader_for`."""

import re
from dataclasses import dataclass
from itertools import accumulate, chain
from pathlib import Path

from adapters.readers.bound import bound
from adapters.readers.decoding import read_text, require_letters
from adapters.readers.files import DEFAULT_MAX_BYTES
from adapters.readers.formats import FileReader
from adapters.readers.headings import headings_in
from adapters.readers.layout import TextLayout
from adapters.readers.naming import first_name, shown_name, title_of
from adapters.readers.pages import estimated_pages, page_per_section, split_form_feeds
from adapters.readers.paragraphs import paragraphs_of, wrap_width
from adapters.readers.sections import outside_lines
from adapters.readers.story import shape_of
from core.domain.book import BookText, Page, PageSource

_START = re.compile(
    r"^\*\*\* ?START OF TH(?:E|IS) PROJECT GUTENBERG[^\n]*(?:\n[^\n*]+)?\*\*\*[ \t]*$", re.MULTILINE | re.IGNORECASE
)
_END = re.compile(
    r"^(?:End of (?:the )?Project Gutenberg[^\n]*\n\s*)?\*\*\* ?END OF TH(?:E|IS) PROJECT", re.MULTILINE | re.IGNORECASE
)
_WIDE_GAP = re.compile(r"\n(?:[ \t]*\n){2,}")
_FIELD = re.compile(r"^(Title|Author):[ \t]*([^\n]+(?:\n[ \t]+[^\n]+)*)", re.MULTILINE)


class TextBookReader(FileReader):
    """Reads .txt files: pages at form feeds, else estimated; chapters from lines that look like headings."""

    def __init__(self, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._max_bytes = max_bytes

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` override a Project Gutenberg header."""
        source = _without_licence(read_text(path, self._max_bytes))
        require_letters(source.text, shown_name(path))
        width = wrap_width(source.text)
        blocks = [
            [paragraphs_of(block, width) for block in _WIDE_GAP.split(page)] for page in split_form_feeds(source.text)
        ]
        sections = [[*chain.from_iterable(page)] for page in blocks]
        paragraphs = [*chain.from_iterable(sections)]
        page_of = [number for number, section in enumerate(sections, 1) for _ in section]
        gaps = {*accumulate(len(block) for page in blocks for block in page)} - {len(paragraphs)}
        layout = TextLayout.of(page_of, gaps)
        headings = headings_in(paragraphs, layout)
        named, writer = title_of(path, (title, source.title)), first_name((author, source.author))
        shape = shape_of(
            headings,
            paragraphs,
            others=outside_lines(paragraphs, headings),
            names=(named, writer),
            apart=layout.apart,
        )
        if len(sections) > 1:
            pages: tuple[Page, ...] = page_per_section(sections)
        else:
            pages, page_of = estimated_pages(paragraphs, shape.breaks)
        return bound(
            shape,
            pages,
            page_of,
            title=named,
            author=writer,
            source=PageSource.FORM_FEEDS if len(sections) > 1 else PageSource.ESTIMATED,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    text: str
    title: str | None = None
    author: str | None = None


def _without_licence(text: str) -> _Source:
    start = _START.search(text)
    end = _END.search(text, start.end() if start else 0)
    body = text[start.end() if start else 0 : end.start() if end else len(text)]
    if not start:
        return _Source(text=body)
    fields: dict[str, str] = {}
    for field in _FIELD.finditer(text, 0, start.start()):
        fields.setdefault(field[1], field[2])
    return _Source(text=body, title=fields.get("Title"), author=fields.get("Author"))
