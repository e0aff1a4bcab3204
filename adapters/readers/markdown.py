"""Reads Markdown books: the plain text under the mark-up, chapters from the headings; picked by `choose.reader_for`."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from adapters.readers.decoding import DEFAULT_MAX_BYTES, read_text, require_letters
from adapters.readers.formats import MARKDOWN_ENDINGS
from adapters.readers.front_matter import split_front_matter
from adapters.readers.headings import Heading, chosen
from adapters.readers.markdown_blocks import Block, blocks_of
from adapters.readers.marks import Candidate, Mark, lone_number, mark_of
from adapters.readers.naming import first_name, shown_name, title_of
from adapters.readers.pages import chapters_over, estimated_pages, page_per_section, split_form_feeds
from adapters.readers.paragraphs import wrap_width
from core.domain.book import BookText, Page, PageSource
from core.ports.book_reader import BookReader

_TITLE_WITHIN = 4


class MarkdownBookReader(BookReader):
    """Reads .md files: pages at form feeds, else estimated; title and author from front matter or the first heading."""

    def __init__(self, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._max_bytes = max_bytes

    @property
    def suffixes(self) -> frozenset[str]:
        """File endings in lower case, with the dot."""
        return frozenset(MARKDOWN_ENDINGS)

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` win over front matter and headings."""
        matter, text = split_front_matter(read_text(path, self._max_bytes))
        width = wrap_width(text)
        sections = [blocks_of(page, width, shown_name(path)) for page in split_form_feeds(text)]
        blocks = [*chain.from_iterable(sections)]
        paragraphs = [block.text for block in blocks]
        require_letters("\n".join(paragraphs), shown_name(path))
        headed = [index for index, block in enumerate(blocks) if block.level]
        title_index = _title_heading(blocks, headed)
        headings = _chapters(blocks, paragraphs, [index for index in headed if index != title_index])
        if len(sections) > 1:
            pages: tuple[Page, ...] = page_per_section([[block.text for block in section] for section in sections])
            page_of = [number for number, section in enumerate(sections, 1) for _ in section]
        else:
            pages, page_of = estimated_pages(paragraphs, headings)
        own_title = None if title_index is None else paragraphs[title_index]
        return BookText(
            title=title_of(path, (title, matter.get("title"), own_title)),
            author=first_name((author, matter.get("author"))),
            pages=pages,
            chapters=chapters_over(headings, page_of, len(pages)),
            page_source=PageSource.FORM_FEEDS if len(sections) > 1 else PageSource.ESTIMATED,
        )


def _title_heading(blocks: Sequence[Block], headed: Sequence[int]) -> int | None:
    """Return the heading that names the book: the first, if no other has its rank or the next stands right below it."""
    if not headed or headed[0] >= _TITLE_WITHIN or _mark(blocks[headed[0]].text):
        return None
    first = headed[0]
    level = blocks[first].level
    below = [blocks[index].level for index in headed[1:]]
    if all(other > level for other in below):
        return first
    return first if headed[1] == first + 1 and level <= below[0] else None


def _chapters(blocks: Sequence[Block], paragraphs: Sequence[str], headed: Sequence[int]) -> list[Heading]:
    if not headed:
        return []
    level = _chapter_level(blocks, headed)
    candidates: list[Candidate] = []
    for index in headed:
        block = blocks[index]
        mark = _mark(block.text)
        if block.level <= level:
            upper = block.level < level or bool(mark and mark.upper)
            candidates.append(Candidate(index=index, text=block.text, mark=mark, upper=upper))
    return chosen(candidates, paragraphs)


def _chapter_level(blocks: Sequence[Block], headed: Sequence[int]) -> int:
    """Return the level of the numbered chapters, else the highest one that does not only hold parts."""
    levels = [blocks[index].level for index in headed]
    marks = [_mark(blocks[index].text) for index in headed]
    numbered = [level for level, mark in zip(levels, marks, strict=True) if mark and mark.numbered]
    if numbered:
        return max(sorted(set(numbered)), key=numbered.count)
    for level in sorted(set(levels)):
        here = [mark for other, mark in zip(levels, marks, strict=True) if other == level]
        if not all(mark and mark.upper for mark in here):
            return level
    return min(levels)


def _mark(text: str) -> Mark | None:
    number = lone_number(text)
    return Mark(kind="chapter", number=number, bare=True) if number is not None else mark_of(text)
