"""The use cases wired over SQLite in memory and fakes of models, for the tests of this folder."""

import shutil
from collections.abc import Awaitable, Callable, Hashable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TypeVar, cast

from sqlmodel import Session

from adapters.persistence.messages import store
from adapters.persistence.tables import TurnRow
from core.agent.prompts import CONVERSATION_SYSTEM_PROMPT
from core.answering.answer_message import AnswerMessage
from core.answering.ask import AskQuestion
from core.answering.club_lines import ClubLines
from core.answering.context import SummarisingContextStrategy
from core.answering.dense import DenseSearch, Rung
from core.answering.drafting import Drafting
from core.answering.notes import NoteShelf
from core.answering.positions import PositionService
from core.answering.prompt_builder import PromptBuilder
from core.answering.quota import Quota
from core.answering.quoting import Quoting
from core.answering.scope_guardrail import ScopeGuardrail, ScopeJudge
from core.answering.search import SearchBooksUseCase
from core.answering.strategies import PrefetchStrategy, RetrievalStrategy
from core.answering.threads import ThreadService
from core.answering.turns import Answered, Turns
from core.club.schedule.schedules import Schedules
from core.club.sealed.weekly_quotes import WeeklyQuotes
from core.domain.book import Book, BookText
from core.domain.chat_event import EventSink
from core.domain.club_state import ClubState
from core.domain.conversation import Author, ChatMessage, Conversation, TurnOutcome, TurnStatus
from core.domain.position import Pace, Position
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.domain.tool_use import PromptMessage, TokenUsage
from core.guard.review import DraftReview
from core.guard.verifier import Verifier
from core.ports.chat_provider import ChatProvider
from tests.builders import ADA, a_book_text, chunks_of
from tests.fakes.chat_provider import AgreeingChatProvider
from tests.fakes.clock import FrozenClock
from tests.fakes.embedding_provider import HashEmbeddingProvider
from tests.fakes.guard import MarkedGuard
from tests.fakes.lexical_index import InMemoryLexicalIndex
from tests.fakes.passage_index import InMemoryPassageIndex
from tests.memory import MemoryDatabase, memory_database, rows_are_dated
from tests.stored import SqlStores, said_in

Begun = TypeVar("Begun")
_begun: dict[Hashable, tuple[bytes, object]] = {}
PROMPTS = Path(__file__).resolve().parents[2] / "prompts"


def price(model: str, usage: TokenUsage) -> Decimal | None:
    """One dollar a million tokens in, two out."""
    if model != "scripted-1":
        return None
    return Decimal(usage.input_tokens + 2 * usage.output_tokens) / 1_000_000


THREAD = Thread(scope="discord:1", place="books", thread="t1")
NOBODY = Author(member_id="discord:0", display_name="")
OTHER_THREAD = Thread(scope="discord:1", place="books", thread="t2")
STRATEGY, CONTEXT = PrefetchStrategy(), SummarisingContextStrategy()
AGREEING = Verifier(provider=AgreeingChatProvider(), prompts_dir=PROMPTS)
"""The verifier where a test is about something else: it is asked as in the house that ships, and bears all out."""
IN_SCOPE = ScopeJudge(provider=AgreeingChatProvider(), prompts_dir=PROMPTS)
"""The scope judge where a test is about something else: all that it is asked about is the club's business."""


