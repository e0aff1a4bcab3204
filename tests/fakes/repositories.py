"""The stores, in memory. What hangs on a book goes with it, as foreign keys see to in SQL."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal

from core.domain.book import Book, BookEdit, BookOutline, BookStatus, BookText, Chunk, Page, page_ends
from core.domain.conversation import ChatMessage, Conversation, Turn, TurnOutcome, TurnStatus
from core.domain.edition import Edition
from core.domain.errors import BookError, BookErrorCode, LLMErrorCode
from core.domain.passage import ReadableSpan
from core.domain.place_map import PlaceMap
from core.domain.position import MemberPosition, Pace, PageControl, Position
from core.domain.reading import PositionChange, Reading, Standing
from core.domain.session import talk_of
from core.domain.tool_use import TokenUsage
from core.ports.repositories import (
    BookRepository,
    ChatMessageRepository,
    ConversationRepository,
    ReadingRepository,
    RecordedAnswer,
    StoredChunk,
    TurnRepository,
)
from core.ports.vectors import Vectors


class InMemoryBookRepository(BookRepository):
    """Books in the order of their import; `vectors` is the table that InMemoryVectorRepository keeps."""

    def __init__(self, *, embedding_model_id: str | None = None) -> None:
        self.removed: dict[str, str] = {}
        self.readings: InMemoryReadingRepository | None = None
        self._model_id = embedding_model_id
        self._books: dict[str, Book] = {}
        self._texts: dict[str, BookText] = {}
        self._chunks: dict[str, list[StoredChunk]] = {}
        self._chunk_ids = 0
        self.vectors: dict[tuple[str, int], Vectors] = {}

    async def add(self, *, scope: str, content_hash: str, text: BookText, chunks: Sequence[Chunk]) -> tuple[Book, bool]:
        book_id = f"b_{hashlib.sha256(f'{scope} {content_hash}'.encode()).hexdigest()[:12]}"
        if book_id in self._books:
            return await self.get(book_id), False
        self._texts[book_id] = text
        self._chunks[book_id] = [self._stored(chunk) for chunk in chunks]
        self._books[book_id] = Book(
            book_id=book_id,
            scope=scope,
            title=text.title,
            author=text.author,
            content_hash=content_hash,
            pages=len(text.pages),
            chapters=len(text.chapters),
            chunks=len(chunks),
            page_source=text.page_source,
            status=BookStatus.SEARCHABLE,
        )
        return await self.get(book_id), True

    async def get(self, book_id: str) -> Book:
        if book_id not in self._books:
            raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {book_id}.")
        held = all((self._model_id, chunk.chunk_id) in self.vectors for chunk in self._chunks[book_id])
        complete = self._model_id is None or held
        return replace(self._books[book_id], status=BookStatus.COMPLETE if complete else BookStatus.SEARCHABLE)

    async def find(self, *, scope: str, name: str) -> Book:
        books = await self.in_scope(scope=scope)
        wanted = name.strip().casefold()
        for fits in (
            [book for book in books if book.book_id == wanted],
            [book for book in books if book.title.casefold() == wanted],
            [book for book in books if wanted and book.title.casefold().startswith(wanted)],
        ):
            if len(fits) == 1:
                return fits[0]
            if fits:
                titles = ", ".join(f"{book.title} ({book.book_id})" for book in fits)
                raise BookError(BookErrorCode.AMBIGUOUS, f"{name!r} fits several books: {titles}.")
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no book {name!r}.")

    async def latest(self, *, scope: str) -> Book | None:
        ids = [book.book_id for book in self._books.values() if book.scope == scope]
        return await self.get(ids[-1]) if ids else None

    async def in_scope(self, *, scope: str) -> list[Book]:
        books = [await self.get(book.book_id) for book in self._books.values() if book.scope == scope]
        return sorted(books, key=lambda book: (book.title, book.book_id))

    async def edit(self, book_id: str, edit: BookEdit) -> None:
        book, text = await self.get(book_id), self._texts[book_id]
        author = book.author if edit.author is None else edit.author or None
        self._books[book_id] = replace(book, title=edit.title or book.title, author=author)
        self._texts[book_id] = replace(
            text,
            first_story_page=edit.first_story_page or text.first_story_page,
            last_story_page=edit.last_story_page or text.last_story_page,
            chapters=tuple(replace(c, title=edit.chapter_titles.get(c.number, c.title)) for c in text.chapters),
        )

    async def copy(self, book_id: str, *, scope: str) -> tuple[Book, bool]:
        book, text = await self.get(book_id), self._texts[book_id]
        originals = self._chunks[book_id]
        text = replace(text, title=book.title, author=book.author)
        chunks = [
            Chunk(number=number, start_page=chunk.start_page, end_page=chunk.end_page, text=chunk.text)
            for number, chunk in enumerate(originals, start=1)
        ]
        copied, is_new = await self.add(scope=scope, content_hash=book.content_hash, text=text, chunks=chunks)
        if is_new:
            pairs = zip(originals, self._chunks[copied.book_id], strict=True)
            for model_id, old_id, new_id in [
                (model_id, old.chunk_id, new.chunk_id)
                for old, new in pairs
                for model_id, chunk_id in self.vectors
                if chunk_id == old.chunk_id
            ]:
                self.vectors[model_id, new_id] = self.vectors[model_id, old_id]
        return await self.get(copied.book_id), is_new

    async def succeed(self, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        await self.get(old_book_id)
        await self.get(new_book_id)
        if self.readings is not None and not self.readings.carry_over(old_book_id, new_book_id, places):
            return False
        await self.remove(old_book_id)
        return True

    async def remove(self, book_id: str) -> None:
        self.removed[book_id] = (await self.get(book_id)).title
        gone = {chunk.chunk_id for chunk in self._chunks.pop(book_id)}
        self.vectors = {key: vector for key, vector in self.vectors.items() if key[1] not in gone}
        del self._books[book_id], self._texts[book_id]

    async def outline(self, book_id: str) -> BookOutline:
        await self.get(book_id)
        text = self._texts[book_id]
        labels = {page.label: page.number for page in reversed(text.pages) if page.label}
        return BookOutline(
            pages=len(text.pages),
            labels=labels,
            chapters=text.chapters,
            ends=page_ends([page.start_offset for page in text.pages], _length(text)),
            first_story_page=text.first_story_page,
            last_story_page=text.last_story_page,
        )

    async def pages(self, span: ReadableSpan) -> list[Page]:
        text = self._texts.get(span.book_id)
        return [page for page in text.pages if span.holds(page.number)] if text else []

    async def chunks(self, book_id: str) -> list[StoredChunk]:
        return list(self._chunks.get(book_id, []))

    async def readable_chunks(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        wanted = set(chunk_ids)
        held = self._chunks.get(span.book_id, [])
        return [chunk for chunk in held if chunk.chunk_id in wanted and span.holds(chunk.end_page)]

    async def chunks_of_pages(self, span: ReadableSpan, pages: Sequence[int]) -> list[StoredChunk]:
        held = self._chunks.get(span.book_id, [])
        return [chunk for chunk in held if chunk.start_page in pages and span.holds(chunk.end_page)]

    async def chunks_beside(self, span: ReadableSpan, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        held = self._chunks.get(span.book_id, [])
        return await self.chunks_of_pages(span, [chunk.start_page for chunk in held if chunk.chunk_id in chunk_ids])

    def holds(self, book_id: str) -> bool:
        return book_id in self._books

    def holds_chunk(self, chunk_id: int) -> bool:
        return any(chunk.chunk_id == chunk_id for chunks in self._chunks.values() for chunk in chunks)

    def _stored(self, chunk: Chunk) -> StoredChunk:
        self._chunk_ids += 1
        return StoredChunk(
            chunk_id=self._chunk_ids, start_page=chunk.start_page, end_page=chunk.end_page, text=chunk.text
        )


@dataclass(slots=True, kw_only=True)
class _ThreadState:
    reading_id: str
    position: Position = None
    has_own: bool = False
    changes: list[PositionChange] = field(default_factory=list)


class InMemoryReadingRepository(ReadingRepository):
    """Readings by club and book. Tests move a reading or its members with `move` and `members`."""

    def __init__(self, books: InMemoryBookRepository) -> None:
        self._books = books
        books.readings = self
        self._readings: dict[str, Reading] = {}
        self._used: list[str] = []
        self._threads: dict[str, _ThreadState] = {}
        self._changes: dict[str, list[PositionChange]] = {}
        self._changed = 0
        self._editions: dict[tuple[str, str | None], Edition | None] = {}
        self.sessions: dict[str, str] = {}
        self.members: dict[str, tuple[MemberPosition, ...]] = {}

    async def get_or_create(self, *, scope: str, place: str, book_id: str) -> Reading:
        await self._books.get(book_id)
        club_id = f"c_{scope}:{place}"
        reading_id = f"r_{club_id}/{book_id}"
        new = Reading(
            reading_id=reading_id,
            club_id=club_id,
            book_id=book_id,
            current_page=None,
            pace=Pace.THREAD,
            page_control=PageControl.ANYONE,
        )
        reading_id = next(
            (r.reading_id for r in self._readings.values() if (r.club_id, r.book_id) == (club_id, book_id)), reading_id
        )
        self._used = [*(used for used in self._used if used != reading_id), reading_id]
        return self._readings.setdefault(reading_id, new)

    async def get(self, reading_id: str) -> Reading:
        reading = self._readings.get(reading_id)
        if reading is None or not self._books.holds(reading.book_id):
            raise BookError(BookErrorCode.NOT_FOUND, "What this thread was reading is gone.")
        return reading

    async def current(self, *, scope: str, place: str) -> Reading | None:
        used = [self._readings[reading_id] for reading_id in self._used]
        here = [r for r in used if r.club_id == f"c_{scope}:{place}" and self._books.holds(r.book_id)]
        return here[-1] if here else None

    async def removed_title(self, *, scope: str, place: str) -> str | None:
        used = [self._readings[reading_id] for reading_id in self._used]
        here = [r.book_id for r in used if r.club_id == f"c_{scope}:{place}"]
        return self._books.removed.get(here[-1]) if here else None

    async def standing(self, conversation_id: str) -> Standing:
        thread = await self._thread(conversation_id)
        return Standing(
            reading=await self.get(thread.reading_id),
            thread_position=thread.position,
            thread_has_own=thread.has_own,
            members=self.members.get(thread.reading_id, ()),
        )

    async def reading_standing(self, reading_id: str) -> Standing:
        members = self.members.get(reading_id, ())
        return Standing(reading=await self.get(reading_id), thread_position=None, thread_has_own=False, members=members)

    async def set_thread_position(
        self, conversation_id: str, *, position: Position, has_own: bool, member_id: str
    ) -> PositionChange:
        thread = await self._thread(conversation_id)
        self._changed += 1
        change = PositionChange(
            change_id=self._changed,
            from_position=thread.position,
            to_position=position,
            from_has_own=thread.has_own,
            to_has_own=has_own,
        )
        thread.position, thread.has_own = position, has_own
        thread.changes.append(change)
        return change

    async def set_reading_position(self, reading_id: str, *, position: Position, member_id: str) -> PositionChange:
        reading = await self.get(reading_id)
        self._changed += 1
        change = PositionChange(
            change_id=self._changed,
            from_position=reading.current_page,
            to_position=position,
            from_has_own=False,
            to_has_own=False,
        )
        self._changes.setdefault(reading_id, []).append(change)
        self._readings[reading_id] = replace(reading, current_page=position)
        return change

    async def undo(self, conversation_id: str, *, change_id: int | None = None) -> PositionChange | None:
        thread = await self._thread(conversation_id)
        made = _latest(thread.changes, change_id)
        if made is None:
            return None
        thread.position, thread.has_own = made.from_position, made.from_has_own
        return _taken_back(made)

    async def undo_reading(self, reading_id: str, *, change_id: int | None = None) -> PositionChange | None:
        reading = await self.get(reading_id)
        made = _latest(self._changes.get(reading_id, []), change_id)
        if made is None:
            return None
        self._readings[reading_id] = replace(reading, current_page=made.from_position)
        return _taken_back(made)

    async def own_positions(self, reading_id: str) -> list[str]:
        return [
            self.sessions.get(conversation_id, conversation_id)
            for conversation_id, thread in self._threads.items()
            if thread.reading_id == reading_id and thread.has_own
        ]

    async def edition(self, reading_id: str, member_id: str | None = None) -> Edition | None:
        await self.get(reading_id)
        return self._editions.get((reading_id, member_id))

    async def set_edition(self, reading_id: str, edition: Edition | None, *, member_id: str | None = None) -> None:
        await self.get(reading_id)
        self._editions[reading_id, member_id] = edition

    def book_of(self, conversation: Conversation) -> str:
        """The book that a conversation is about by now."""
        return self._readings[conversation.reading_id].book_id

    def forget_editions(self, member_id: str) -> None:
        """Forget a member's copies."""
        self._editions = {key: edition for key, edition in self._editions.items() if key[1] != member_id}

    def carry_over(self, old_book_id: str, new_book_id: str, places: PlaceMap) -> bool:
        """Let the readings of one book go on in another; False where a club reads both."""
        old = [reading for reading in self._readings.values() if reading.book_id == old_book_id]
        reads_both = {reading.club_id for reading in self._readings.values() if reading.book_id == new_book_id}
        for reading in old:
            if reading.club_id not in reads_both:
                self._carry(reading, new_book_id, places)
        return not any(reading.club_id in reads_both for reading in old)

    def _carry(self, reading: Reading, book_id: str, places: PlaceMap) -> None:
        reading_id = reading.reading_id
        page = places.position(reading.current_page)
        self._readings[reading_id] = replace(reading, book_id=book_id, current_page=page)
        for thread in self._threads.values():
            if thread.reading_id == reading_id:
                thread.position = places.position(thread.position)
                thread.changes = [_carried(change, places) for change in thread.changes]
        self._changes[reading_id] = [_carried(change, places) for change in self._changes.get(reading_id, [])]
        members = self.members.get(reading_id, ())
        self.members[reading_id] = tuple(replace(m, position=places.position(m.position)) for m in members)
        for key, edition in self._editions.items():
            if key[0] == reading_id:
                self._editions[key] = places.edition(edition)

    def move(self, reading_id: str, position: Position, *, pace: Pace = Pace.THREAD) -> None:
        """Put a whole reading somewhere."""
        self._readings[reading_id] = replace(self._readings[reading_id], current_page=position, pace=pace)

    async def settle(
        self, reading_id: str, *, pace: Pace | None = None, page_control: PageControl | None = None
    ) -> None:
        """Change a reading's settings, as the store of clubs does in SQL."""
        reading = await self.get(reading_id)
        self._readings[reading_id] = replace(
            reading, pace=pace or reading.pace, page_control=page_control or reading.page_control
        )

    def attach(self, conversation_id: str, reading_id: str, session_id: str) -> None:
        """Take a new thread in, as the foreign key does in SQL."""
        self._threads[conversation_id] = _ThreadState(reading_id=reading_id)
        self.sessions[conversation_id] = session_id

    def thread_of(self, conversation_id: str) -> str:
        """The thread of a conversation, whatever book it is about; itself where it belongs to none."""
        session_id = self.sessions[conversation_id]
        return talk_of(session_id, self._threads[conversation_id].reading_id) or session_id

    def detach(self, conversation_id: str) -> None:
        """Let a thread go."""
        del self._threads[conversation_id]

    async def _thread(self, conversation_id: str) -> _ThreadState:
        if conversation_id not in self._threads:
            raise BookError(BookErrorCode.NOT_FOUND, f"There is no conversation {conversation_id}.")
        thread = self._threads[conversation_id]
        await self.get(thread.reading_id)
        return thread


