"""Records turns. One write begins a turn and turns its message into a question; another write ends it."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answering.club_lines import name_for_others
from core.answering.context import latest_turns, with_history
from core.answering.costs import CallPrice, cost_of_calls
from core.answering.search import SearchBooksUseCase, TurnSearch
from core.domain.book import Book, BookOutline
from core.domain.chat_event import EventSink, TurnAnsweredEvent, TurnBegunEvent, TurnFailedEvent
from core.domain.conversation import (
    JUDGED,
    SETTLED,
    Author,
    ChatMessage,
    Role,
    TurnOutcome,
    TurnStatus,
)
from core.domain.errors import BookError, LLMError, LLMErrorCode, TakenOverError
from core.domain.messages import ask_position, no_book, thread_is_at
from core.domain.position import AnswerIn, Position, page_names
from core.domain.question import IncomingMessage, Question, Reply, TurnLog
from core.domain.scopes import LOCAL_SCOPE, is_direct
from core.domain.thread import ThreadState
from core.domain.tool_use import TurnLimits
from core.ports.chat_provider import ChatProvider
from core.ports.clock import Clock
from core.ports.guard import Guard
from core.ports.turn_record import BegunTurn, NoReading, TurnEnd, TurnRecord
from core.understanding.classifier import ready

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """How a turn ended.

    Attributes:
        question: the question.
        outcome: the answer; with an `error`, only what was found and spent until then.
        written_for: the position that the answer was written for.
        current_page: the current page of the thread when the turn ended.
        error: why there is no answer; None if there is one.
        reply: the reply that was stored with the turn; None where no platform posts it.
    """

    question: Question
    outcome: TurnOutcome
    written_for: Position
    current_page: Position
    error: Exception | None = None
    reply: Reply | None = None


class Turns:
    """Begins and ends turns."""

    def __init__(
        self,
        *,
        record: TurnRecord,
        search: SearchBooksUseCase,
        guard: Guard,
        price: CallPrice,
        clock: Clock,
        provider: ChatProvider | None,
        limits: TurnLimits | None = None,
    ) -> None:
        self._record = record
        self._search = search
        self._guard = guard
        self._price = price
        self._clock = clock
        self._provider = provider
        self._limits = limits or TurnLimits()

    async def begin(self, message: IncomingMessage, on_event: EventSink | None = None) -> Question | Reply:
        """Begin a turn and return its question, or a reply where there is no book or no page yet.

        A message that is delivered again after a crash continues its turn. If it was answered, its question is settled.

        Raises:
            BookError: the message names a book or a page that does not exist.
        """
        begun = await self._record.begin(message, now=self._clock.now(), latest=self._limits.looks_back)
        alone = is_direct(message.thread.scope)
        if isinstance(begun, NoReading):
            return Reply(text=no_book(begun.removed_title, alone=alone), nothing_read=True)
        if begun.turn is None:
            return Reply(text=ask_position(alone=alone))
        if begun.answer_in is not AnswerIn.HERE and begun.turn.status is TurnStatus.ASKED_BACK:
            outline = BookOutline(pages=begun.book.pages, labels=begun.labels, works=begun.book.works)
            name = page_names(outline.at(begun.position))
            told = thread_is_at(name(begun.position or 0))
            return Reply(text=told, asked_back=begun.turn.turn_id, answered_in=begun.answer_in)
        # A message that is delivered again may have been edited since.
        asked = replace(message, text=begun.turn.user_query or message.text)
        return _with_record(await self._question(asked, begun.book, begun.position, on_event), begun)

    async def unrecorded(self, message: IncomingMessage, book: Book, on_event: EventSink | None = None) -> Question:
        """Return the question of a message that names its own book and page; nothing is stored.

        Raises:
            BookError: there is no such page.
        """
        return await self._question(message, book, message.page, on_event)

    async def end(self, question: Question, outcome: TurnOutcome, reply: Reply | None = None) -> Answered:
        """Record an answer and its reply. Tokens and durations come from the turn's log.

        Raises:
            BookError: the conversation or its book is gone.
        """
        if outcome.nobody_asked:
            return await self._ended(question, outcome, (), None, reply)
        answer = ChatMessage(
            role=Role.ASSISTANT, content=outcome.text, position=question.position, reveals_page=_revealed_page(outcome)
        )
        return await self._ended(question, outcome, (*outcome.messages, answer), TurnAnsweredEvent(), reply)

    async def fail(self, question: Question, error: Exception, reply: Reply | None = None) -> Answered:
        """Record a turn that failed: the error, the reply, and what was found and spent until then."""
        log = question.log
        code = error.code if isinstance(error, LLMError) else LLMErrorCode.UNAVAILABLE
        outcome = replace(self._unanswered(log), max_iterations_reached=code is LLMErrorCode.ITERATION_LIMIT)
        failed = TurnFailedEvent(code=code)
        try:
            return replace(await self._ended(question, outcome, log.found, failed, reply), error=error)
        except BookError as gone:
            log.take(failed)
            page = question.position
            return Answered(question=question, outcome=outcome, written_for=page, current_page=page, error=gone)

    async def stop(self, question: Question, reply: Reply) -> Answered:
        """Record a turn that was stopped: its question is removed, and only what it took is kept."""
        return await self._ended(question, replace(self._unanswered(question.log), nobody_asked=True), (), None, reply)

    def current_page(self, state: ThreadState) -> Position:
        """Return the last page that everyone who sees a thread has read."""
        return state.standing.public(self._clock.now())

    def _unanswered(self, log: TurnLog) -> TurnOutcome:
        """Return the outcome of a turn without an answer: what was found and spent."""
        return TurnOutcome(
            text="",
            sources=tuple(log.sources.values()),
            iterations=log.calls,
            retrieval_attempts=log.searches,
            provider=self._provider.name if self._provider else "none",
            model=log.model or (self._provider.model if self._provider else "") or None,
        )

    async def _ended(
        self,
        question: Question,
        outcome: TurnOutcome,
        messages: Sequence[ChatMessage],
        event: TurnAnsweredEvent | TurnFailedEvent | None,
        reply: Reply | None,
    ) -> Answered:
        """Record the end of a turn, then send its event. If another process has taken over the turn, that one does."""
        log, position = question.log, question.position
        outcome = replace(
            outcome,
            usage=log.usage,
            blocks=dict(log.blocks),
            guardrail_score=log.guardrail_score,
            guardrail_reasoning=log.guardrail_reasoning,
        )
        end = TurnEnd(
            outcome=outcome,
            messages=(question.said, *(replace(each, position=position) for each in messages)) if event else (),
            steps=(*log.steps, *_verdict_steps(outcome)),
            error_code=event.code if isinstance(event, TurnFailedEvent) else None,
            cost=cost_of_calls(log.of_models, outcome.model, self._price),
            duration_ms=log.duration_ms,
            ref=question.message.ref,
            heard_by=question.message.heard_by,
            reply=reply,
        )
        answered = Answered(
            question=question, outcome=outcome, written_for=position, current_page=position, reply=reply
        )
        if question.turn is None:
            return answered
        try:
            current_page = await self._record.end(question.turn, end, now=self._clock.now())
        except TakenOverError:
            return answered
        if event is not None:
            log.take(event)
        return answered if question.message.page is not None else replace(answered, current_page=current_page)

    async def _question(
        self, message: IncomingMessage, book: Book, position: Position, on_event: EventSink | None
    ) -> Question:
        await ready()
        reveals_page = await self._guard.revealed_page(message.text, book=book, position=position)
        log = TurnLog(on_event=on_event)
        log.take(TurnBegunEvent(asked=message.text if reveals_page is None else ""))
        return Question(
            message=message,
            book=book,
            position=position,
            author=await self._safe_author(message.speaker, book, position),
            search=TurnSearch(self._search, book, position),
            query=message.text,
            deadline=self._limits.deadline(),
            log=log,
            outline=BookOutline(pages=book.pages),
            reveals_page=reveals_page,
        )

    async def _safe_author(self, author: Author, book: Book, position: Position) -> Author:
        """Return the author with a name that others may see; a nickname that spoils unread pages is replaced.

        Authors on this machine keep the name that the program gave them.
        """
        if not author.display_name or author.member_id.startswith(f"{LOCAL_SCOPE}:"):
            return author
        name = await name_for_others(author.display_name, self._guard, book=book, position=position)
        return replace(author, display_name=name)


def _with_record(question: Question, begun: BegunTurn) -> Question:
    window = question.message.window
    history = begun.history if window is None else latest_turns([*begun.history, question.said], window)[:-1]
    return replace(
        with_history(question, history),
        outline=replace(question.outline, labels=begun.labels, works=begun.book.works),
        chapters=begun.chapters,
        conversation=begun.conversation,
        turn=begun.turn,
    )


def settled(question: Question) -> Answered | None:
    """Return the earlier result of a message that is delivered again; None if its turn has not ended."""
    turn = question.turn
    if turn is None or turn.status not in SETTLED:
        return None
    return Answered(
        question=question,
        outcome=TurnOutcome(text=turn.agent_response or "", nobody_asked=turn.status is not TurnStatus.ANSWERED),
        written_for=turn.position,
        current_page=question.position,
    )


def _verdict_steps(outcome: TurnOutcome) -> list[str]:
    """Return the step that lists the verdict on each sentence of a posted draft; empty without verdicts."""
    return [f"{outcome.iterations}: {JUDGED} {' '.join(outcome.verdicts)}"] if outcome.verdicts else []


def _revealed_page(outcome: TurnOutcome) -> int | None:
    """Return the highest page that an answer may reveal: of its sources, and for a draft of all tool results."""
    pages = [source.end_page for source in outcome.sources]
    shown = [] if outcome.quotes_only else [m.reveals_page for m in outcome.messages if m.reveals_page is not None]
    return max([*pages, *shown], default=None)
