"""A reader whose files hold their books ready made."""

from dataclasses import replace
from pathlib import Path

from core.domain.book import BookText
from core.domain.errors import BookError, BookErrorCode
from core.ports.book_reader import BookReader, ReadingProgress


class InMemoryBookReader(BookReader):
    """Knows books by file name; any other file is unreadable."""

    def __init__(self, **books: BookText) -> None:
        self.books = books

    async def read(
        self,
        path: Path,
        *,
        title: str | None = None,
        author: str | None = None,
        on_progress: ReadingProgress | None = None,
    ) -> BookText:
        if path.stem not in self.books:
            raise BookError(BookErrorCode.UNREADABLE, f"{path.name} cannot be read as a book.")
        text = self.books[path.stem]
        return replace(text, title=title or text.title, author=author or text.author)
