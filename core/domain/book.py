"""A book as Thusfar knows it: its pages are the text of record, everything else points at them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class PageSource(StrEnum):
    """Where the page breaks of a book come from; estimated pages are shown as estimated."""

    FORM_FEEDS = "form_feeds"
    ESTIMATED = "estimated"


class BookStatus(StrEnum):
    """`searchable` as soon as the text is in SQL; `complete` when every chunk has its vector."""

    SEARCHABLE = "searchable"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: `number` from 1, `label` as printed on it, `start_offset` in characters of the book."""

    number: int
    text: str
    label: str | None = None
    start_offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter and the pages it covers, both inclusive."""

    number: int
    title: str
    first_page: int
    last_page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """An indexed piece of one page; `number` counts from 1 through the book. A chunk never crosses a page boundary."""

    number: int
    start_page: int
    end_page: int
    text: str
    chapter_number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BookText:
    """What a reader makes of a file: the whole book before it has an id or a place in the store."""

    title: str
    author: str | None
    pages: tuple[Page, ...]
    chapters: tuple[Chapter, ...]
    page_source: PageSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """One imported text, unique by scope and content hash. `pages`, `chapters` and `chunks` are counts.

    A book that is removed and imported again has the same `book_id` and another `import_id`.
    """

    book_id: str
    scope: str
    title: str
    author: str | None
    content_hash: str
    pages: int
    chapters: int
    chunks: int
    page_source: PageSource
    status: BookStatus
    import_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookOutline:
    """What the position rules need of a book: how many pages, their printed labels, its chapters."""

    pages: int
    labels: Mapping[str, int] = field(default_factory=dict)
    chapters: tuple[Chapter, ...] = ()

    def chapter_at(self, page: int) -> Chapter | None:
        """Return the chapter that holds `page`, if any."""
        return next((c for c in self.chapters if c.first_page <= page <= c.last_page), None)
