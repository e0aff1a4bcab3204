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
    """All that a question needs of the store, read in the transaction that begins its turn.

    `turn` is None where no position is set, so that nothing was begun. `history` holds what was said before and may be
    told at `position`, oldest first. `labels` are the printed page labels, as `BookOutline` has them, and `chapters`
    those that are begun at `position`, in the order of the book. `answer_in` says where the asker is to be answered.
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
    """A club that reads nothing; the title of the book that it was reading when that was removed, if any."""

    removed_title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """How a turn ended: with an answer, or, where there is an `error_code`, without one.

    `messages` are what the conversation keeps of it, in order: the question, tool results, the answer. The question is
    there since the turn began: now it is known how its author is called and how far it tells. Of a turn that failed
    the outcome says what was learned and spent until then. `steps` name the tools that ran; `cost` is in US dollars,
    None where the price is not known. `reply` is what is posted to the platform's message `ref`, which the bot
    `heard_by` heard: it is frozen in the inbox with all the rest.
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
    """A turn as a button that was pressed later finds it; `searched_for` is what its search looked for.

    `ref` names the message that asked.
    """

    turn: Turn
    session_id: str
    reading_id: str
    book_id: str
    chunk_ids: tuple[int, ...]
    searched_for: str
    ref: str | None = None


class TurnRecord(Protocol):
    """Turns with their messages."""

    async def begin(self, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        """Begin a turn in one transaction: find thread, reading, position and what was said, and open it.

        Of the conversation the `latest` readable messages are read, the message itself apart. A message that names
        `book_id` and `page` makes the book what its club reads and is answered at that page. Whoever asks anything
        else has spoken (who is silent holds nobody back, and a page of one's own is nobody else's business). Turn
        numbers count from 1 and are unique in a conversation, also under concurrent writers; a platform's message
        (`ref`) that has a turn in this conversation goes on with it, and `user_query` is what it says by now.

        In the inbox, work on the message has begun from here on, and is counted, where that was not so before. The
        message is kept, so that it may be edited, deleted or forgotten while it is being answered; until the turn
        ends, nobody who has not read the whole book is told of it.

        Raises:
            BookError: NOT_FOUND, there is no such book; PAGE_OUT_OF_RANGE, it has no such page.
        """

    async def end(self, turn: Turn, end: TurnEnd, *, now: datetime) -> Position:
        """End a turn in one transaction, and return where its thread stands by now.

        A message that a platform names is stored once. A question that was edited, deleted or forgotten since the turn
        began stays so. Where nobody had asked, the message is let go: of what members say among themselves nothing is
        kept but that it took a turn, and what that took.

        Raises:
            BookError: NOT_FOUND, the conversation, or its book, is gone by now (also where another import of the book
                has taken its place, with other pages); nothing is stored.
            TakenOverError: another process has ended the turn, or leased its message since; nothing is stored.
        """

    async def answer(self, turn_id: int) -> RecordedAnswer | None:
        """Return a turn that was answered (one that is hidden too) or asked back, with what it rests on; else None."""

    async def give_feedback(self, turn_id: int, feedback: int, *, member_id: str) -> None:
        """Keep what a member thinks of an answer, 1 or -1: of each the last they said, and nothing of one not there.

        `SPOILER` hides it as well, and no context has it from then on.
        """

    async def take_back_reports(self, turn_id: int) -> None:
        """Forget that an answer was reported, and let it be an answer like all others."""

    async def feedback(self, turn_id: int) -> dict[str, int]:
        """Return what members think of an answer, by their ids; who has been forgotten has the empty one."""
