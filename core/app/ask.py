"""One question at a page that the asker names, with or without a session (`thusfar ask`, later `/ask`)."""

from dataclasses import dataclass

from core.app.chat import ChatWithBookUseCase
from core.app.threads import Thread, ThreadService
from core.app.turns import RecordTurn
from core.domain.chat_event import EventSink
from core.domain.conversation import Author, ChatMessage, Role, TurnOutcome
from core.domain.passage import readable
from core.ports.repositories import BookRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """A question about a book at a page. Without a `thread` no conversation, message or turn is written."""

    question: str
    book_id: str
    page: int
    thread: Thread | None = None
    author: Author | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskResponse:
    """The answer; `turn_number` is 0 and `turn_id` None without a session."""

    outcome: TurnOutcome
    turn_number: int = 0
    turn_id: int | None = None


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
        if request.thread is None:
            question = ChatMessage(
                role=Role.USER, content=request.question, position=request.page, author=request.author
            )
            return AskResponse(
                outcome=await self._chat.answer(book, [question], position=request.page, on_event=on_event)
            )
        conversation = await self._threads.open(request.thread, book_id=request.book_id)
        turn = await self._record_turn.execute(
            conversation.conversation_id,
            request.question,
            thread=request.thread,
            position=request.page,
            author=request.author,
            on_event=on_event,
        )
        return AskResponse(outcome=turn.outcome, turn_number=turn.turn_number, turn_id=turn.turn_id)
