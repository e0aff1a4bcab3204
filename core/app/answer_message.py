"""A message from a thread becomes a reply. The page to read first: every platform's question comes through here."""

import asyncio
import logging
from dataclasses import replace
from weakref import WeakValueDictionary

from core.app.positions import PositionService
from core.app.printed_pages import with_labels
from core.app.threads import ThreadService
from core.app.turns import RecordTurn
from core.app.without_model import WithoutModel
from core.domain.chat_event import EventSink
from core.domain.conversation import Conversation
from core.domain.errors import BookError, LLMError, ThusfarError
from core.domain.position import Position, footer
from core.domain.question import IncomingMessage, Reply
from core.domain.thread import Thread
from core.domain.words import ASK_POSITION, GONE_MEANWHILE, describe

_log = logging.getLogger(__name__)


class AnswerMessage:
    """Answers one message; the turns of a thread run in order, threads run side by side."""

    def __init__(
        self,
        *,
        threads: ThreadService,
        positions: PositionService,
        record_turn: RecordTurn,
        without_model: WithoutModel,
    ) -> None:
        self._threads = threads
        self._positions = positions
        self._record_turn = record_turn
        self._without_model = without_model
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
                reply = await self._reply(message, conversation, position, on_event)
                reply = await self._as_far_as_read_now(message, conversation, reply)
                return await self._as_printed(conversation, reply)
            except BookError as error:
                _log.warning("What %s was about is gone: %s", message.ref, error)
                return Reply(text=await self._why_gone(message.thread), failed=True)

    async def _reply(
        self, message: IncomingMessage, conversation: Conversation, position: Position, on_event: EventSink | None
    ) -> Reply:
        try:
            turn = await self._record_turn.execute(
                conversation.conversation_id,
                message.text,
                thread=message.thread,
                position=position,
                author=message.author,
                asked_by=message.ref,
                on_event=on_event,
            )
        except ThusfarError as error:
            _log.warning("No answer to %s: %s", message.ref, error)
            return Reply(text=describe(error), position=position, failed=True)
        except LLMError as error:
            said = await self._without_model.execute(error, conversation.book_id, message.text, position=position)
            return Reply(text=said.text, position=position, sources=said.sources, failed=True)
        return Reply(text=turn.outcome.text, position=turn.position, sources=turn.outcome.sources, turn_id=turn.turn_id)

    async def _as_far_as_read_now(self, message: IncomingMessage, conversation: Conversation, reply: Reply) -> Reply:
        """Return a reply that fits where the thread stands by now: it may have been set back since the turn began.

        Then read pages are quoted instead. What was answered stays in the record, for its own position.

        Raises:
            BookError: the conversation, or its book, is gone by now.
        """
        position = await self._positions.of_thread(conversation.conversation_id)
        if position is None:
            return Reply(text=ASK_POSITION, failed=reply.failed)
        if position >= (reply.position or 0):
            return reply
        said = await self._without_model.quoted(conversation.book_id, message.text, position=position)
        return Reply(text=said.text, position=position, sources=said.sources, failed=reply.failed)

    async def _as_printed(self, conversation: Conversation, reply: Reply) -> Reply:
        """Return an answer with the pages that people see, in its footer and its citations."""
        if reply.turn_id is None and not reply.sources:
            return reply
        name = await self._positions.page_names(conversation)
        return replace(reply, text=with_labels(reply.text, name), footer=footer(reply.position, name=name))

    async def _why_gone(self, thread: Thread) -> str:
        if await self._threads.reading(thread) is None:
            return await self._threads.why_no_book(thread)
        return GONE_MEANWHILE
