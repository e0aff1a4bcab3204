"""Answers one question at a page that the asker gives, with or without a session (`thusfar ask`, `/ask`)."""

from dataclasses import dataclass
from typing import Final

from core.answering.answer_message import AnswerMessage
from core.answering.turns import Answered
from core.domain.chat_event import EventSink
from core.domain.conversation import Author, TurnOutcome
from core.domain.errors import ThusfarError
from core.domain.question import IncomingMessage, Reply
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from core.ports.books import BookTexts

COMMAND_LINE: Final = Author(member_id="local:command-line", display_name="")
"""The author of questions from the command line, who has no name."""
MOST_WINDOW: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """A question about a book at a page.

    `session_id` or the `thread` of a platform names the session. Without one, no conversation, message or turn is
    stored. `conversation_window` is how many earlier turns the answer may use, 1 to 10; None means the number from the
    settings.

    Raises:
        ValueError: the window is not between 1 and 10.
    """

    question: str
    book_id: str
    page: int
    session_id: str | None = None
    thread: Thread | None = None
    author: Author | None = None
    conversation_window: int | None = None

    def __post_init__(self) -> None:
        if self.conversation_window is not None and not 1 <= self.conversation_window <= MOST_WINDOW:
            raise ValueError(f"The window is 1 to {MOST_WINDOW} turns, not {self.conversation_window}.")

    @property
    def message(self) -> IncomingMessage:
        """The question as an IncomingMessage."""
        return IncomingMessage(
            thread=self.thread or Thread(scope=LOCAL_SCOPE, place="ask", thread=self.session_id or ""),
            author=self.author or COMMAND_LINE,
            text=self.question,
            book_id=self.book_id,
            page=self.page,
            window=self.conversation_window,
        )

    @property
    def is_kept(self) -> bool:
        """Whether the question belongs to a session and is stored."""
        return self.thread is not None or self.session_id is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskResponse:
    """The answer to an AskRequest.

    Without a session, `session_id` and `turn_id` are None and `turn_number` is 0.
    """

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
        """How far the question was in scope, 0 to 100."""
        return self.outcome.guardrail_score


class AskQuestion:
    """Answers an AskRequest through AnswerMessage, like every other message."""

    def __init__(self, *, books: BookTexts, answer_message: AnswerMessage) -> None:
        self._books = books
        self._answer_message = answer_message

    async def execute(self, request: AskRequest, on_event: EventSink | None = None) -> AskResponse:
        """Answer the question at its page.

        Raises:
            BookError: there is no such book or page.
            LLMError: the model gave no answer.
            ThusfarError: the session has no book or no page to answer from.
        """
        message = request.message
        if not request.is_kept:
            book = await self._books.get(request.book_id)
            answered = await self._answer_message.answer_unrecorded(message, book, on_event)
            return AskResponse(outcome=_outcome_of(answered))
        answered_or_reply = await self._answer_message.answer(message, on_event)
        if isinstance(answered_or_reply, Reply):
            raise ThusfarError(answered_or_reply.text)
        outcome, turn = _outcome_of(answered_or_reply), answered_or_reply.question.turn
        return AskResponse(
            outcome=outcome,
            session_id=request.session_id or message.thread.session,
            turn_number=turn.turn_number if turn else 0,
            turn_id=turn.turn_id if turn else None,
        )


def _outcome_of(answered: Answered) -> TurnOutcome:
    if answered.error is not None:
        raise answered.error
    return answered.outcome
