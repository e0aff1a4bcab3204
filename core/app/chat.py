"""One question in a conversation: history, prompt, strategy, record of what was said (chat-agent.md CA-1)."""

from dataclasses import replace
from pathlib import Path

from core.agent.context import DEFAULT_MAX_MESSAGES
from core.agent.prompts import CONVERSATION_SYSTEM_PROMPT, render_prompt
from core.app.positions import PositionService
from core.app.search import SearchBooksUseCase
from core.domain.book import Book
from core.domain.chat_event import EventSink
from core.domain.conversation import Author, ChatMessage, Role, TurnOutcome
from core.domain.passage import SearchResult
from core.domain.position import Position
from core.ports.chat_provider import ChatProvider
from core.ports.repositories import BookRepository, ChatMessageRepository, ConversationRepository
from core.ports.strategies import ConversationContextStrategy, RetrievalStrategy


class ChatWithBookUseCase:
    """Answers from the book's own text up to the position, and keeps what was said.

    Of a long conversation the latest `max_messages` are read, as many as the context strategy takes.
    """

    def __init__(  # noqa: PLR0913 (the collaborators that chat-agent.md names)
        self,
        *,
        chat_provider: ChatProvider,
        search_books: SearchBooksUseCase,
        messages: ChatMessageRepository,
        conversations: ConversationRepository,
        books: BookRepository,
        positions: PositionService,
        retrieval_strategy: RetrievalStrategy,
        context_strategy: ConversationContextStrategy,
        prompts_dir: Path,
        max_messages: int = DEFAULT_MAX_MESSAGES,
        on_event: EventSink | None = None,
    ) -> None:
        self._max_messages = max(max_messages, 1)
        self._provider = chat_provider
        self._search_books = search_books
        self._messages = messages
        self._conversations = conversations
        self._books = books
        self._positions = positions
        self._strategy = retrieval_strategy
        self._context = context_strategy
        self._prompts_dir = prompts_dir
        self._on_event = on_event

    async def execute(self, conversation_id: str, user_message: str) -> str:
        """Answer at the thread's position; return the text.

        Raises:
            BookError: NOT_FOUND, no such conversation.
            LLMError: there is no answer; the user's message stays stored, no assistant message is.
        """
        conversation = await self._conversations.get(conversation_id)
        position = await self._positions.of_thread(conversation.conversation_id)
        return (await self.run(conversation_id, user_message, position=position)).text

    async def run(
        self,
        conversation_id: str,
        user_message: str,
        *,
        position: Position,
        author: Author | None = None,
        turn_id: int | None = None,
        asked_by: str | None = None,
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Answer at a position that the caller vouches for, and store question, tool results and answer."""
        conversation = await self._conversations.get(conversation_id)
        book = await self._books.get(conversation.book_id)
        question = ChatMessage(
            role=Role.USER, content=user_message, position=position, author=author, platform_ref=asked_by
        )
        await self._messages.add(conversation_id, question, turn_id=turn_id)
        history = await self._messages.readable_history(conversation_id, position=position, latest=self._max_messages)
        outcome = await self.answer(book, history, position=position, on_event=on_event)
        answer = ChatMessage(
            role=Role.ASSISTANT,
            content=outcome.text,
            position=position,
            reveals_page=max((source.end_page for source in outcome.sources), default=None),
        )
        said = [replace(message, position=position) for message in (*outcome.messages, answer)]
        await self._messages.add(conversation_id, *said, turn_id=turn_id)
        return outcome

    async def answer(
        self, book: Book, messages: list[ChatMessage], *, position: Position, on_event: EventSink | None = None
    ) -> TurnOutcome:
        """Answer the last of `messages` without storing anything. Book and position are bound into the search here."""

        async def search(query: str, top_k: int) -> list[SearchResult]:
            return await self._search_books.execute(book.book_id, query, position=position, top_k=top_k)

        prompt = self._context.build_context(messages, self._system_prompt(book, position))
        tools = self._strategy.build_tool_definitions()
        return await self._strategy.run(self._provider, prompt, tools, search, on_event or self._on_event)

    def _system_prompt(self, book: Book, position: Position) -> str:
        progress = f"the pages 1 to {position} have been read" if position else "nothing has been read yet"
        variables = {"book": {"title": book.title, "author": book.author}, "reader": {"progress": progress}}
        return render_prompt(self._prompts_dir, CONVERSATION_SYSTEM_PROMPT, variables)
