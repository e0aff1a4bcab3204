"""Deals with the inbox's items: decides about each in order, and answers it when it is its thread's turn."""

import asyncio
import logging
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Final, Generic

from cachetools import FIFOCache

from adapters.platform.intake.items import InboxItem, ItemAnswering, MessageCodec, MessageT, PendingAnswer
from adapters.platform.running_tasks import Queues, TaskSet
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


class TurnScheduler(Generic[MessageT]):
    """Deals with items until they are done; `at_work` are those that nobody else may take up.

    What cannot be dealt with is taken up again after `later` seconds, and its thread waits for it. What is posted is
    not posted again, whatever happens: that it is done is noted by `finish_with_next`, for which it waits at work.
    `passed_over` are the latest that asked the bot nothing.
    """

    def __init__(
        self,
        codec: MessageCodec[MessageT],
        services: PlatformServices,
        answering: ItemAnswering[MessageT],
        *,
        later: float,
        finish_with_next: Callable[[InboxItem[MessageT]], None],
    ) -> None:
        self._codec = codec
        self._inbox = services.inbox
        self._hear_message = services.addressing
        self._exclusive = services.exclusive
        self._work = services.work
        self._bot = services.bot
        self._answering = answering
        self._later_s = later
        self._finish_with_next = finish_with_next
        self._decisions = Queues(self._decide, at_once=_DECISIONS_AT_ONCE, longest=_MOST_UNDECIDED)
        self._pending = Queues(self._take_turn, at_once=services.turns_at_once)
        self._ending = TaskSet()
        self.at_work: dict[str, InboxItem[MessageT]] = {}
        self.passed_over: FIFOCache[str, bool] = FIFOCache(maxsize=_MOST_PASSED_OVER)

    def put(self, item: InboxItem[MessageT]) -> None:
        """Deal with an item; where its thread has too many, the next look at what was left takes it up."""
        key = self._codec.key_of(item.said)
        if self._decisions.is_full(key):
            _log.error("Too much is said at once in %s; some of it is left for later.", key)
            self.at_work.pop(item.said.ref, None)
            return
        self._decisions.put(key, item)

    def is_full(self, said: MessageT) -> bool:
        """Whether the thread of a message takes no more."""
        return self._decisions.is_full(self._codec.key_of(said))

    async def has_room(self, said: MessageT) -> None:
        """Wait until the thread of a message takes more."""
        await self._decisions.has_room(self._codec.key_of(said))

    def go_on(self, item: InboxItem[MessageT]) -> None:
        """Put it off no longer."""
        key = self._codec.key_of(item.said)
        self._decisions.go_on(key)
        self._pending.go_on(key)

    async def idle(self) -> None:
        """Wait until nothing is left to do but what was put off."""
        await self._decisions.idle()
        await self._pending.idle()
        await self._ending.idle()

    async def finish(self, *, until: float) -> None:
        """Begin nothing new, and let what is under way end, until then by the loop's clock; the rest is put back."""
        now = asyncio.get_running_loop().time
        await self._decisions.finish(within=max(0.0, min(until - now(), _DECIDING_S)))
        await self._pending.finish(within=max(0.0, until - now()))
        await self._ending.finish(within=max(0.0, until - now()))
        # What a stop has cut off did not end the process.
        for item in self.at_work.values():
            if item.is_cut_off:
                await self._inbox.put_back(item.said.event)

    async def _decide(self, item: InboxItem[MessageT]) -> float | None:
        """Decide about a message; returns when to do so again, where that cannot be done now."""
        said = item.said
        try:
            pending = await self._decided(item)
        except _PutOffError as put_off:
            return put_off.seconds
        if pending is None and item.said is not said:  # an edit came meanwhile, and may have made a question of it
            return await self._decide(item)
        key, lane = self._codec.key_of(item.said), self._codec.lane_of(item.said)
        if pending is None:
            self.passed_over[item.said.ref] = True
            await self._done(item)
        elif pending.is_short:
            # What is asked after it waits for it; it waits for no answer that is under way.
            return await self._answer(pending)
        elif self._work is not None and not item.said.files:
            return await self._offer(item, key, pending.asked, self._work)
        elif self._pending.put(key, pending, lane=lane):
            pending.reactions.waits()
        return None

    async def _offer(self, item: InboxItem[MessageT], key: Hashable, asked: AskedAs, work: WorkQueue) -> float | None:
        """Let any process answer; what happened to the message since is told to that process."""
        said = item.said
        try:
            event = replace(said.event, bot=self._bot())
            await work.offer(event, thread=str(key), order=said.order, asked=asked)
            if item.is_dropped or item.is_changed:
                text = None if item.is_dropped else item.said.text
                await work.amend(said.ref, bot=self._bot(), text=text)
        except StorageError as error:
            _log.warning("%s could not be offered: %s", said.ref, error)
            return self._pause(item)
        self.at_work.pop(said.ref, None)
        return None

    async def _decided(self, item: InboxItem[MessageT]) -> PendingAnswer[MessageT] | None:
        """Return what becomes of a message. Raises _PutOffError where nothing can be done about it now."""
        try:
            return None if item.is_dropped else await self._answering.decide(item)
        except OutOfReachError as error:
            _log.warning("Nothing can be done about %s now: %s", item.said.ref, error)
            item.again = True
            raise _PutOffError(self._later_s) from error
        except StorageError as error:
            _log.warning("Nothing can be done about %s now: %s", item.said.ref, error)
            raise _PutOffError(self._pause(item)) from error
        except Exception:  # noqa: BLE001 (it would be so again)
            _log.exception("Nothing can be done about %s.", item.said.ref)
        return None

    def _pause(self, item: InboxItem[MessageT]) -> float:
        """Return for how many seconds to leave a message which the store was of no use for: longer each time."""
        pause = min(_FIRST_PAUSE_S * float(2 ** min(item.tries, _MOST_DOUBLINGS)), self._later_s)
        item.tries += 1
        item.again = True
        return pause

    async def _take_turn(self, pending: PendingAnswer[MessageT]) -> float | None:
        """Answer a message that was decided about, and is again where it was put off: it may be gone by now."""
        now: PendingAnswer[MessageT] | None = pending
        if pending.item.is_put_off:
            try:
                now = await self._decided(pending.item)
            except _PutOffError as put_off:
                return put_off.seconds
        if now is None:
            await self._done(pending.item)
            return None
        return await self._answer(now)

    async def _answer(self, pending: PendingAnswer[MessageT]) -> float | None:
        """Answer; returns when to do so again, where the platform is out of reach."""
        item = pending.item
        try:
            if item.is_dropped:
                pending.reactions.nothing()
            is_done = item.is_dropped or await self._execute(pending)
        except StorageError as error:
            _log.warning("No answer to %s for now: %s", item.said.ref, error)
            item.is_put_off = True
            return self._pause(item)
        except Exception:  # noqa: BLE001 (it would be so again)
            _log.exception("No answer to %s.", item.said.ref)
            pending.reactions.failed()
            is_done = True
        if not is_done:
            item.again = item.is_put_off = True
            return self._later_s
        self._ending.begin(self._shown(pending))
        return None

    async def _execute(self, pending: PendingAnswer[MessageT]) -> bool:
        """Answer, beside others; what a process may have died of has this one to itself, so that it is then certain."""
        item, exclusive = pending.item, self._exclusive
        async with exclusive.alone() if item.is_suspect else exclusive.beside_others():
            try:
                return await self._answering.execute(pending)
            except asyncio.CancelledError:
                item.is_cut_off = True
                raise

    async def _shown(self, pending: PendingAnswer[MessageT]) -> None:
        """Note that all is done when it is also seen to be, which the next in the thread does not wait for."""
        await pending.reactions.settled(within=_SHOWING_S)
        await self._done(pending.item)

    async def _done(self, item: InboxItem[MessageT]) -> None:
        ref = item.said.ref
        # In neither case it is off the desk sooner: who looks for what was left would take it up again.
        if item.is_posted:
            self._finish_with_next(item)
        else:
            try:
                await self._inbox.finish(item.said.event)
            finally:
                if self.at_work.get(ref) is item:  # an edit may have begun it again
                    del self.at_work[ref]
        # What happened to the message during its turn may have come before there was a row to change.
        if item.is_deleted:
            await self._hear_message.deleted(ref)
        elif item.is_changed:
            await self._hear_message.edited(ref, item.said.text)
