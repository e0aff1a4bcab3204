"""Ports: where books, readings, conversations and turns are kept. SQL is the source of truth (spec section 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from core.domain.book import Book, BookEdit, BookOutline, BookText, Chunk, Page
from core.domain.conversation import ChatMessage, Conversation, Turn, TurnOutcome
from core.domain.edition import Edition
from core.domain.errors import LLMErrorCode
from core.domain.passage import ReadableSpan, SearchResult
from core.domain.place_map import PlaceMap
from core.domain.position import Position
from core.domain.reading import PositionChange, Reading, Standing
from core.domain.tool_use import TokenUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk:
    """A chunk as the store knows it, with its id."""

    chunk_id: int
    start_page: int
    end_page: int
    text: str

    def found(self, *, score: float = 0.0) -> SearchResult:
        """Return the chunk as a search gives it; the score is 0 where nothing was ranked."""
        return SearchResult(
            chunk_id=self.chunk_id,
            start_page=self.start_page,
            end_page=self.end_page,
            score=round(score, 6),
            text=self.text,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAnswer:
    """An answered turn, as a button that was pressed later finds it."""

    turn: Turn
    session_id: str
    book_id: str
    chunk_ids: tuple[int, ...]


class BookRepository(Protocol):
    """Books with their pages, chapters and chunks."""

    async def add(self, *, scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> tuple[Book, bool]:
        """Store a book whole or not at all; return it, and whether it is new (the same content is one book a scope)."""

    async def get(self, book_id: str) -> Book:
        """Return the book. Raises BookError(NOT_FOUND)."""

    async def find(self, *, scope: str, name: str) -> Book:
        """Look a book up by id, title or unique prefix of a title, case-insensitively.

        Raises:
            BookError: NOT_FOUND, or AMBIGUOUS with the titles that fit.
        """

    async def latest(self, *, scope: str) -> Book | None:
        """Return the book of the scope that was imported last, if any."""

    async def in_scope(self, *, scope: str) -> list[Book]:
        """Return the books of a scope by title."""

    async def edit(self, book_id: str, edit: BookEdit) -> None:
        """Mend what is known of a book, all of it or nothing; chapters that it does not have are passed over."""

    async def copy(self, book_id: str, *, scope: str) -> tuple[Book, bool]:
        """Store a book in another scope too, with its vectors; return that book, and whether it is new there."""

    async def succeed(self, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        """Let a book take another's place: readings go on in it, with threads, positions, editions and history.

        The old one goes with that; it stays, and False is returned, where a club reads both.
        """

    async def remove(self, book_id: str) -> None:
        """Delete a book with all that hangs on it; clubs that read it remember its title."""

    async def outline(self, book_id: str) -> BookOutline:
        """Return page count, labels and chapters."""

    async def pages(self, span: ReadableSpan) -> list[Page]:
        """Return the readable pages."""

    async def chunks(self, book_id: str) -> list[StoredChunk]:
        """Return all chunks in the order of the book, for building an index. Never to be shown without the gate."""

    async def readable_chunks(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Read chunks again through the gate: what is not readable, or no longer there, is left out."""

    async def chunks_of_pages(self, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
        """Return the chunks that begin on some pages, in the order of the book, through the gate."""

    async def chunks_beside(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """Return all chunks of the pages on which some chunks begin, in the order of the book, through the gate."""


class ReadingRepository(Protocol):
    """Clubs, their readings, and where everybody stands."""

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        """Return the reading of a book in a club (a place of a scope), and make it the club's current one."""

    async def get(self, reading_id: str) -> Reading:
        """Return the reading. Raises BookError(NOT_FOUND)."""

    async def current(self, *, scope: str, place: str) -> Reading | None:
        """Return what the club reads now: the reading used last."""

    async def removed_title(self, *, scope: str, place: str) -> str | None:
        """Return the title of the book that the club was reading when it was removed, until it reads another."""

    async def standing(self, conversation_id: str) -> Standing:
        """Return where a thread, its reading and its members stand. Raises BookError(NOT_FOUND)."""

    async def reading_standing(self, reading_id: str) -> Standing:
        """Return where a reading itself and its members stand, as a new thread of it would. Raises BookError."""

    async def set_thread_position(
        self, conversation_id: str, *, position: Position, has_own: bool, member_id: str
    ) -> PositionChange:
        """Move a thread and keep the change, so that it can be undone."""

    async def set_reading_position(self, reading_id: str, *, position: Position, member_id: str) -> PositionChange:
        """Move a reading and keep the change, so that it can be undone."""

    async def undo(self, conversation_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a thread.

        None where there is nothing to take back, or where the latest change is not the one that is meant.
        """

    async def undo_reading(self, reading_id: str, *, change_id: int | None = None) -> PositionChange | None:
        """Take back the latest change of a reading itself, as `undo` does for a thread."""

    async def own_positions(self, reading_id: str) -> list[str]:
        """Return the session ids of the threads that hold a position of their own."""

    async def edition(self, reading_id: str, member_id: str | None = None) -> Edition | None:
        """Return the copy that a member reads from, or that the whole reading goes by; None where nobody has said."""

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        """Keep what is known of a member's copy, or of the whole reading's; None forgets it."""


class ConversationRepository(Protocol):
    """Conversations by session."""

    async def get(self, conversation_id: str) -> Conversation:
        """Return the conversation. Raises BookError(NOT_FOUND)."""

    async def get_or_create(self, *, session_id: str, reading_id: str) -> Conversation:
        """Return the conversation of a session about a reading; safe under concurrent callers."""


class ChatMessageRepository(Protocol):
    """The messages of a conversation, oldest first."""

    async def add(self, conversation_id: str, *messages: ChatMessage, turn_id: int | None = None) -> None:
        """Store messages in order, all or none; one that a platform names (`platform_ref`) is stored once."""

    async def where_said(self, platform_ref: str) -> tuple[str, Position] | None:
        """Return the conversation's id and the position at which a platform's message was written; None for others."""

    async def replace_text(self, platform_ref: str, text: str, *, reveals_page: int | None = None) -> None:
        """Put another text in place of a platform's message, an empty one where it was deleted; its turn says so too.

        `reveals_page` is the highest page that the new text is known to tell of.
        """

    async def get_by_conversation(self, conversation_id: str) -> list[ChatMessage]:
        """Return all messages, oldest first."""

    async def readable_history(self, conversation_id: str, *, position: Position, latest: int) -> list[ChatMessage]:
        """Return the latest messages that a context built at a position may hold (`ChatMessage.fits`), oldest first."""


class TurnRepository(Protocol):
    """The record of questions and answers."""

    async def open(
        self, conversation_id: str, *, user_query: str, position: Position, asked_by: str | None = None
    ) -> Turn:
        """Begin a turn; numbers count from 1 and are unique in a conversation, also under concurrent writers.

        `asked_by` names a platform's message: a turn that it has opened already is given back, to be gone on with.
        """

    async def get(self, turn_id: int) -> RecordedAnswer | None:
        """Return an answered turn with what it rests on; None where there is none."""

    async def give_feedback(self, turn_id: int, feedback: int) -> None:
        """Keep what a member thinks of an answer: 1 or -1."""

    async def answered(
        self, turn_id: int, outcome: TurnOutcome, *, duration_ms: int, cost: Decimal | None = None
    ) -> None:
        """Fill in the answer; `cost` is in US dollars, None where the price is not known."""

    async def failed(self, turn_id: int, code: LLMErrorCode, *, usage: TokenUsage, duration_ms: int) -> None:
        """Record that there is no answer, why, and what was spent all the same."""

    async def history(self, conversation_id: str, *, limit: int) -> list[Turn]:
        """Return the latest turns, oldest first."""
