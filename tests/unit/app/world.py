"""The use cases wired over fakes, for the tests of this folder."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from core.agent.context import FullHistoryContextStrategy
from core.agent.prompts import CONVERSATION_SYSTEM_PROMPT
from core.agent.strategies.tool_use import ToolUseRetrievalStrategy
from core.agent.verifier import Verifier
from core.app.allowance import Allowance
from core.app.answer_message import AnswerMessage
from core.app.ask import AskQuestion
from core.app.chat import ChatWithBookUseCase
from core.app.costs import read_prices
from core.app.dense import DenseSearch, Rung
from core.app.positions import PositionService
from core.app.quote_instead import QuoteInstead
from core.app.search import SearchBooksUseCase
from core.app.threads import ThreadService
from core.app.turns import RecordTurn
from core.app.without_model import WithoutModel
from core.domain.book import Book, BookText
from core.domain.chat_event import EventSink
from core.domain.conversation import Author, ChatMessage, Conversation
from core.domain.position import Position
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.ports.chat_provider import ChatProvider
from core.ports.strategies import ConversationContextStrategy, RetrievalStrategy
from tests.builders import ADA, a_book_text, chunks_of
from tests.fakes.books import InMemoryBookRepository
from tests.fakes.clock import FrozenClock
from tests.fakes.clubs import InMemoryClubRepository
from tests.fakes.conversations import InMemoryChatMessageRepository, InMemoryConversationRepository
from tests.fakes.embedding_provider import HashEmbeddingProvider
from tests.fakes.guard import MarkedGuard
from tests.fakes.lexical_index import InMemoryLexicalIndex
from tests.fakes.passage_index import InMemoryPassageIndex
from tests.fakes.readings import InMemoryReadingRepository
from tests.fakes.threads import InMemoryThreadRepository
from tests.fakes.turns import InMemoryTurnRepository
from tests.fakes.vectors import InMemoryVectorRepository

PROMPTS = Path(__file__).resolve().parents[3] / "prompts"
PRICES = read_prices('as_of = 2026-01-01\n[models."scripted-1"]\ninput = 1\noutput = 2\n')
THREAD = Thread(scope="discord:1", place="books", thread="t1")
OTHER_THREAD = Thread(scope="discord:1", place="books", thread="t2")


class World:
    """One home: a store, its indexes, and a club that may read a book in it."""

    def __init__(self) -> None:
        self.embeddings = HashEmbeddingProvider()
        self.books = InMemoryBookRepository(embedding_model_id=self.embeddings.model_id)
        self.readings = InMemoryReadingRepository(self.books)
        self.conversations = InMemoryConversationRepository(self.readings)
        self.messages = InMemoryChatMessageRepository()
        self.turns = InMemoryTurnRepository(self.conversations)
        self.vectors = InMemoryVectorRepository(self.books)
        self.lexical = InMemoryLexicalIndex(self.books)
        self.passages = InMemoryPassageIndex(self.vectors, model_id=self.embeddings.model_id)
        self.clock = FrozenClock()
        self.guard = MarkedGuard()
        self.dense = DenseSearch([Rung(embeddings=self.embeddings, passages=self.passages)], vectors=self.vectors)
        self.by_words_alone = DenseSearch([], vectors=self.vectors)
        self.search = SearchBooksUseCase(books=self.books, lexical=self.lexical, dense=self.by_words_alone)
        self.positions = PositionService(readings=self.readings, books=self.books, clock=self.clock)
        self.clubs = InMemoryClubRepository(self.readings)
        self.allowance = Allowance(clubs=self.clubs, clock=self.clock)
        self.threads = ThreadService(
            readings=self.readings,
            conversations=self.conversations,
            threads=InMemoryThreadRepository(
                readings=self.readings, conversations=self.conversations, clubs=self.clubs
            ),
        )

    async def add_book(self, text: BookText | None = None, *, scope: str = "discord:1") -> Book:
        text = text or a_book_text()
        book, _ = await self.books.add(scope=scope, content_hash=text.title, text=text, chunks=chunks_of(text))
        return book

    async def reading(
        self, thread: Thread = THREAD, *, position: Position = 6, book: Book | None = None
    ) -> Conversation:
        """A thread about a book, set to a position of its own."""
        book = book or await self.add_book()
        conversation = await self.threads.open(thread, book_id=book.book_id)
        await self.stand(conversation, position)
        return conversation

    async def stand(self, conversation: Conversation, position: Position) -> None:
        await self.readings.set_thread_position(
            conversation.conversation_id, position=position, has_own=True, member_id=ADA.member_id
        )

    def chat(
        self,
        provider: ChatProvider,
        *,
        strategy: RetrievalStrategy | None = None,
        context: ConversationContextStrategy | None = None,
        prompts_dir: Path = PROMPTS,
        verifier: Verifier | None = None,
        on_event: EventSink | None = None,
    ) -> ChatWithBookUseCase:
        return ChatWithBookUseCase(
            chat_provider=provider,
            search_books=self.search,
            messages=self.messages,
            conversations=self.conversations,
            books=self.books,
            positions=self.positions,
            retrieval_strategy=strategy or ToolUseRetrievalStrategy(),
            context_strategy=context or FullHistoryContextStrategy(),
            guard=self.guard,
            prompts_dir=prompts_dir,
            verifier=verifier,
            on_event=on_event,
        )

    def record_turn(self, provider: ChatProvider, *, strategy: RetrievalStrategy | None = None) -> RecordTurn:
        return RecordTurn(
            chat=self.chat(provider, strategy=strategy), turns=self.turns, prices=PRICES, allowance=self.allowance
        )

    def answer_message(self, provider: ChatProvider, *, strategy: RetrievalStrategy | None = None) -> AnswerMessage:
        return AnswerMessage(
            threads=self.threads,
            positions=self.positions,
            record_turn=self.record_turn(provider, strategy=strategy),
            without_model=self.without_model,
        )

    @property
    def without_model(self) -> WithoutModel:
        return WithoutModel(quote_instead=QuoteInstead(search_books=self.search, books=self.books))

    def ask(self, provider: ChatProvider) -> AskQuestion:
        return AskQuestion(
            books=self.books,
            threads=self.threads,
            chat=self.chat(provider),
            record_turn=self.record_turn(provider),
        )

    async def said(self, conversation: Conversation) -> list[tuple[str, str]]:
        """Role and text of what is stored."""
        stored = await self.messages.get_by_conversation(conversation.conversation_id)
        return [(message.role.value, message.content) for message in stored]

    async def remember(self, conversation: Conversation, *messages: ChatMessage) -> None:
        for message in messages:
            await self.messages.add(conversation.conversation_id, message)


def incoming(text: str, *, thread: Thread = THREAD, author: Author = ADA) -> IncomingMessage:
    """A member says something in a thread."""
    return IncomingMessage(thread=thread, author=author, text=text)


def prompts_with(folder: Path, text: str) -> Path:
    """A prompts folder whose system prompt is another."""
    shutil.copytree(PROMPTS, folder)
    (folder / CONVERSATION_SYSTEM_PROMPT).write_text(text, encoding="utf-8")
    return folder


def told_beyond(texts: Sequence[str], position: int) -> list[str]:
    """Those of the texts that hold a sentence of a page beyond the position of the story."""
    unread = [sentence for page in a_book_text().pages[position:] for sentence in page.text.split(". ")]
    return [text for text in texts if any(sentence.strip(". ") in text for sentence in unread)]
