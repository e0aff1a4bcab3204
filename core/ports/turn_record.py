"""Port: the record of questions and answers. A turn is two writes: it begins, and it ends."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from core.domain.book import Book, Chapter
from core.domain.conversation import ChatMessage, Conversation, Turn, TurnOutcome
from core.domain.errors import LLMErrorCode
from core.domain.position import AnswerIn, Position
from core.domain.question import IncomingMessage, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunTurn:
    """What a question needs from the store, read in the transaction that begins its turn.

    Attributes:
        conversation: the thread's conversation.
        book: its book.
        labels: the printed page labels, as in `BookOutline`.
        chapters: the chapters begun at `position`, in order.
        position: how far the readers of the answer have read.
        turn: the turn; None if no position is set, so that no turn was begun.
        history: earlier messages that may be shown at `position`, oldest first.
        answer_in: where the asker gets the answer.
    """

    conversation: Conversation
    book: Book
    labels: Mapping[str, int]
    chapters: tuple[Chapter, ...]
    position: Position
    turn: Turn | None
    history: tuple[ChatMessage, ...] = ()
    answer_in: AnswerIn = AnswerIn.HERE


@dataclass(frozen=True, slots=True, kw_only=True)
class NoReading:
    """The result for a club without a book; `removed_title` is the title of its book that was removed, if any."""

    removed_title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """How a turn ended.

    Attributes:
        outcome: the answer; for a failed turn only what was found and spent.
        messages: what the conversation stores, in order: question, tool results, answer. The question is stored when
            the turn begins, and updated here with its author's name and the page it reveals.
        steps: the tools that ran, and the verdicts.
        error_code: why there is no answer; None if there is one.
        cost: US dollars; None if a price is not known.
        duration_ms: how long the turn took.
        ref: the platform's message that asked.
        heard_by: the bot that received it.
        reply: the reply to post, which is stored in the inbox in the same transaction.
    """

    outcome: TurnOutcome
    messages: tuple[ChatMessage, ...]
    steps: tuple[str, ...] = ()
    error_code: LLMErrorCode | None = None
    cost: Decimal | None = None
    duration_ms: int = 0
    ref: str | None = None
    heard_by: str = ""
    reply: Reply | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAnswer:
    """A recorded turn, for the buttons under its answer.

    `searched_for` is the query of its search; `ref` is the platform's message that asked.
    """

    turn: Turn
    session_id: str
    reading_id: str
    book_id: str
    chunk_ids: tuple[int, ...]
    searched_for: str
    ref: str | None = None


class TurnRecord(Protocol):
    """Stores turns with their messages."""

    async def begin(self, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        """Begin a turn in one transaction: find its thread, reading, position and history, and store the message.

        Reads the `latest` earlier messages that are readable. A message that names `book_id` and `page` makes that book
        the club's current one, and is answered at that page. The author of any other message counts as present. Turn
        numbers start at 1 and are unique in a conversation, also with concurrent writers. A platform's message (`ref`)
        that has a turn already continues it, with its current text as `user_query`.

        The inbox counts this as the beginning of work on the message. The stored message can be edited, deleted or
        forgotten while it is being answered. Until the turn ends, only readers of the whole book may see it.

        Raises:
            BookError: NOT_FOUND, there is no such book; PAGE_OUT_OF_RANGE, it has no such page.
        """

    async def end(self, turn: Turn, end: TurnEnd, *, now: datetime) -> Position:
        """End a turn in one transaction, and return its thread's current page.

        A platform's message is stored once. A question that was edited, deleted or forgotten since the turn began stays
        so. If nobody asked the bot, the message is deleted, and only the turn and its cost are kept.

        Raises:
            BookError: NOT_FOUND, the conversation or its book is gone, or another import has replaced the book; nothing
                is stored.
            TakenOverError: another process has ended the turn or leased its message; nothing is stored.
        """

    async def answer(self, turn_id: int) -> RecordedAnswer | None:
        """Return a turn that was answered, hidden or asked back, with its sources; None for other turns."""

    async def give_feedback(self, turn_id: int, feedback: int, *, member_id: str) -> None:
        """Store a member's latest rating of an answer, 1 or -1; does nothing for an unknown turn.

        `SPOILER` also hides the answer, and later prompts leave it out.
        """

    async def take_back_reports(self, turn_id: int) -> None:
        """Delete the spoiler reports of an answer, and show it again."""

    async def feedback(self, turn_id: int) -> dict[str, int]:
        """Return the ratings of an answer by member id; forgotten members have an empty id."""
