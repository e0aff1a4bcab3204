"""One question at a page that the asker names, with or without a session (`thusfar ask`, `/ask`)."""

from dataclasses import dataclass
from typing import Final

from core.app.chat import ChatWithBookUseCase
from core.app.threads import ThreadService
from core.app.turns import RecordTurn
from core.domain.chat_event import EventSink
from core.domain.conversation import Author, ChatMessage, Role, TurnOutcome
from core.domain.passage import readable
from core.domain.scope import LOCAL_SCOPE
from core.domain.thread import Thread
from core.ports.books import BookRepository

DEFAULT_WINDOW: Final = 5
MOST_WINDOW: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """A question about a book at a page (conversational-memory.md).

    Without a session no conversation, message or turn is written. A session is named by `session_id`, or by the
    `thread` of a platform; of what was said in it, `conversation_window` turns (1 to 10) are looked at.

    Raises:
        ValueError: the window is outside its bounds.
    """

    question: str
    book_id: str
    page: int
    session_id: str | None = None
    thread: Thread | None = None
    author: Author | None = None
    conversation_window: int = DEFAULT_WINDOW

    def __post_init__(self) -> None:
        if not 1 <= self.conversation_window <= MOST_WINDOW:
            raise ValueError(f"The window is 1 to {MOST_WINDOW} turns, not {self.conversation_window}.")

    @property
    def conversation(self) -> Thread | None:
        """The thread that the question belongs to; None without a session."""
        if self.thread is not None or self.session_id is None:
            return self.thread
        return Thread(scope=LOCAL_SCOPE, place="ask", thread=self.session_id)

    @property
    def window(self) -> int | None:
        """The window where the asker has chosen one; else the settings' holds, with what was before it in short."""
        return None if self.conversation_window == DEFAULT_WINDOW else self.conversation_window


@dataclass(frozen=True, slots=True, kw_only=True)
class AskResponse:
    """The answer; without a session `session_id` and `turn_id` are None and `turn_number` is 0."""

    outcome: TurnOutcome
    session_id: str | None = None
    turn_number: int = 0
    turn_id: int | None = None

    @property
    def text(self) -> str:
        """The answer's text."""
        return self.outcome.text

    @property
    def guardrail_score(self) -> int | None:
        """How far the question was the club's business, 0 to 100."""
        return self.outcome.guardrail_score


class AskQuestion:
    """Answers an AskRequest."""

    def __init__(
        self, *, books: BookRepository, threads: ThreadService, chat: ChatWithBookUseCase, record_turn: RecordTurn
    ) -> None:
        self._books = books
        self._threads = threads
        self._chat = chat
        self._record_turn = record_turn

    async def execute(self, request: AskRequest, on_event: EventSink | None = None) -> AskResponse:
        """Answer at the page.

        Raises:
            BookError: no such book or page.
            LLMError: the model gave no answer.
        """
        book = await self._books.get(request.book_id)
        readable(book, request.page)
        thread = request.conversation
        if thread is None:
            question = ChatMessage(
                role=Role.USER, content=request.question, position=request.page, author=request.author
            )
            return AskResponse(
                outcome=await self._chat.answer(book, [question], position=request.page, on_event=on_event)
            )
        conversation = await self._threads.open(thread, book_id=request.book_id)
        turn = await self._record_turn.execute(
            conversation.conversation_id,
            request.question,
            thread=thread,
            position=request.page,
            author=request.author,
            window=request.window,
            on_event=on_event,
        )
        return AskResponse(
            outcome=turn.outcome,
            session_id=request.session_id or thread.session,
            turn_number=turn.turn_number,
            turn_id=turn.turn_id,
        )
