"""In-memory books with reading notes, for the tests of searching notes."""

from collections.abc import Sequence

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.notes import SqlNoteRepository
from core.domain.book import Book, BookText
from core.domain.note import Note
from tests.builders import a_book_text, chunks_of
from tests.memory import memory_database


class NotedShelf:
    """Books with notes; `book` is the one that was added last."""

    def __init__(self) -> None:
        database = memory_database()
        self.books = SqlBookRepository(database, embedding_model_id=None)
        self.notes = SqlNoteRepository(database)
        self.book_id = ""

    async def book(self) -> Book:
        return await self.books.get(self.book_id)

    async def add(self, notes: Sequence[Note], text: BookText | None = None) -> None:
        """Add a book, the tests' story where none is given, with these notes."""
        text = text or a_book_text()
        book, _ = await self.books.add(scope="local", content_hash=text.title, text=text, chunks=chunks_of(text))
        self.book_id = book.book_id
        await self.notes.replace(book.book_id, notes)
