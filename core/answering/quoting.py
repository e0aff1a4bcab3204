"""The quoting answer (ADR 7): without a model, in place of one out of reach, or of a draft that failed (ADR 15)."""

import logging
from collections.abc import Sequence

from core.answering.context import talk
from core.answering.read_book import NoteShelf, PageCache, ReadBook
from core.answering.search import TurnSearches
from core.answering.strategies.quoting import QuotingRetrievalStrategy
from core.domain.book import Book, Chapter
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import describe
from core.domain.passage import SearchResult
from core.domain.position import Position
from core.domain.question import Question
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition
from core.guard.citations import CitedSentence
from core.language.book_memory import BookMemory
from core.ports.books import BookRepository
from core.ports.chat_provider import ChatProvider
from core.ports.word_traces import WordTraces

_log = logging.getLogger(__name__)


class Quoting:
    """Answers with read text only, and keeps nothing.

    Attributes:
        shelf: the pages that were read last, which commands look at too.
        notes: the reading notes of books, which drafts are given too.
    """

    def __init__(
        self,
        *,
        searches: TurnSearches,
        books: BookRepository,
        notes: NoteShelf,
        index: WordTraces | None = None,
        memory: BookMemory | None = None,
    ) -> None:
        self._searches = searches
        self._books = books
        self.notes = notes
        self._index = index
        self.shelf = PageCache(memory)

    async def answer(self, question: Question) -> TurnOutcome:
        """Answer a question where there is no model to ask."""
        strategy = self._strategy(question, position=question.position)
        prompt = talk(question.history, question.said)
        return await strategy.run(NoChatProvider(), prompt, [], question.search, question.log.take)

    async def beside(self, error: LLMError, question: Question, *, position: Position) -> TurnOutcome:
        """Say kindly what is wrong with the model, and quote read sentences that fit; the cause goes to the log."""
        _log.warning("No answer from the model: %s", error)
        quoted = await self.instead(question, position=position)
        text = f"{describe(error)}\n\n{quoted.text}" if quoted.sources else describe(error)
        return TurnOutcome(text=text, sources=quoted.sources, quotes_only=True)

    async def instead(
        self,
        question: Question,
        *,
        position: Position,
        cited: Sequence[CitedSentence] = (),
        searched: Sequence[SearchResult] = (),
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Return the quoting answer, or the one fixed sentence, without sources.

        From what `cited` sentences of a draft rest on, else from what a search for the question finds and from what
        was `searched` for it before.
        """
        find = self._searches.of_pieces(question.book, position)

        async def search(query: str, top_k: int) -> list[SearchResult]:
            found = await find(query, top_k)
            return list({passage.chunk_id: passage for passage in (*found, *searched)}.values())

        history = [message for message in question.history if message.fits(position)]
        prompt = talk(history, question.said)
        strategy = self._strategy(question, position=position, cited=cited)
        return await strategy.run(NoChatProvider(), prompt, [], search, on_event)

    async def another(self, query: str, *, book: Book, position: Position, skipping: int) -> TurnOutcome:
        """Return the next best passage for what was searched for, without those that were given before."""
        strategy = QuotingRetrievalStrategy(read=self.read_book(book, position), skipping=skipping)
        prompt = [PromptMessage(role="user", content=query)]
        return await strategy.run(NoChatProvider(), prompt, [], self._searches.of_pieces(book, position))

    def _strategy(
        self, question: Question, *, position: Position, cited: Sequence[CitedSentence] = ()
    ) -> QuotingRetrievalStrategy:
        return QuotingRetrievalStrategy(
            read=self.read_book(question.book, position, question.chapters),
            notes=self.notes.of(question.book, position),
            cited=cited,
        )

    def read_book(self, book: Book, position: Position, begun: Sequence[Chapter] | None = None) -> ReadBook:
        """Return a book as far as it has been read, as answers quote it."""
        return ReadBook(
            books=self._books, book=book, position=position, begun=begun, shelf=self.shelf, index=self._index
        )


class NoChatProvider(ChatProvider):
    """Stands where no model is configured, and honestly says so; the quoting answer never asks it."""

    @property
    def name(self) -> str:
        """`none`, as settings and records name it."""
        return "none"

    @property
    def model(self) -> str:
        """No model has no name."""
        return ""

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        """Raise LLMError(unavailable)."""
        raise LLMError(LLMErrorCode.UNAVAILABLE, "no model is configured")

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        """Raise LLMError(unavailable)."""
        raise LLMError(LLMErrorCode.UNAVAILABLE, "no model is configured")
