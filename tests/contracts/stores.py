"""Every store over one home: the SQL repositories on one database."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from adapters.persistence.aliases import SqlAliasRepository
from adapters.persistence.bookmarks import SqlBookmarks
from adapters.persistence.books import SqlBookRepository
from adapters.persistence.club_links import SqlClubLinks
from adapters.persistence.club_record import SqlClubRecord
from adapters.persistence.club_texts import SqlClubTexts
from adapters.persistence.clubs import SqlClubRepository
from adapters.persistence.conversations import SqlChatMessageRepository, SqlConversationRepository
from adapters.persistence.database import Database
from adapters.persistence.inbox import SqlInbox
from adapters.persistence.later_questions import SqlLaterQuestions
from adapters.persistence.left_servers import SqlLeftServerRepository
from adapters.persistence.migrate import upgrade
from adapters.persistence.notes import SqlNoteRepository
from adapters.persistence.polls import SqlPollRepository
from adapters.persistence.readings import SqlReadingRepository
from adapters.persistence.schedules import SqlScheduleRepository
from adapters.persistence.sealed_items import SqlSealedItemRepository
from adapters.persistence.threads import SqlThreadRepository
from adapters.persistence.timers import SqlTimerTable
from adapters.persistence.turn_record import SqlTurnRecord
from adapters.persistence.vectors import SqlVectorRepository
from adapters.persistence.watches import SqlWatches
from bot.system_clock import SystemClock
from core.domain.book import Book, BookText
from core.domain.conversation import Author, ChatMessage, Conversation, Turn
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.ports.aliases import AliasRepository
from core.ports.bookmarks import Bookmarks
from core.ports.books import BookRepository
from core.ports.club_links import ClubLinks
from core.ports.club_record import ClubRecord
from core.ports.club_texts import ClubTexts
from core.ports.clubs import ClubRepository
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from core.ports.inbox import Inbox
from core.ports.later_questions import LaterQuestions
from core.ports.left_servers import LeftServerRepository
from core.ports.notes import NoteRepository
from core.ports.polls import PollRepository
from core.ports.readings import ReadingRepository
from core.ports.schedules import ScheduleRepository
from core.ports.sealed_items import SealedItemRepository
from core.ports.threads import ThreadRepository
from core.ports.timers import TimerTable
from core.ports.turn_record import BegunTurn, TurnEnd, TurnRecord
from core.ports.vectors import VectorRepository
from core.ports.watches import Watches
from tests.builders import ADA, a_book_text, chunks_of
from tests.places import Places
from tests.stored import said_in

MODEL_ID = "hash-1-128"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """One of each store, over the same data; `said` reads back all messages of a conversation, oldest first."""

    books: BookRepository
    readings: ReadingRepository
    places: Places
    conversations: ConversationRepository
    messages: ChatMessageRepository
    vectors: VectorRepository
    notes: NoteRepository
    clubs: ClubRepository
    sealed_items: SealedItemRepository
    polls: PollRepository
    club_record: ClubRecord
    inbox: Inbox
    threads: ThreadRepository
    record: TurnRecord
    timers: TimerTable
    schedules: ScheduleRepository
    aliases: AliasRepository
    marks: Bookmarks
    texts: ClubTexts
    left: LeftServerRepository
    later: LaterQuestions
    links: ClubLinks
    watches: Watches
    said: Callable[[str], Awaitable[list[ChatMessage]]]

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

    async def end(self, turn: Turn, end: TurnEnd) -> None:
        """End it."""
        await self.record.end(turn, end, now=datetime.now(UTC))


def in_sql(database: Database) -> Stores:
    """Return all stores over one database."""
    return Stores(
        books=SqlBookRepository(database, embedding_model_id=MODEL_ID),
        readings=SqlReadingRepository(database, clock=SystemClock()),
        places=Places(database),
        conversations=SqlConversationRepository(database),
        messages=SqlChatMessageRepository(database),
        vectors=SqlVectorRepository(database),
        notes=SqlNoteRepository(database),
        clubs=SqlClubRepository(database),
        sealed_items=SqlSealedItemRepository(database),
        polls=SqlPollRepository(database),
        club_record=SqlClubRecord(database),
        inbox=SqlInbox(database),
        threads=SqlThreadRepository(database, embedding_model_id=MODEL_ID),
        record=SqlTurnRecord(database, embedding_model_id=MODEL_ID),
        timers=SqlTimerTable(database),
        schedules=SqlScheduleRepository(database),
        aliases=SqlAliasRepository(database),
        marks=SqlBookmarks(database),
        texts=SqlClubTexts(database),
        left=SqlLeftServerRepository(database),
        later=SqlLaterQuestions(database),
        links=SqlClubLinks(database),
        watches=SqlWatches(database),
        said=partial(said_in, database),
    )


def open_database(path: Path) -> Database:
    """A database on a file, with the newest schema."""
    database = Database(f"sqlite:///{path}")
    upgrade(database.engine)
    return database
