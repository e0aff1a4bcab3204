"""Where arrivals are dealt with: decided about in order, and answered in their thread's turn."""

import asyncio
import logging
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Final, Generic

from cachetools import FIFOCache

from adapters.platform.intake.arrivals import Answering, Arrival, Form, MessageT, PendingAnswer
from adapters.platform.intake.queues import Queues
from adapters.platform.services import PlatformServices
from adapters.platform.surface import OutOfReachError
from core.domain.conversation import AskedAs
from core.domain.errors import StorageError
from core.ports.work import WorkQueue

_log = logging.getLogger(__name__)

_DECISIONS_AT_ONCE: Final = 16
_MOST_UNDECIDED: Final = 500
_DECIDING_S: Final = 2.0
_MOST_DOUBLINGS: Final = 10
_FIRST_PAUSE_S: Final = 1.0
_SHOWING_S: Final = 30.0
_MOST_PASSED_OVER: Final = 2_000


class _PutOffError(Exception):
    """Nothing can be done about a message now, nor for so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Desk(Generic[MessageT]):
    """Deals with arrivals until they are done; `at_work` are those that nobody else may take up.

    What cannot be dealt with is taken up again after `later` seconds, and its thread waits for it. What is posted is
    not posted again, whatever happens: that it is done is noted by `finish_with_next`, for which it waits at work.
    `passed_over` are the latest that asked the bot nothing.
    """

    def __init__(
        self,
        form: Form[MessageT],
        services: PlatformServices,
        answering: Answering[MessageT],
        *,
        later: float,
        finish_with_next: Callable[[Arrival[MessageT]], None],
    ) -> None:
        self._form = form
        self._inbox = services.inbox
        self._hear_message = services.hear_message
        self._solitude = services.solitude
        self._work = services.work
        self._bot = services.bot
        self._answering = answering
        self._later_s = later
        self._finish_with_next = finish_with_next
        self._decisions = Queues(self._decide, at_once=_DECISIONS_AT_ONCE, longest=_MOST_UNDECIDED)
        self._pending = Queues(self._take_turn, at_once=services.turns_at_once)
        self._ending: set[asyncio.Task[None]] = set()
        self.at_work: dict[str, Arrival[MessageT]] = {}
        self.passed_over: FIFOCache[str, bool] = FIFOCache(maxsize=_MOST_PASSED_OVER)

    def put(self, arrival: Arrival[MessageT]) -> None:
        """Deal with an arrival; where its thread has too many, it is left to whoever looks for what was left."""
        key = self._form.key_of(arrival.said)
        if self._decisions.is_full(key):
            _log.error("Too much is said at once in %s; some of it is left for later.", key)
            self.at_work.pop(arrival.said.ref, None)
            return
        self._decisions.put(key, arrival)

    def is_full(self, said: MessageT) -> bool:
        """Whether the thread of a message takes no more."""
        return self._decisions.is_full(self._form.key_of(said))

    async def has_room(self, said: MessageT) -> None:
        """Wait until the thread of a message takes more."""
        await self._decisions.has_room(self._form.key_of(said))

    def go_on(self, arrival: Arrival[MessageT]) -> None:
        """Put it off no longer."""
        key = self._form.key_of(arrival.said)
        self._decisions.go_on(key)
        self._pending.go_on(key)

    async def idle(self) -> None:
        """Wait until nothing is left to do but what was put off."""
        await self._decisions.idle()
        await self._pending.idle()
        while self._ending:
            await asyncio.wait(self._ending)

    async def finish(self, *, until: float) -> None:
        """Begin nothing new, and let what is under way end, until then by the loop's clock; the rest is put back."""
        now = asyncio.get_running_loop().time
        await self._decisions.finish(within=max(0.0, min(until - now(), _DECIDING_S)))
        await self._pending.finish(within=max(0.0, until - now()))
        if self._ending:
            await asyncio.wait(self._ending, timeout=max(0.0, until - now()))
        for task in self._ending:
            task.cancel()
        await asyncio.gather(*self._ending, return_exceptions=True)
        await self._put_back()

    async def _decide(self, arrival: Arrival[MessageT]) -> float | None:
        """Decide about a message; returns when to do so again, where that cannot be done now."""
        try:
            pending = await self._decided(arrival)
        except _PutOffError as put_off:
            return put_off.seconds
        key, lane = self._form.key_of(arrival.said), self._form.lane_of(arrival.said)
        if pending is None:
            self.passed_over[arrival.said.ref] = True
            await self._done(arrival)
        elif pending.is_short:
            # What is asked after it waits for it; it waits for no answer that is under way.
            return await self._answer(pending)
        elif self._work is not None and not arrival.said.files:
            return await self._offer(arrival, key, pending.asked, self._work)
        elif self._pending.put(key, pending, lane=lane):
            pending.reactions.waits()
        return None

    async def _offer(self, arrival: Arrival[MessageT], key: Hashable, asked: AskedAs, work: WorkQueue) -> float | None:
        """Let any process answer; what happened to the message meanwhile is told to whoever does."""
        said = arrival.said
        try:
            event = replace(said.event, bot=self._bot())
            await work.offer(event, thread=str(key), order=said.order, asked=asked)
            if arrival.is_dropped or arrival.is_changed:
                text = None if arrival.is_dropped else arrival.said.text
                await work.amend(said.ref, bot=self._bot(), text=text)
        except StorageError as error:
            _log.warning("%s could not be offered: %s", said.ref, error)
            return self._pause(arrival)
        self.at_work.pop(said.ref, None)
        return None

    async def _decided(self, arrival: Arrival[MessageT]) -> PendingAnswer[MessageT] | None:
        """Return what becomes of a message. Raises _PutOffError where nothing can be done about it now."""
        try:
            return None if arrival.is_dropped else await self._answering.decide(arrival)
        except OutOfReachError as error:
            _log.warning("Nothing can be done about %s now: %s", arrival.said.ref, error)
            arrival.again = True
            raise _PutOffError(self._later_s) from error
        except StorageError as error:
            _log.warning("Nothing can be done about %s now: %s", arrival.said.ref, error)
            raise _PutOffError(self._pause(arrival)) from error
        except Exception:  # noqa: BLE001 (it would be so again)
            _log.exception("Nothing can be done about %s.", arrival.said.ref)
        return None

    def _pause(self, arrival: Arrival[MessageT]) -> float:
        """Return for how many seconds to leave a message which the store was of no use for: longer each time."""
        pause = min(_FIRST_PAUSE_S * float(2 ** min(arrival.tries, _MOST_DOUBLINGS)), self._later_s)
        arrival.tries += 1
        arrival.again = True
        return pause

    async def _take_turn(self, pending: PendingAnswer[MessageT]) -> float | None:
        """Answer a message that was decided about, and is again where it was put off: it may be gone by now."""
        now: PendingAnswer[MessageT] | None = pending
        if pending.arrival.is_put_off:
            try:
                now = await self._decided(pending.arrival)
            except _PutOffError as put_off:
                return put_off.seconds
        if now is None:
            await self._done(pending.arrival)
            return None
        return await self._answer(now)

    async def _answer(self, pending: PendingAnswer[MessageT]) -> float | None:
        """Answer; returns when to do so again, where the platform is out of reach."""
        arrival = pending.arrival
        try:
            if arrival.is_dropped:
                pending.reactions.nothing()
            is_done = arrival.is_dropped or await self._execute(pending)
        except StorageError as error:
            _log.warning("No answer to %s for now: %s", arrival.said.ref, error)
            arrival.is_put_off = True
            return self._pause(arrival)
        except Exception:  # noqa: BLE001 (it would be so again)
            _log.exception("No answer to %s.", arrival.said.ref)
            pending.reactions.failed()
            is_done = True
        if not is_done:
            arrival.again = arrival.is_put_off = True
            return self._later_s
        task = asyncio.create_task(self._shown(pending))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return None

    async def _execute(self, pending: PendingAnswer[MessageT]) -> bool:
        """Answer, beside others; what a process may have died of has this one to itself, so that it is then certain."""
        arrival, solitude = pending.arrival, self._solitude
        async with solitude.alone() if arrival.is_suspect else solitude.beside_others():
            try:
                return await self._answering.execute(pending)
            except asyncio.CancelledError:
                arrival.is_cut_off = True
                raise

    async def _put_back(self) -> None:
        """Note of what a stop has cut off that the process did not end by it."""
        for arrival in self.at_work.values():
            if arrival.is_cut_off:
                await self._inbox.put_back(arrival.said.event)

    async def _shown(self, pending: PendingAnswer[MessageT]) -> None:
        """Note that all is done when it is also seen to be, which the next in the thread does not wait for."""
        await pending.reactions.settled(within=_SHOWING_S)
        await self._done(pending.arrival)

    async def _done(self, arrival: Arrival[MessageT]) -> None:
        ref = arrival.said.ref
        # In neither case it is off the desk sooner: who looks for what was left would take it up again.
        if arrival.is_posted:
            self._finish_with_next(arrival)
        else:
            try:
                await self._inbox.finish(arrival.said.event)
            finally:
                self.at_work.pop(ref, None)
        # What happened to the message during its turn may have come before there was a row to change.
        if arrival.is_deleted:
            await self._hear_message.deleted(ref)
        elif arrival.is_changed:
            await self._hear_message.edited(ref, arrival.said.text)
