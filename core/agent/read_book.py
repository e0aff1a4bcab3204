"""A book as far as it has been read: where tools, quotations and prompts get its text from, all through one gate."""

from dataclasses import dataclass, field

from core.domain.book import Book
from core.domain.passage import SearchResult, readable
from core.domain.position import Position
from core.finders.read_text import ReadText
from core.ports.books import BookRepository


@dataclass(kw_only=True)
class ReadBook:
    """A book at a position. What of it was looked at once is kept, for as long as a turn takes."""

    books: BookRepository
    book: Book
    position: Position
    _text: ReadText | None = field(default=None, init=False)

    async def text(self) -> ReadText:
        """Return the pages read and the chapters begun."""
        if self._text is None:
            pages = await self.books.pages(readable(self.book, self.position))
            outline = await self.books.outline(self.book.book_id)
            begun = [chapter for chapter in outline.chapters if chapter.first_page <= len(pages)]
            self._text = ReadText(pages, begun)
        return self._text

    async def passages(self, *pages: int) -> tuple[SearchResult, ...]:
        """Return what stands on some pages as passages, in the order of the book; of an unread page, nothing."""
        chunks = await self.books.chunks_of_pages(readable(self.book, self.position), pages)
        return tuple(chunk.found() for chunk in chunks)
