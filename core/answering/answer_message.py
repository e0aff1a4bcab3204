"""Turns a message into a reply. Read this file first: every question from every platform comes through here.

The steps: begin -> scope -> draft -> review -> fall back -> end. `Turns` does begin and end. `ScopeGuardrail` decides
whether the message is in scope. `Drafting` does draft, review and fall back.
"""

import asyncio
import logging
from dataclasses import replace

from core.answering.drafting import Drafting
from core.answering.extracts.passages import in_bold
from core.answering.quota import Quota
from core.answering.quoting import Quoting
from core.answering.running_turns import RunningTurns
from core.answering.scope_guardrail import ScopeGuardrail, turned_away
from core.answering.threads import ThreadService
from core.answering.turns import Answered, Turns, settled
from core.catalogue.sentences import say
from core.domain.book import Book
from core.domain.chat_event import EventSink
from core.domain.conversation import AskedAs, Turn, TurnOutcome
from core.domain.errors import AskedTooFastError, BookError, LLMError, StorageError, ThusfarError, TurnStoppedError
from core.domain.keyed_locks import KeyedLocks
from core.domain.messages import GONE_MEANWHILE, ask_position, describe
from core.domain.position import Position, footer
from core.domain.question import IncomingMessage, Question, Reply
from core.domain.scopes import is_direct
from core.guard.citations import rests_on_book, with_labels

_log = logging.getLogger(__name__)


class AnswerMessage:
    """Answers messages. The turns of one thread run in order; different threads run at the same time.

    Attributes:
        running: the turns under way, which can be stopped.
    """

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
        self.running = RunningTurns()

    async def execute(self, message: IncomingMessage, on_event: EventSink | None = None) -> Reply:
        """Return the reply to post; its text is empty where nothing is posted.

        If the model fails, the reply is a friendly sentence, and the cause goes to the log.

        Raises:
            StorageError: the database failed; the question is still open.
        """
        try:
            answered = await self.answer(message, on_event)
            if isinstance(answered, Answered) and answered.outcome.nobody_asked:
                return Reply(text="")
            reply = answered if isinstance(answered, Reply) else await self._reply(answered)
        except BookError as error:
            _log.warning("The book or thread of message %s is gone: %s", message.ref, error)
            reply = Reply(text=await self._why_gone(message), failed=True)
        # If the member may not have asked the bot, it posts an answer or nothing, but no error.
        return Reply(text="") if message.asked is AskedAs.PERHAPS and reply.turn_id is None else reply

    async def again(self, message: IncomingMessage, reply: Reply) -> Reply:
        """Return the reply to post for a message that already has a stored reply.

        This is the stored reply, unless the thread was moved back since. After a move back, a stored failure keeps its
        sentence but loses its quotations, and any other message is answered again.
        """
        state = await self._threads.state(message.thread)
        if state is not None and (self._turns.current_page(state) or 0) >= (reply.position or 0):
            return reply
        if reply.failed:
            return Reply(text=reply.text.partition("\n\n")[0], failed=True)
        return await self.execute(message)

    async def answer(self, message: IncomingMessage, on_event: EventSink | None = None) -> Answered | Reply:
        """Answer a message when its thread is free, and record the turn.

        Returns a Reply where no question can be asked: the club has no book or no page yet.

        Raises:
            BookError: the message names a book or page that does not exist, or its conversation is gone.
            StorageError: the database failed; the turn stays open and continues when the message is delivered again.
        """
        async with self._locks.of(message.thread):
            question = await self._turns.begin(message, on_event)
            if isinstance(question, Reply):
                return question
            try:
                return settled(question) or await self._answered(question)
            except StorageError:  # no result: the turn stays open until the message is delivered again
                self._quota.give_back(message.thread, message.author.member_id)
                raise

    async def answer_unrecorded(
        self, message: IncomingMessage, book: Book, on_event: EventSink | None = None
    ) -> Answered:
        """Answer a message that names its own page of a book, and store nothing. Raises the same errors as `answer`."""
        return await self._answered(await self._turns.unrecorded(message, book, on_event))

    async def _answered(self, question: Question) -> Answered:
        thread, member_id = question.message.thread, question.message.author.member_id
        try:
            await self._quota.take(thread, member_id, in_doubt=question.message.asked is AskedAs.PERHAPS)
            seconds = question.deadline.remaining()
            outcome = await self.running.within(seconds, question.message, self._outcome(question))
            if outcome.nobody_asked:
                self._quota.give_back(thread, member_id)
        except StorageError:
            raise
        except TurnStoppedError:
            return await self._turns.stop(question, Reply(text="", is_kept=True))
        except (LLMError, ThusfarError) as error:
            return await self._turns.fail(question, error, await self._frozen_failure(question, error))
        except Exception as error:
            await self._turns.fail(question, error)
            raise
        return await self._turns.end(question, outcome, _frozen(question, outcome))

    async def _frozen_failure(self, question: Question, error: Exception) -> Reply | None:
        """Return the reply to post and store for a failure; None where no platform posts it."""
        if question.message.ref is None or question.turn is None:
            return None
        if question.message.asked is AskedAs.PERHAPS:
            return Reply(text="", is_kept=True)
        said = await self._failure(question, error, position=question.position)
        return replace(_as_printed(question, said, position=question.position, error=error), is_kept=True)

    async def _failure(self, question: Question, error: Exception, *, position: Position) -> TurnOutcome:
        if isinstance(error, LLMError):
            return await self._quoting.after_error(error, question, position=position)
        _log.warning("No answer to %s: %s", question.message.ref, error)
        return TurnOutcome(text=describe(error))

    async def _outcome(self, question: Question) -> TurnOutcome:
        """Return the answer, or the short reply to an off-topic question.

        If only a model can judge the scope, it is asked while the answer is being drafted; the draft of an off-topic
        question is discarded. If it is unclear whether the bot was asked, an off-topic message counts as not asked, and
        otherwise the model that answers also decides whether it was asked.
        """
        verdict, in_doubt = self._scope.look(question), question.message.asked.is_doubtful
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
        """Return a reply that fits the thread's current page, which may have moved back since the turn began.

        After a move back the reply quotes read pages instead. The record keeps the answer, with its own position.
        """
        question, error, position = answered.question, answered.error, answered.current_page
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
    """Return an outcome as a reply with printed page labels in its citations and footer.

    Above more of the book, the words that were searched for are in bold.

    `turn` is the turn that the outcome answers; None for a failure or a substitute answer.
    """
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
    text = with_labels(said.text, name)
    if reply.has_more:
        text = in_bold(text, said.rewritten_query or question.text)
    return replace(reply, text=text, footer=footer(position, name=name))


def _frozen(question: Question, outcome: TurnOutcome) -> Reply | None:
    """Return the reply to post and store for an answer; None where no platform posts it."""
    if question.message.ref is None or question.turn is None:
        return None
    return replace(_as_printed(question, outcome, position=question.position, turn=question.turn), is_kept=True)


async def _cancelled(*tasks: asyncio.Task[object]) -> None:
    """Cancel tasks whose result is not needed. Their cost is in the turn's log; their errors are ignored."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
