"""Reads Markdown books: plain text without mark-up, chapters from headings; chosen by `choose.reader_for`."""

import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from adapters.readers.bound import bound
from adapters.readers.decoding import read_text, require_letters
from adapters.readers.files import DEFAULT_MAX_BYTES
from adapters.readers.formats import FileReader
from adapters.readers.heading_levels import chapters_by_level, title_heading
from adapters.readers.markdown_blocks import Block, blocks_of
from adapters.readers.naming import first_name, shown_name, title_of
from adapters.readers.pages import estimated_pages, page_per_section, split_form_feeds
from adapters.readers.paragraphs import wrap_width
from adapters.readers.story import shape_of
from core.domain.book import BookText, Page, PageSource

_FENCE = re.compile(r"---[ \t]*\n")
_LONGEST = 10_000
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_ENTRY = re.compile(r"([A-Za-z_][\w -]*):(?:[ \t]+(.*))?")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")
_COMMENT_OR_CONTINUED = re.compile(r"[ \t#]")


class MarkdownBookReader(FileReader):
    """Reads .md files: pages at form feeds, else estimated; title and author from front matter or the first heading."""

    def __init__(self, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._max_bytes = max_bytes

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` override front matter and headings."""
        matter, text = split_front_matter(read_text(path, self._max_bytes))
        width = wrap_width(text)
        sections = [blocks_of(page, width, shown_name(path)) for page in split_form_feeds(text)]
        blocks = [*chain.from_iterable(sections)]
        paragraphs = [block.text for block in blocks]
        require_letters("\n".join(paragraphs), shown_name(path))
        levels = [block.level for block in blocks]
        title_index = title_heading(paragraphs, levels)
        headings = chapters_by_level(paragraphs, levels)
        estimated = len(sections) == 1
        own_title = None if title_index is None else paragraphs[title_index]
        named = title_of(path, (title, matter.get("title"), own_title))
        writer = first_name((author, matter.get("author")))
        shape = shape_of(headings, paragraphs, names=(named, writer))
        pages, page_of = estimated_pages(paragraphs, shape.breaks) if estimated else _pages_of(sections)
        return bound(
            shape,
            pages,
            page_of,
            title=named,
            author=writer,
            source=PageSource.ESTIMATED if estimated else PageSource.FORM_FEEDS,
        )


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Return the entries of the front matter (keys in lower case), and the text after it."""
    start = _FENCE.match(text)
    close = _CLOSE.search(text, start.end(), start.end() + _LONGEST) if start else None
    if not start or not close:
        return {}, text
    entries = _entries(text[start.end() : close.start()].splitlines())
    return (entries, text[close.end() :]) if entries else ({}, text)


def _pages_of(sections: Sequence[Sequence[Block]]) -> tuple[tuple[Page, ...], list[int]]:
    """Return the pages between form feeds, and the page of each block."""
    pages = page_per_section([[block.text for block in section] for section in sections])
    return pages, [number for number, section in enumerate(sections, 1) for _ in section]


def _entries(lines: list[str]) -> dict[str, str]:
    """Parse `key: value` with lists of one level; anything else means that this is text between two rules."""
    entries: dict[str, str] = {}
    key = ""
    for line in lines:
        if entry := _ENTRY.fullmatch(line):
            key = entry[1].lower()
            entries[key] = _plain(entry[2] or "")
        elif item := _ITEM.fullmatch(line):
            entries[key] = ", ".join(filter(None, (entries.get(key, ""), _plain(item[1]))))
        elif line.strip() and not _COMMENT_OR_CONTINUED.match(line):
            return {}
    return entries


def _plain(value: str) -> str:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return ", ".join(_plain(part) for part in value[1:-1].split(","))
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
