"""The turns that this process is answering, so that the one who asked, or an organiser, can stop them."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Final, TypeVar

from core.catalogue.sentences import say, sentence
from core.domain.errors import LLMError, LLMErrorCode, NotPermittedError, TurnStoppedError
from core.domain.question import IncomingMessage
from core.domain.thread import Thread

_NOT_YOURS: Final = sentence("Only the one who asked, or an organiser, can stop an answer.")

Result = TypeVar("Result")


@dataclass(slots=True, kw_only=True, eq=False)
class _RunningTurn:
    message: IncomingMessage
    limit: asyncio.Timeout
    is_stopped: bool = False

    def stop(self) -> None:
        """Cancel the work; a call of the model that is under way is given up."""
        self.is_stopped = True
        if not self.limit.expired():
            self.limit.reschedule(asyncio.get_running_loop().time())


class RunningTurns:
    """Runs the work of turns, each until it is done, stopped or out of time."""

    def __init__(self) -> None:
        self._running: list[_RunningTurn] = []

    async def within(self, seconds: float, message: IncomingMessage, work: Awaitable[Result]) -> Result:
        """Return the result of a turn's work.

        Raises:
            TurnStoppedError: somebody has stopped it.
            LLMError: with TIMEOUT when the time is over.
        """
        turn = _RunningTurn(message=message, limit=asyncio.timeout(seconds))
        self._running.append(turn)
        try:
            async with turn.limit:
                return await work
        except TimeoutError:
            if turn.is_stopped:
                raise TurnStoppedError from None
            raise LLMError(LLMErrorCode.TIMEOUT, "the turn's time was over before its answer was judged") from None
        finally:
            self._running.remove(turn)

    def answers(self, thread: Thread, member_id: str) -> bool:
        """Whether a member's question is being answered in a thread."""
        return any(turn.message.author.member_id == member_id for turn in self._of(thread))

    def stop(self, thread: Thread, *, member_id: str, is_organiser: bool) -> bool:
        """Stop a member's turns in a thread, or all of them for an organiser; return False if none is under way.

        Raises:
            NotPermittedError: somebody else has asked.
        """
        running = self._of(thread)
        stopped = [turn for turn in running if is_organiser or turn.message.author.member_id == member_id]
        if running and not stopped:
            raise NotPermittedError(say(_NOT_YOURS))
        for turn in stopped:
            turn.stop()
        return bool(stopped)

    def drop(self, ref: str) -> None:
        """Stop the turn of a platform's message, which another process has stopped or taken over."""
        for turn in self._running:
            if turn.message.ref == ref:
                turn.stop()

    def _of(self, thread: Thread) -> list[_RunningTurn]:
        return [turn for turn in self._running if turn.message.thread.session == thread.session]
