"""A message becomes a reply. The page to read first: every question of every platform comes through here.

begin -> scope -> draft -> review -> fall back -> end. `Turns` begins and ends, `ScopeGuardrail` decides whether it is
the club's business; draft, review and fall back are `Drafting`, one call further down.
"""

import asyncio
import logging
from dataclasses import replace

from core.answering.drafting import Drafting
from core.answering.quota import Quota
from core.answering.quoting import Quoting
from core.answering.scope_guardrail import ScopeGuardrail, turned_away
from core.answering.threads import ThreadService
from core.answering.turns import Answered, Turns, settled
from core.catalogue.sentences import say
from core.domain.book import Book
from core.domain.chat_event import EventSink
from core.domain.conversation import AskedAs, Turn, TurnOutcome
from core.domain.errors import AskedTooFastError, BookError, LLMError, LLMErrorCode, StorageError, ThusfarError
from core.domain.keyed_locks import KeyedLocks
from core.domain.messages import GONE_MEANWHILE, ask_position, describe
from core.domain.position import Position, footer
from core.domain.question import IncomingMessage, Question, Reply
from core.domain.scopes import is_direct
from core.guard.citations import rests_on_book, with_labels

_log = logging.getLogger(__name__)


class AnswerMessage:
    """Answers one message; the turns of a thread run in order, threads run side by side."""

    def __init__(
        self,
        *,
        turns: Turns,
        quota: Quota,
        scope: ScopeGuardrail,
        drafting: Drafting,
        quoting: Quoting,
        threads: ThreadService,
    ) -> None:
        self._turns = turns
        self._quota = quota
        self._scope = scope
        self._drafting = drafting
        self._quoting = quoting
        self._threads = threads
        self._locks = KeyedLocks()

    async def execute(self, message: IncomingMessage, on_event: EventSink | None = None) -> Reply:
        """Return what to post. A model that fails becomes a friendly sentence; the cause goes to the log.

        Raises:
            StorageError: the store is of no use now; the question stays to be answered.
        """
        try:
            answered = await self.answer(message, on_event)
            if isinstance(answered, Answered) and answered.outcome.nobody_asked:
                return Reply(text="")
            reply = answered if isinstance(answered, Reply) else await self._reply(answered)
        except BookError as error:
            _log.warning("What %s was about is gone: %s", message.ref, error)
            reply = Reply(text=await self._why_gone(message), failed=True)
        # A member who may not have asked gets an answer or nothing.
        return Reply(text="") if message.asked is AskedAs.PERHAPS and reply.turn_id is None else reply

    async def again(self, message: IncomingMessage, reply: Reply) -> Reply:
        """Return what is posted to a message whose reply was frozen: the reply, unless its thread was set back since.

        Nothing is worked out again: a failure keeps its sentence, without the quotations.
        """
        state = await self._threads.state(message.thread)
        if state is not None and (self._turns.stands_at(state) or 0) >= (reply.position or 0):
            return reply
        if reply.failed:
            return Reply(text=reply.text.partition("\n\n")[0], failed=True)
        return await self.execute(message)

    async def answer(self, message: IncomingMessage, on_event: EventSink | None = None) -> Answered | Reply:
        """Answer a message in its thread's turn and keep it on record; a Reply where there is nothing to answer from.

        Raises:
            BookError: the message names a book or page that is not there, or its conversation is gone.
            StorageError: the store is of no use now; the turn stays open, and goes on when the message comes again.
        """
        async with self._locks.of(message.thread):
            question = await self._turns.begin(message, on_event)
            if isinstance(question, Reply):
                return question
            try:
                return settled(question) or await self._answered(question)
            except StorageError:  # no result: the turn stays open until the message comes again
                self._quota.give_back(message.thread, message.author.member_id)
                raise

    async def answer_unrecorded(
        self, message: IncomingMessage, book: Book, on_event: EventSink | None = None
    ) -> Answered:
        """Answer a message that names its page of a book, and keep nothing. Raises as `answer`."""
        return await self._answered(await self._turns.unrecorded(message, book, on_event))

    async def _answered(self, question: Question) -> Answered:
        thread, member_id = question.message.thread, question.message.author.member_id
        try:
            await self._quota.take(thread, member_id, in_doubt=question.message.asked is AskedAs.PERHAPS)
            outcome = await self._outcome_in_time(question)
            if outcome.nobody_asked:
                self._quota.give_back(thread, member_id)
        except StorageError:
            raise
        except (LLMError, ThusfarError) as error:
            return await self._turns.fail(question, error, await self._frozen_failure(question, error))
        except Exception as error:
            await self._turns.fail(question, error)
            raise
        return await self._turns.end(question, outcome, _frozen(question, outcome))

    async def _frozen_failure(self, question: Question, error: Exception) -> Reply | None:
        """Return what a platform posts for a failure, which is an outcome like an answer."""
        if question.message.ref is None or question.turn is None:
            return None
        if question.message.asked is AskedAs.PERHAPS:
            return Reply(text="", is_kept=True)
        said = await self._failure(question, error, position=question.position)
        return replace(_as_printed(question, said, position=question.position, error=error), is_kept=True)

    async def _failure(self, question: Question, error: Exception, *, position: Position) -> TurnOutcome:
        if isinstance(error, LLMError):
            return await self._quoting.beside(error, question, position=position)
        _log.warning("No answer to %s: %s", question.message.ref, error)
        return TurnOutcome(text=describe(error))

    async def _outcome_in_time(self, question: Question) -> TurnOutcome:
        """Return the outcome within the turn's deadline, whatever takes the time. Raises LLMError."""
        try:
            async with asyncio.timeout(question.deadline.remaining()):
                return await self._outcome(question)
        except TimeoutError:
            raise LLMError(LLMErrorCode.TIMEOUT, "the turn's time was over before its answer was judged") from None

    async def _outcome(self, question: Question) -> TurnOutcome:
        """Return the answer, or the short reply to what is none of the club's business.

        Where only a model could tell, it is asked while the answer is made; an answer to what is off-topic is never
        seen. Where it is in doubt whether the bot was asked, nobody asked about what is off-topic, and the call that
        answers tells the rest.
        """
        verdict, in_doubt = await self._scope.look(question), question.message.asked.is_doubtful
        if verdict.is_off:
            return TurnOutcome(text="", nobody_asked=True) if in_doubt else turned_away(question)
        if in_doubt or not self._scope.asks_model(verdict):
            return await self._drafting.answer(question)
        judging = asyncio.create_task(self._scope.judge(question))
        drafting = asyncio.create_task(self._drafting.answer(question))
        try:
            verdict = await judging
            if not verdict.is_in:
                return turned_away(question)
            outcome = await drafting
        finally:
            await _cancelled(judging, drafting)
        return replace(outcome, iterations=outcome.iterations + 1)

    async def _reply(self, answered: Answered) -> Reply:
        """Return a reply that fits where the thread stands now: it may have been set back since the turn began.

        Then read pages are quoted instead. What was answered stays in the record, for its own position.
        """
        question, error, position = answered.question, answered.error, answered.stands_at
        if isinstance(error, BookError):
            raise error
        if position is None:
            return Reply(text=ask_position(alone=is_direct(question.message.thread.scope)), failed=error is not None)
        is_set_back = position < (answered.written_for or 0)
        if not is_set_back and answered.reply is not None:
            return answered.reply
        position = position if is_set_back else answered.written_for
        if error is not None:
            said = await self._failure(question, error, position=position)
        elif is_set_back:
            said = await self._quoting.instead(question, position=position)
        else:
            return _as_printed(question, answered.outcome, position=position, turn=question.turn)
        return _as_printed(question, said, position=position, error=error)

    async def _why_gone(self, message: IncomingMessage) -> str:
        if await self._threads.reading(message.thread) is None:
            return await self._threads.why_no_book(message.thread)
        return say(GONE_MEANWHILE)


