"""One question in a conversation: history, prompt, guarded answer, record of what was said (chat-agent.md CA-1)."""

from dataclasses import replace
from pathlib import Path

from core.agent.context import latest_turns
from core.agent.prompts import CONVERSATION_SYSTEM_PROMPT
from core.agent.response_rules import load_rule
from core.agent.scope_guardrail import Asked, ScopeGuardrail
from core.agent.summary import MOST_LOOKED_AT
from core.agent.tool_registry import ToolRegistry
from core.agent.tools.reading_tools import ReadingTools
from core.agent.tools.search_book import search_tool
from core.agent.tools.tool import Tool
from core.agent.verifier import Verifier
from core.app.guarded_answer import Asking, GuardedAnswer
from core.app.positions import PositionService
from core.app.quote_instead import QuoteInstead
from core.app.search import SearchBooksUseCase
from core.app.turn_search import TurnSearch
from core.app.whole_pages import WholePages
from core.domain.book import Book
from core.domain.chat_event import EventSink
from core.domain.conversation import Author, ChatMessage, Role, TurnOutcome
from core.domain.deadline import TurnLimits
from core.domain.nickname import A_MEMBER, called
from core.domain.passage import SearchFn
from core.domain.position import Position
from core.domain.words import off_topic
from core.ports.books import BookRepository
from core.ports.chat_provider import ChatProvider
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from core.ports.guard import Guard
from core.ports.strategies import ConversationContextStrategy, RetrievalStrategy