class World(SqlStores):
    """One home: a store, its indexes, and a club that may read a book in it."""

    database: MemoryDatabase

    def __init__(self, clock: FrozenClock | None = None) -> None:
        self.clock, self.guard = clock or FrozenClock(), MarkedGuard()
        super().__init__(memory_database(), clock=self.clock)
        self.embeddings = HashEmbeddingProvider()
        self.lexical = InMemoryLexicalIndex(self.books)
        self.passages = InMemoryPassageIndex(self.vectors, model_id=self.embeddings.model_id)
        self.dense = DenseSearch([Rung(embeddings=self.embeddings, passages=self.passages)], vectors=self.vectors)
        self.by_words_alone = DenseSearch([], vectors=self.vectors)
        self.search = SearchBooksUseCase(books=self.books, lexical=self.lexical, dense=self.by_words_alone)
        self.positions = PositionService(readings=self.readings)
        self.schedules = Schedules(schedules=self.kept_schedules, timers=self.timers, clock=self.clock)
        self.weekly = WeeklyQuotes(timers=self.timers, clock=self.clock)
        self.quota = Quota(clubs=self.clubs, clock=self.clock)
        self.threads = ThreadService(
            readings=self.readings,
            conversations=self.conversations,
            threads=self.thread_states,
            clock=self.clock,
        )
        self.note_shelf = NoteShelf(notes=self.notes, guard=self.guard)
        self.quoting = Quoting(search=self.search, books=self.books, notes=self.note_shelf)

    async def add_book(self, text: BookText | None = None, *, scope: str = "discord:1") -> Book:
        return await self._begun((text, scope), lambda: self._add_book(text or a_book_text(), scope))

    async def _add_book(self, text: BookText, scope: str) -> Book:
        book, _ = await self.books.add(scope=scope, content_hash=text.title, text=text, chunks=chunks_of(text))
        return book

    async def reading(
        self, thread: Thread = THREAD, *, position: Position = 6, book: Book | None = None
    ) -> Conversation:
        """A thread about a book, set to a position of its own."""
        return await self._begun((thread, position, book), lambda: self._reading(thread, position, book))

    async def _reading(self, thread: Thread, position: Position, book: Book | None) -> Conversation:
        book = book or await self.add_book()
        conversation = await self.threads.open(thread, book_id=book.book_id)
        await self.stand(conversation, position)
        return conversation

    async def _begun(self, key: Hashable, begin: Callable[[], Awaitable[Begun]]) -> Begun:
        """Begin as many tests do: in an empty database, from a copy of what the first of them made."""
        if self.database.counts.writes or rows_are_dated():
            return await begin()
        key = (key, self.clock.now())
        if key not in _begun:
            begun = await begin()
            _begun[key] = (self.database.content(), begun)
            return begun
        content, copied = _begun[key]
        self.database.put(content)
        self.database.counts.writes += 1
        return cast("Begun", copied)

    async def stand(self, conversation: Conversation, position: Position) -> None:
        await self.places.set_thread_position(
            conversation.conversation_id, position=position, has_own=True, member_id=ADA.member_id
        )

    async def club(self, conversation: Conversation, *, by: Author = ADA) -> ClubState:
        """Return what a command of a member's in this thread decides by."""
        scope, place, thread = conversation.session_id.removesuffix(f"/{conversation.reading_id}").rsplit(":", 2)
        there = Thread(scope=scope, place=place, thread=thread, about=conversation.reading_id)
        return await self.threads.club(there, by.member_id)

    async def page_of(self, conversation: Conversation) -> Position:
        """Return the page that a public answer in this thread goes by."""
        return (await self.places.standing(conversation.conversation_id)).public(self.clock.now())

    def chat(
        self,
        provider: ChatProvider,
        *,
        strategy: RetrievalStrategy = STRATEGY,
        context: SummarisingContextStrategy = CONTEXT,
        prompts_dir: Path = PROMPTS,
        verifier: Verifier | None = AGREEING,
        judge: ScopeJudge | None = IN_SCOPE,
    ) -> "Chat":
        page = self.answer_message(
            provider, strategy=strategy, context=context, prompts_dir=prompts_dir, verifier=verifier, judge=judge
        )
        return Chat(self, page)

    def answer_message(
        self,
        provider: ChatProvider | None,
        *,
        strategy: RetrievalStrategy = STRATEGY,
        context: SummarisingContextStrategy = CONTEXT,
        prompts_dir: Path = PROMPTS,
        verifier: Verifier | None = AGREEING,
        judge: ScopeJudge | None = IN_SCOPE,
    ) -> AnswerMessage:
        """A house as it ships; a test that wants another one says what is different."""
        quoting = Quoting(search=self.search, books=self.books, notes=self.note_shelf)
        return AnswerMessage(
            turns=Turns(
                record=self.record,
                search=self.search,
                guard=self.guard,
                price=price,
                clock=self.clock,
                provider=provider,
            ),
            quota=self.quota,
            scope=ScopeGuardrail(judge=judge),
            drafting=Drafting(
                provider=provider,
                strategy=strategy,
                prompts=PromptBuilder(
                    context=context,
                    prompts_dir=prompts_dir,
                    service=provider.name if provider else "",
                    verifier=verifier,
                ),
                guard=self.guard,
                review=DraftReview(guard=self.guard, books=self.books, verifier=verifier),
                quoting=quoting,
                club_lines=ClubLines(threads=self.threads, sealed_items=lambda: self.sealed_items, guard=self.guard),
            ),
            quoting=quoting,
            threads=self.threads,
        )

    def quoting_page(self) -> AnswerMessage:
        """The house as it ships where no model is configured: nothing is drafted, and nobody is asked to check."""
        return self.answer_message(None, verifier=None, judge=None)

    def ask(self, provider: ChatProvider, *, context: SummarisingContextStrategy = CONTEXT) -> AskQuestion:
        return AskQuestion(books=self.books, answer_message=self.answer_message(provider, context=context))

    async def said(self, conversation: Conversation) -> list[tuple[str, str]]:
        """Role and text of what is stored."""
        return [(message.role.value, message.content) for message in await self.stored(conversation)]

    async def stored(self, conversation: Conversation) -> list[ChatMessage]:
        """Return all messages of a conversation, oldest first."""
        return await said_in(self.database, conversation.conversation_id)

    async def has_notes(self, book: Book) -> bool:
        """Whether a book has notes that may be used."""
        return bool((await self.books.get(book.book_id)).notes_id)

    async def remember(self, conversation: Conversation, *messages: ChatMessage) -> None:
        def work(session: Session) -> None:
            for message in messages:
                store(session, conversation.conversation_id, message, turn_id=None, now=self.clock.now())

        await self.database.write(work)

    async def took(
        self,
        *,
        tokens: int,
        thread: Thread = THREAD,
        status: TurnStatus = TurnStatus.ANSWERED,
        cached: int = 0,
        cost: int | None = None,
    ) -> None:
        """Let a turn have taken so many tokens, the last ten of them out; `cost` is in millionths of a dollar."""
        book = await self.books.latest(scope=thread.scope) or await self.add_book(scope=thread.scope)
        conversation = await self.threads.open(thread, book_id=book.book_id)
        turn = TurnRow(
            conversation_id=conversation.conversation_id,
            turn_number=len(await self.rows(TurnRow)) + 1,
            status=status,
            user_query="",
            input_tokens=tokens - 10,
            output_tokens=10,
            created_at=self.clock.now(),
            cache_read_tokens=cached,
            cost_micro_usd=cost,
        )
        await self.database.write(lambda session: session.add(turn))

    async def move(self, reading_id: str, position: Position, *, pace: Pace | None = None) -> None:
        """Move a reading, and say whom it waits for."""
        await self.places.set_reading_position(reading_id, position=position, member_id=ADA.member_id)
        if pace is not None:
            await self.clubs.set_pace(reading_id, pace)