def _as_printed(
    question: Question,
    said: TurnOutcome,
    *,
    position: Position,
    turn: Turn | None = None,
    error: Exception | None = None,
) -> Reply:
    """Return what is said with the pages that people see, in its footer and its citations; `turn` is its answer's."""
    reply = Reply(
        text=said.text,
        position=position,
        sources=said.sources,
        turn_id=turn.turn_id if turn else None,
        failed=error is not None,
        too_fast=isinstance(error, AskedTooFastError),
        has_more=said.has_more and turn is not None,
        rests_on_book=bool(said.sources) and rests_on_book(said.text),
        by_model=turn is not None and bool(said.verdicts),
    )
    if turn is None and not said.sources:
        return reply
    name = question.page_name
    return replace(reply, text=with_labels(said.text, name), footer=footer(position, name=name))


def _frozen(question: Question, outcome: TurnOutcome) -> Reply | None:
    """Return what an answer is posted as on a platform; None where nobody will post it."""
    if question.message.ref is None or question.turn is None:
        return None
    return replace(_as_printed(question, outcome, position=question.position, turn=question.turn), is_kept=True)


async def _cancelled(*tasks: asyncio.Task[object]) -> None:
    """End what nobody waits for any more: what it took is on the turn's log, and its error is nobody's."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
