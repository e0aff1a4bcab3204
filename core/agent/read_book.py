"""A book as far as it has been read: where tools, quotations and prompts get its text from, all through one gate."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.domain.book import Book, Chapter
from core.domain.passage import ReadableSpan, SearchResult, readable
from core.domain.position import Position
from core.finders.read_text import ReadText
from core.ports.books import BookRepository
from core.ports.word_traces import Traces, WordTraces

_KEPT: Final = 8


class Shelf:
    """Keeps the pages that were read last, each span of one import by itself: a club asks more than once."""

    def __init__(self, *, capacity: int = _KEPT) -> None:
        self._capacity = capacity
        self._held: OrderedDict[ReadableSpan, ReadText] = OrderedDict()

    async def pages(self, books: BookRepository, span: ReadableSpan) -> ReadText:
        """Return the pages of a span, without chapters: titles may be mended at any time."""
        held = self._held.get(span) or ReadText(await books.pages(span))
        self._held[span] = held
        self._held.move_to_end(span)
        while len(self._held) > self._capacity:
            self._held.popitem(last=False)
        return held


@dataclass(kw_only=True)
class ReadBook:
    """A book at a position. `begun` are the chapters that are begun there, where somebody has looked already.

    `index` tells where the words of a question leave a trace; without it, words are compared as they are written.
    """

    books: BookRepository
    book: Book
    position: Position
    begun: Sequence[Chapter] | None = None
    shelf: Shelf = field(default_factory=Shelf)
    index: WordTraces | None = None

    async def text(self) -> ReadText:
        """Return the pages read and the chapters begun."""
        pages = await self.shelf.pages(self.books, readable(self.book, self.position))
        return replace(pages, chapters=await self.chapters(), letters=pages.folded)

    async def chapters(self) -> list[Chapter]:
        """Return the chapters begun: of those that are not, nothing is told."""
        chapters = self.begun
        if chapters is None:
            chapters = (await self.books.outline(self.book.book_id)).chapters
        return [chapter for chapter in chapters if chapter.first_page <= (self.position or 0)]

    async def traces(self, query: str, runs: Sequence[tuple[int, int]]) -> Traces | None:
        """Return where the words of a question leave a trace on some runs of pages; None where nobody can tell."""
        if self.index is None:
            return None
        return await self.index.traces(readable(self.book, self.position), query, runs)

    async def passages(self, *pages: int) -> tuple[SearchResult, ...]:
        """Return what stands on some pages as passages, in the order of the book; of an unread page, nothing."""
        chunks = await self.books.chunks_of_pages(readable(self.book, self.position), pages)
        return tuple(chunk.found() for chunk in chunks)
