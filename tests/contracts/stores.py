"""Every store over one home."""

from datetime import UTC, datetime
from pathlib import Path

from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from core.domain.book import Book, BookText
from core.domain.conversation import Author, ChatMessage, Conversation, Turn
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.ports.turn_record import BegunTurn, TurnEnd
from tests.builders import ADA, a_book_text, chunks_of
from tests.stored import MODEL_ID, SqlStores, said_in

__all__ = ["MODEL_ID", "Stores", "open_database"]


class Stores(SqlStores):
    """Every store, and how a test of one puts something in."""

    async def add_book(self, text: BookText | None = None, *, scope: str = "local") -> Book:
        text = text or a_book_text()
        book, _ = await self.books.add(
            scope=scope, content_hash=f"hash of {text.title}", text=text, chunks=chunks_of(text)
        )
        return book

    async def conversation(self, session_id: str = "s1", *, book: Book | None = None) -> Conversation:
        book = book or await self.add_book()
        reading = await self.readings.get_or_create(scope="local", place="club", book_id=book.book_id)
        return await self.conversations.get_or_create(session_id=session_id, reading_id=reading.reading_id)

    async def begin(
        self,
        text: str = "Who?",
        *,
        thread: str = "one",
        book: Book | None = None,
        page: int = 2,
        author: Author = ADA,
        ref: str | None = None,
    ) -> Turn:
        """Begin a turn of the club that `conversation` is of, about a book at a page."""
        book = book or await self.add_book()
        begun = await self.record.begin(
            IncomingMessage(
                thread=Thread(scope="local", place="club", thread=thread),
                author=author,
                text=text,
                ref=ref,
                book_id=book.book_id,
                page=page,
            ),
            now=datetime.now(UTC),
            latest=9,
        )
        assert isinstance(begun, BegunTurn)
        assert begun.turn is not None
        return begun.turn

    async def said(self, conversation_id: str) -> list[ChatMessage]:
        """Return all messages of a conversation, oldest first."""
        return await said_in(self.database, conversation_id)

    async def end(self, turn: Turn, end: TurnEnd) -> None:
        """End it."""
        await self.record.end(turn, end, now=datetime.now(UTC))


def open_database(path: Path) -> Database:
    """A database on a file, with the newest schema."""
    database = Database(f"sqlite:///{path}")
    upgrade(database.engine)
    return database