def _latest(changes: list[PositionChange], change_id: int | None) -> PositionChange | None:
    if not changes or change_id not in {None, changes[-1].change_id}:
        return None
    return changes.pop()


def _taken_back(made: PositionChange) -> PositionChange:
    return PositionChange(
        change_id=made.change_id,
        from_position=made.to_position,
        to_position=made.from_position,
        from_has_own=made.to_has_own,
        to_has_own=made.from_has_own,
    )


class InMemoryConversationRepository(ConversationRepository):
    """Conversations by session."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings
        self._by_session: dict[str, Conversation] = {}

    async def get(self, conversation_id: str) -> Conversation:
        for conversation in self._by_session.values():
            if conversation.conversation_id == conversation_id:
                reading = await self._readings.get(conversation.reading_id)
                return replace(conversation, book_id=reading.book_id)
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no conversation {conversation_id}.")

    def of_session(self, session_id: str) -> Conversation | None:
        held = self._by_session.get(session_id)
        return held and replace(held, book_id=self._readings.book_of(held))

    async def get_or_create(self, *, session_id: str, reading_id: str) -> Conversation:
        reading = await self._readings.get(reading_id)
        if session_id not in self._by_session:
            conversation_id = f"t_{len(self._by_session) + 1}"
            self._readings.attach(conversation_id, reading_id, session_id)
            self._by_session[session_id] = Conversation(
                conversation_id=conversation_id, session_id=session_id, reading_id=reading_id, book_id=reading.book_id
            )
        return replace(self._by_session[session_id], book_id=reading.book_id)


class InMemoryChatMessageRepository(ChatMessageRepository):
    """Messages in one list; `turn_ids` says for which turn each was stored."""

    def __init__(self) -> None:
        self._messages: list[tuple[str, ChatMessage]] = []
        self.turn_ids: list[int | None] = []

    async def add(self, conversation_id: str, *messages: ChatMessage, turn_id: int | None = None) -> None:
        for message in messages:
            if message.platform_ref and any(m.platform_ref == message.platform_ref for _, m in self._messages):
                continue
            stored = replace(message, message_id=len(self._messages) + 1, created_at=datetime.now(UTC))
            self._messages.append((conversation_id, stored))
            self.turn_ids.append(turn_id)

    async def readable_history(self, conversation_id: str, *, position: Position, latest: int) -> list[ChatMessage]:
        return [m for m in await self.get_by_conversation(conversation_id) if m.fits(position)][-latest:]

    async def where_said(self, platform_ref: str) -> tuple[str, Position] | None:
        named = [(owner, message.position) for owner, message in self._messages if message.platform_ref == platform_ref]
        return named[0] if named else None

    async def replace_text(self, platform_ref: str, text: str, *, reveals_page: int | None = None) -> None:
        self._messages = [
            (owner, replace(message, content=text, reveals_page=reveals_page))
            if message.platform_ref == platform_ref
            else (owner, message)
            for owner, message in self._messages
        ]

    async def get_by_conversation(self, conversation_id: str) -> list[ChatMessage]:
        return [message for owner, message in self._messages if owner == conversation_id]


class InMemoryTurnRepository(TurnRepository):
    """Turns in one list; `outcomes`, `failures`, `durations` and `costs` keep what was recorded of each."""

    def __init__(self, conversations: InMemoryConversationRepository) -> None:
        self._turns: dict[int, Turn] = {}
        self._asked: dict[tuple[str, str], int] = {}
        self._conversations = conversations
        self.feedback: dict[int, int] = {}
        self.outcomes: dict[int, TurnOutcome] = {}
        self.failures: dict[int, LLMErrorCode] = {}
        self.durations: dict[int, int] = {}
        self.spent: dict[int, TokenUsage] = {}
        self.costs: dict[int, Decimal | None] = {}

    async def open(
        self, conversation_id: str, *, user_query: str, position: Position, asked_by: str | None = None
    ) -> Turn:
        if asked_by and (conversation_id, asked_by) in self._asked:
            return self._turns[self._asked[conversation_id, asked_by]]
        turn = Turn(
            turn_id=len(self._turns) + 1,
            conversation_id=conversation_id,
            turn_number=1 + sum(turn.conversation_id == conversation_id for turn in self._turns.values()),
            status=TurnStatus.OPEN,
            position=position,
            user_query=user_query,
        )
        self._turns[turn.turn_id] = turn
        if asked_by:
            self._asked[conversation_id, asked_by] = turn.turn_id
        return turn

    async def answered(
        self, turn_id: int, outcome: TurnOutcome, *, duration_ms: int, cost: Decimal | None = None
    ) -> None:
        self._turns[turn_id] = replace(self._turns[turn_id], status=TurnStatus.ANSWERED, agent_response=outcome.text)
        self.outcomes[turn_id], self.durations[turn_id], self.costs[turn_id] = outcome, duration_ms, cost

    async def failed(self, turn_id: int, code: LLMErrorCode, *, usage: TokenUsage, duration_ms: int) -> None:
        self._turns[turn_id] = replace(self._turns[turn_id], status=TurnStatus.FAILED)
        self.failures[turn_id], self.durations[turn_id], self.spent[turn_id] = code, duration_ms, usage

    async def get(self, turn_id: int) -> RecordedAnswer | None:
        turn = self._turns.get(turn_id)
        if turn is None or turn.status is not TurnStatus.ANSWERED:
            return None
        conversation = await self._conversations.get(turn.conversation_id)
        return RecordedAnswer(
            turn=turn,
            session_id=conversation.session_id,
            book_id=conversation.book_id,
            chunk_ids=tuple(source.chunk_id for source in self.outcomes[turn_id].sources),
        )

    async def give_feedback(self, turn_id: int, feedback: int) -> None:
        self.feedback[turn_id] = feedback

    async def history(self, conversation_id: str, *, limit: int) -> list[Turn]:
        turns = [turn for turn in self._turns.values() if turn.conversation_id == conversation_id]
        return turns[-limit:] if limit else []


def _length(text: BookText) -> int:
    return text.pages[-1].start_offset + len(text.pages[-1].text)


def _carried(change: PositionChange, places: PlaceMap) -> PositionChange:
    return replace(
        change, from_position=places.position(change.from_position), to_position=places.position(change.to_position)
    )
