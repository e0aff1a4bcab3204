"""Handles the inbox's items: decides about each in order, and answers it when its thread's turn comes."""

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
_REACTIONS_S: Final = 30.0
_MOST_PASSED_OVER: Final = 2_000


class _PutOffError(Exception):
    """A message can't be handled now; try again after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class TurnScheduler(Generic[MessageT]):
    """Handles items until they are done; `at_work` are those that nothing else may handle.

    An item that can't be handled is tried again after `later` seconds, and its thread waits for it. A posted reply is
    never posted again; `finish_with_next` notes the item as finished, and it stays in `at_work` until then.
    `passed_over` holds the latest messages that did not ask the bot.
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
        self._addressing = services.addressing
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
        """Handle an item; if its thread has too many, the next check of the inbox handles it."""
        key = self._codec.key_of(item.said)
        if self._decisions.is_full(key):
            _log.error("Too many messages at once in %s; some are left for later.", key)
            self.at_work.pop(item.said.ref, None)
            return
        self._decisions.put(key, item)

    def is_full(self, said: MessageT) -> bool:
        """Whether the thread of a message takes no more items."""
        return self._decisions.is_full(self._codec.key_of(said))

    async def has_room(self, said: MessageT) -> None:
        """Wait until the thread of a message takes more items."""
        await self._decisions.has_room(self._codec.key_of(said))

    def resume(self, item: InboxItem[MessageT]) -> None:
        """End the pause of an item that was put off."""
        key = self._codec.key_of(item.said)
        self._decisions.resume(key)
        self._pending.resume(key)

    async def idle(self) -> None:
        """Wait until only items that were put off are left."""
        await self._decisions.idle()
        await self._pending.idle()
        await self._ending.idle()

    async def finish(self, *, until: float) -> None:
        """Start nothing new, let running work end until that time of the loop's clock, and put the rest back."""
        now = asyncio.get_running_loop().time
        await self._decisions.finish(within=max(0.0, min(until - now(), _DECIDING_S)))
        await self._pending.finish(within=max(0.0, until - now()))
        await self._ending.finish(within=max(0.0, until - now()))
        # An item that a shutdown interrupted did not crash the process.
        for item in self.at_work.values():
            if item.is_cut_off:
                await self._inbox.put_back(item.said.event)

    async def _decide(self, item: InboxItem[MessageT]) -> float | None:
        """Decide about a message; return the seconds after which to try again, or None."""
        said = item.said
        try:
            pending = await self._decision(item)
        except _PutOffError as put_off:
            return put_off.seconds
        if pending is None and item.said is not said:  # an edit may have made it a question
            return await self._decide(item)
        key, lane = self._codec.key_of(item.said), self._codec.lane_of(item.said)
        if pending is None:
            self.passed_over[item.said.ref] = True
            await self._done(item)
        elif pending.is_short:
            # Later messages of the thread wait for it; it does not wait for running answers.
            return await self._answer(pending)
        elif self._work is not None and not item.said.files:
            return await self._offer(item, key, pending.asked, self._work)
        elif self._pending.put(key, pending, lane=lane):
            pending.reactions.waits()
        return None

    async def _offer(self, item: InboxItem[MessageT], key: Hashable, asked: AskedAs, work: WorkQueue) -> float | None:
        """Offer a question to all workers, with edits made since it was stored."""
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

    async def _decision(self, item: InboxItem[MessageT]) -> PendingAnswer[MessageT] | None:
        """Return the decision about a message. Raises _PutOffError if it can't be made now."""
        try:
            return None if item.is_dropped else await self._answering.decide(item)
        except OutOfReachError as error:
            _log.warning("%s can't be handled now: %s", item.said.ref, error)
            item.again = True
            raise _PutOffError(self._later_s) from error
        except StorageError as error:
            _log.warning("%s can't be handled now: %s", item.said.ref, error)
            raise _PutOffError(self._pause(item)) from error
        except Exception:  # noqa: BLE001 (it would fail again)
            _log.exception("%s could not be handled.", item.said.ref)
        return None

    def _pause(self, item: InboxItem[MessageT]) -> float:
        """Return how many seconds to wait after a failure of the store; longer each time."""
        pause = min(_FIRST_PAUSE_S * float(2 ** min(item.tries, _MOST_DOUBLINGS)), self._later_s)
        item.tries += 1
        item.again = True
        return pause

    async def _take_turn(self, pending: PendingAnswer[MessageT]) -> float | None:
        """Answer a message; one that was put off is decided about again, since it may be gone."""
        now: PendingAnswer[MessageT] | None = pending
        if pending.item.is_put_off:
            try:
                now = await self._decision(pending.item)
            except _PutOffError as put_off:
                return put_off.seconds
        if now is None:
            await self._done(pending.item)
            return None
        return await self._answer(now)

    async def _answer(self, pending: PendingAnswer[MessageT]) -> float | None:
        """Answer; return the seconds after which to try again, or None."""
        item = pending.item
        try:
            if item.is_dropped:
                pending.reactions.nothing()
            is_done = item.is_dropped or await self._execute(pending)
        except StorageError as error:
            _log.warning("%s can't be answered now: %s", item.said.ref, error)
            item.is_put_off = True
            return self._pause(item)
        except Exception:  # noqa: BLE001 (it would fail again)
            _log.exception("%s could not be answered.", item.said.ref)
            pending.reactions.failed()
            is_done = True
        if not is_done:
            item.again = item.is_put_off = True
            return self._later_s
        self._ending.begin(self._finish_when_shown(pending))
        return None

    async def _execute(self, pending: PendingAnswer[MessageT]) -> bool:
        """Answer, concurrently with others; a suspect message runs alone, so that a crash is certainly its fault."""
        item, exclusive = pending.item, self._exclusive
        async with exclusive.alone() if item.is_suspect else exclusive.beside_others():
            try:
                return await self._answering.execute(pending)
            except asyncio.CancelledError:
                item.is_cut_off = True
                raise

    async def _finish_when_shown(self, pending: PendingAnswer[MessageT]) -> None:
        """Finish the item once its reactions are shown; the thread's next item does not wait for that."""
        await pending.reactions.settled(within=_REACTIONS_S)
        await self._done(pending.item)

    async def _done(self, item: InboxItem[MessageT]) -> None:
        ref = item.said.ref
        # Remove it from `at_work` only now: a check of the inbox would otherwise handle it again.
        if item.is_posted:
            self._finish_with_next(item)
        else:
            try:
                await self._inbox.finish(item.said.event)
            finally:
                if self.at_work.get(ref) is item:  # an edit may have started it again
                    del self.at_work[ref]
        # An edit or a deletion during the turn may have come before its row existed.
        if item.is_deleted:
            await self._addressing.deleted(ref)
        elif item.is_changed:
            await self._addressing.edited(ref, item.said.text)