class ChatWithBookUseCase:
    """Answers from the book's own text up to the position, and keeps what was said.

    Of a long conversation the latest `max_messages` are read, from which the context strategy takes what it takes.
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
        guard: Guard,
        prompts_dir: Path,
        verifier: Verifier | None = None,
        scope: ScopeGuardrail | None = None,
        limits: TurnLimits | None = None,
        max_messages: int = MOST_LOOKED_AT,
        on_event: EventSink | None = None,
    ) -> None:
        self._max_messages = max(max_messages, 1)
        self._search_books = search_books
        self._messages = messages
        self._conversations = conversations
        self._books = books
        self._positions = positions
        self._service = chat_provider.name
        self._strategy = retrieval_strategy
        self._context = context_strategy
        self._scope = scope or ScopeGuardrail()
        self._limits = limits or TurnLimits()
        self._whole_pages = WholePages(books=books) if retrieval_strategy.reads_whole_pages else None
        self._guard = guard
        self._prompts_dir = prompts_dir
        self._on_event = on_event
        self._guarded_answer = GuardedAnswer(
            provider=chat_provider,
            strategy=retrieval_strategy,
            guard=guard,
            books=books,
            quote_instead=QuoteInstead(search_books=search_books, books=books),
            prompts_dir=prompts_dir,
            verifier=verifier,
        )

    async def execute(self, conversation_id: str, user_message: str) -> str:
        """Answer at the thread's position; return the text.

        Raises:
            BookError: NOT_FOUND, no such conversation.
            LLMError: there is no answer; the user's message stays stored, no assistant message is.
        """
        conversation = await self._conversations.get(conversation_id)
        position = await self._positions.of_thread(conversation.conversation_id)
        return (await self.run(conversation_id, user_message, position=position)).text

    async def run(  # noqa: PLR0913 (each says one thing of the question)
        self,
        conversation_id: str,
        user_message: str,
        *,
        position: Position,
        author: Author | None = None,
        turn_id: int | None = None,
        asked_by: str | None = None,
        window: int | None = None,
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Answer at a position that the caller vouches for, and store question, tool results and answer.

        Of the conversation no more than `window` turns are looked at, where the caller says so.
        """
        conversation = await self._conversations.get(conversation_id)
        book = await self._books.get(conversation.book_id)
        question = ChatMessage(
            role=Role.USER,
            content=user_message,
            position=position,
            author=author and await self._known_as(author, book, position),
            reveals_page=await self._guard.revealed_page(user_message, book=book, position=position),
            platform_ref=asked_by,
        )
        # Read before the question is stored: whoever writes beside us stands before it, never in its place.
        history = await self._messages.readable_history(conversation_id, position=position, latest=self._max_messages)
        await self._messages.add(conversation_id, question, turn_id=turn_id)
        # One that comes again after a crash is stored already, and may have been edited since.
        asked = next((said for said in history if asked_by and said.platform_ref == asked_by), question)
        history = [*(said for said in history if said is not asked), asked]
        looked_at = history if window is None else latest_turns(history, window)
        outcome = await self.answer(book, looked_at, position=position, on_event=on_event)
        answer = ChatMessage(
            role=Role.ASSISTANT,
            content=outcome.text,
            position=position,
            reveals_page=_revealed(outcome),
        )
        said = [replace(message, position=position) for message in (*outcome.messages, answer)]
        await self._messages.add(conversation_id, *said, turn_id=turn_id)
        return outcome

    async def answer(
        self, book: Book, messages: list[ChatMessage], *, position: Position, on_event: EventSink | None = None
    ) -> TurnOutcome:
        """Answer the last of `messages` without storing anything. Book and position are bound into the search here."""
        search = TurnSearch(self._search_books, self._whole_pages, book, position)
        question, deadline = messages[-1].content, self._limits.deadline()
        tools = self._tools(book, position, search) if self._strategy.build_tool_definitions() else []

        async def guarded() -> TurnOutcome:
            asking = Asking(
                question=question,
                book=book,
                position=position,
                prompt=self._context.build_context(messages, self._system_prompt(book, position, question)),
                search=search,
                tools=tools,
                on_event=on_event or self._on_event,
                deadline=deadline,
            )
            return await self._guarded_answer.execute(asking)

        asked = Asked(
            message=question,
            before=_said_before(messages[:-1], book),
            book=book,
            search=search,
            deadline=deadline,
            on_event=on_event or self._on_event,
        )
        return await self._scope.around(asked, guarded)

    async def _known_as(self, author: Author, book: Book, position: Position) -> Author:
        """Return the author as others are told of them: a nickname that tells of unread pages is nobody's name."""
        name = called(author.display_name)
        tells = await self._guard.revealed_page(name, book=book, position=position)
        return replace(author, display_name=A_MEMBER if tells is not None else name)

    def _tools(self, book: Book, position: Position, search: SearchFn) -> list[Tool]:
        reading = ReadingTools(books=self._books, book=book, position=position)
        registry = ToolRegistry([search_tool(search), *reading.tools()])
        return registry.offered_to(load_rule(self._prompts_dir, CONVERSATION_SYSTEM_PROMPT))

    def _system_prompt(self, book: Book, position: Position, question: str) -> str:
        progress = f"the pages 1 to {position} have been read" if position else "nothing has been read yet"
        rule = load_rule(self._prompts_dir, CONVERSATION_SYSTEM_PROMPT)
        return rule.render(
            {
                "book": {"title": book.title, "author": book.author},
                "reader": {"progress": progress},
                "intent": rule.name,
                "service": self._service,
                "user_message": question,
            }
        )


def _said_before(messages: list[ChatMessage], book: Book) -> str:
    """Return the message before, which the next may take up; what was turned away as off-topic is not taken up."""
    turned_away = False
    for said in reversed(messages):
        if said.role is Role.USER and not turned_away:
            return said.content
        turned_away = said.role is Role.ASSISTANT and said.content == off_topic(book.title)
    return ""


def _revealed(outcome: TurnOutcome) -> int | None:
    """Return the highest page that an answer may tell of: of what it rests on, and in prose of all that tools gave."""
    pages = [source.end_page for source in outcome.sources]
    shown = [] if outcome.quotes_only else [m.reveals_page for m in outcome.messages if m.reveals_page is not None]
    return max([*pages, *shown], default=None)