class Chat:
    """The page, asked by the id of a conversation, at a position that the test names; errors are raised."""

    def __init__(self, world: World, page: AnswerMessage) -> None:
        self._world = world
        self._page = page

    async def execute(self, conversation_id: str, text: str) -> str:
        conversation = await self._world.conversations.get(conversation_id)
        position = await self._world.page_of(conversation)
        return (await self.run(conversation_id, text, position=position)).text

    async def run(
        self,
        conversation_id: str,
        text: str,
        *,
        position: Position,
        author: Author = NOBODY,
        asked_by: str | None = None,
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        return (await self.turn(conversation_id, text, position, author, asked_by, on_event)).outcome

    async def turn(
        self,
        conversation_id: str,
        text: str,
        position: Position,
        author: Author = NOBODY,
        asked_by: str | None = None,
        on_event: EventSink | None = None,
    ) -> Answered:
        conversation = await self._world.conversations.get(conversation_id)
        scope, place, thread = conversation.session_id.removesuffix(f"/{conversation.reading_id}").rsplit(":", 2)
        answered = await self._page.answer(
            IncomingMessage(
                thread=Thread(scope=scope, place=place, thread=thread),
                author=author,
                text=text,
                ref=asked_by,
                book_id=conversation.book_id,
                page=position,
            ),
            on_event,
        )
        assert isinstance(answered, Answered)
        if answered.error is not None:
            raise answered.error
        return answered


def incoming(text: str, *, thread: Thread = THREAD, author: Author = ADA) -> IncomingMessage:
    """A member says something in a thread."""
    return IncomingMessage(thread=thread, author=author, text=text)


def prompts_with(folder: Path, text: str) -> Path:
    """A prompts folder whose system prompt is another."""
    shutil.copytree(PROMPTS, folder)
    (folder / CONVERSATION_SYSTEM_PROMPT).write_text(text, encoding="utf-8")
    return folder


def question_in(message: PromptMessage) -> str:
    """What was asked, without the passages that went along with it."""
    return message.said.rpartition("The message:\n\n")[2]


def told_beyond(texts: Sequence[str], position: int) -> list[str]:
    """Those of the texts that hold a sentence of a page beyond the position of the story."""
    unread = [sentence for page in a_book_text().pages[position:] for sentence in page.text.split(". ")]
    return [text for text in texts if any(sentence.strip(". ") in text for sentence in unread)]
