"""A message from a thread becomes a reply. The page to read first: every platform's question comes through here."""

import asyncio
import logging
from dataclasses import dataclass
from weakref import WeakValueDictionary

from core.app.positions import PositionService
from core.app.quote_instead import QuoteInstead
from core.app.threads import Thread, ThreadService
from core.app.turns import RecordTurn
from core.domain.chat_event import EventSink
from core.domain.conversation import Author
from core.domain.errors import LLMError, ThusfarError
from core.domain.passage import SearchResult
from core.domain.position import Position
from core.domain.words import ASK_POSITION, describe

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """What a member said, as an adapter has translated it; `ref` names the platform's message for good."""

    thread: Thread
    author: Author
    text: str
    ref: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What to post: the text, the position it was written for, the passages it rests on."""

    text: str
    position: Position = None
    sources: tuple[SearchResult, ...] = ()
    turn_id: int | None = None
    failed: bool = False


class AnswerMessage:
    """Answers one message; the turns of a thread run in order, threads run side by side."""

    def __init__(
        self,
        *,
        threads: ThreadService,
        positions: PositionService,
        record_turn: RecordTurn,
        quote_instead: QuoteInstead,
    ) -> None:
        self._threads = threads
        self._positions = positions
        self._record_turn = record_turn
        self._quote_instead = quote_instead
        self._locks: WeakValueDictionary[Thread, asyncio.Lock] = WeakValueDictionary()

    async def execute(self, message: IncomingMessage, on_event: EventSink | None = None) -> Reply:
        """Return what to post. A model that fails becomes a friendly sentence; the cause goes to the log."""
        async with self._locks.setdefault(message.thread, asyncio.Lock()):
            state = await self._threads.state(message.thread)
            if state is None:
                return Reply(text=await self._threads.why_no_book(message.thread))
            conversation, position = state.conversation, self._positions.of_standing(state.standing)
            if position is None:
                return Reply(text=ASK_POSITION)
            try:
                turn = await self._record_turn.execute(
                    conversation.conversation_id,
                    message.text,
                    position=position,
                    author=message.author,
                    asked_by=message.ref,
                    on_event=on_event,
                )
            except ThusfarError as error:
                return Reply(text=describe(error), position=position, failed=True)
            except LLMError as error:
                _log.warning("No answer in %s: %s", conversation.conversation_id, error)
                return await self._without_model(error, conversation.book_id, message.text, position)
            return Reply(
                text=turn.outcome.text, position=turn.position, sources=turn.outcome.sources, turn_id=turn.turn_id
            )

    async def _without_model(self, error: LLMError, book_id: str, question: str, position: Position) -> Reply:
        """Say kindly what is wrong, with quotations where some fit; nothing of it is stored as an answer."""
        quoted = await self._quote_instead.execute(book_id, question, position=position)
        text = f"{describe(error)}\n\n{quoted.text}" if quoted.sources else describe(error)
        return Reply(text=text, position=position, sources=quoted.sources, failed=True)
