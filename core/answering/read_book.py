"""The read part of a book. Tools, quotations and prompts get the book's text only from here, through the page gate."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.answering.extracts.read_text import ReadText, folded_bytes
from core.domain.book import Book, Chapter
from core.domain.passage import ReadableSpan, SearchResult, readable
from core.domain.position import Position
from core.language.book_memory import BookMemory, Held
from core.ports.books import BookTexts
from core.ports.word_traces import Traces, WordTraces


class PageCache:
    """Caches the pages of recently used books, each text once for all clubs that read it.

    The cached pages go as far as the furthest club has read. A club that has read less gets only its own part.
    """

    def __init__(self, memory: BookMemory | None = None) -> None:
        self._held: Held[ReadText] = Held("pages", memory)

    async def pages(self, books: BookTexts, book: Book, span: ReadableSpan) -> ReadText:
        """Return the pages of a span, without chapters: chapter titles may change and are not cached."""
        held = self._held.find(book.content_hash)
        if held is None or held.last_page < span.last_page or held.first_page != span.first_page:
            pages = await books.pages(span)
            held = ReadText(pages, letters=[folded_bytes(page.text) for page in pages])
            self._held.keep(book.content_hash, held)
        read = bisect_right(held.pages, span.last_page, key=lambda page: page.number)
        return held if read == len(held.pages) else ReadText(held.pages[:read], letters=held.letters[:read])


@dataclass(kw_only=True)
class ReadBook:
    """A book at a position.

    Attributes:
        books: the stored books.
        book: the book.
        position: how far it is read.
        begun: the chapters begun at the position; None to read them from the store.
        shelf: the cache of pages.
        index: finds where the words of a question occur; without it, words are compared as they are written.
    """

    books: BookTexts
    book: Book
    position: Position
    begun: Sequence[Chapter] | None = None
    shelf: PageCache = field(default_factory=PageCache)
    index: WordTraces | None = None

    async def is_finished(self) -> bool:
        """Whether the position has reached the end of the story."""
        outline = await self.books.outline(self.book.book_id)
        return (self.position or 0) >= outline.at(self.position).story_end

    async def text(self) -> ReadText:
        """Return the pages read and the chapters begun."""
        pages = await self.shelf.pages(self.books, self.book, readable(self.book, self.position))
        return replace(pages, chapters=await self.chapters(), letters=pages.folded)

    async def chapters(self) -> list[Chapter]:
        """Return the chapters begun at the position."""
        chapters = self.begun
        if chapters is None:
            chapters = (await self.books.outline(self.book.book_id)).chapters
        span = readable(self.book, self.position)
        return [each for each in chapters if each.first_page <= span.last_page and each.last_page >= span.first_page]

    async def traces(self, query: str, runs: Sequence[tuple[int, int]]) -> Traces | None:
        """Return where the words of a query occur on some runs of pages; None without a word index."""
        if self.index is None:
            return None
        return await self.index.traces(readable(self.book, self.position), query, runs)

    async def passages(self, *pages: int) -> tuple[SearchResult, ...]:
        """Return the passages of some pages in the order of the book; unread pages are left out."""
        chunks = await self.books.chunks_of_pages(readable(self.book, self.position), pages)
        return tuple(chunk.found() for chunk in chunks)
