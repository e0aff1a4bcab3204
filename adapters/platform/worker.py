"""A process that answers questions which another process received: it claims them, in order per thread."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Generic

from adapters.platform.intake.items import InboxItem, MessageT
from adapters.platform.platform_app import PlatformApp
from adapters.platform.retry import has_lease
from adapters.platform.running_tasks import TaskSet
from adapters.platform.surface import OutOfReachError
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.domain.pauses import doubling
from core.ports.work import WorkQueue

_log = logging.getLogger(__name__)

_SHOWING_S: Final = 30.0
_REACTIONS_S: Final = 2.0
_SUSPECT_ATTEMPTS: Final = 2
_FIRST_PAUSE_S: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """Limits of a worker: questions at once, and the length of a lease.

    The worker looks for work when notified and every `look` seconds, and renews its leases as often. What is out of
    reach is tried again after `later`. All times are in seconds.
    """

    at_once: int = 16
    lease: float = 20.0
    look: float = 1.0
    later: float = 60.0


class Worker(Generic[MessageT]):
    """Answers on one platform what the listening process received, until it is told to finish.

    Args:
        platform: the platform's name in the inbox.
        read: builds a message from its stored payload.
        log_in: logs in while its block runs; the block gets the parts that handle messages.
        work: the queue of questions.
        shift: the worker's limits.
    """

    def __init__(
        self,
        *,
        platform: str,
        read: Callable[[Mapping[str, Any]], MessageT],
        log_in: Callable[[], AbstractAsyncContextManager[PlatformApp[MessageT]]],
        work: WorkQueue,
        shift: Shift = Shift(),
    ) -> None:
        self._platform = platform
        self._read = read
        self._log_in = log_in
        self._work = work
        self._shift = shift
        self._lease = timedelta(seconds=shift.lease)
        self._slots = asyncio.Semaphore(shift.at_once)
        self._running = TaskSet()
        self._turn_ended = asyncio.Event()
        self._is_stopping = False
        self._finished = asyncio.Event()
        self._claimed_at: float | None = None
        self._app: PlatformApp[MessageT] | None = None

    def is_there(self) -> bool:
        """Whether the worker is logged in and looks for work."""
        return self._app is not None

    def silent_for(self) -> float | None:
        """Return the seconds since the last claim; None if nothing was ever claimed."""
        return None if self._claimed_at is None else time.monotonic() - self._claimed_at

    def under_way(self) -> int:
        """Return the number of questions being answered here."""
        return len(self._running)

    async def attempt(self) -> None:
        """Log in and work until cancelled, or until `finish` has ended: running answers need the login.

        Raises:
            SettingsError: the token is wrong.
        """
        async with self._log_in() as app:
            self._app = app
            try:
                await self._run(app)
            finally:
                self._app = None

    async def _run(self, app: PlatformApp[MessageT]) -> None:
        while not self._is_stopping:
            await self._slots.acquire()
            claiming = time.monotonic()
            event = None
            try:
                event = await self._claimed(app.services.bot())
            finally:
                if event is None:
                    self._slots.release()
            if event is None:
                await self._work_may_be_available()
                continue
            self._claimed_at = time.monotonic()
            self._running.begin(self._deal_with(event, app, since=claiming)).add_done_callback(self._ended)
        await self._finished.wait()

    async def finish(self, *, within: float) -> None:
        """Claim nothing more, and let running answers end for `within` seconds; the rest is given back to the queue."""
        self._is_stopping = True
        await self._running.finish(within=within)
        if self._app is not None:
            await self._app.reactions.tasks.finish(within=_REACTIONS_S)
        self._finished.set()

    async def _claimed(self, bot: str) -> InboundEvent | None:
        if self._is_stopping:
            return None
        try:
            return await self._work.claim(self._platform, bot=bot, lease=self._lease)
        except StorageError as error:
            _log.warning("Questions can't be claimed now: %s", error)
            return None

    async def _work_may_be_available(self) -> None:
        """Wait for a new question, or for the end of a turn here, which may free its thread's next question."""
        self._turn_ended.clear()
        waiting = [
            asyncio.create_task(self._work.came(within=self._shift.look)),
            asyncio.create_task(self._turn_ended.wait()),
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    def _ended(self, _: object) -> None:
        self._turn_ended.set()
        self._slots.release()

    async def _deal_with(self, event: InboundEvent, app: PlatformApp[MessageT], *, since: float) -> None:
        try:
            item = self._item(event)
        except Exception:  # noqa: BLE001 (it would fail again)
            _log.exception("The stored message %s cannot be read; giving it up.", event.message_id)
            await app.services.inbox.finish(event)
            return
        item.leased_until = since + self._shift.lease
        has_lease.set(lambda: time.monotonic() < item.leased_until)
        renewing = asyncio.create_task(self._keep_lease(event, item))
        try:
            await self._answer_with_retries(event, item, app)
        except asyncio.CancelledError:
            await self._work.give_back(event, after=timedelta())
            raise
        except Exception:  # noqa: BLE001 (the lease expires and another worker tries)
            _log.exception("%s could not be answered.", item.said.ref)
        finally:
            renewing.cancel()

    async def _answer_with_retries(
        self, event: InboundEvent, item: InboxItem[MessageT], app: PlatformApp[MessageT]
    ) -> None:
        """Answer and note that as done; retry while the store can't be used, which doesn't count as an attempt."""
        pauses = doubling(_FIRST_PAUSE_S, longest=self._shift.later)
        while not item.is_lost:
            try:
                is_done = await self._answer(event, item, app)
                if is_done and not item.is_lost:
                    await app.services.inbox.finish(event)
                elif not is_done:
                    await self._work.give_back(event, after=timedelta(seconds=self._shift.later))
            except StorageError as error:
                _log.warning("%s can't be answered now: %s", item.said.ref, error)
            else:
                return
            item.again = True
            await asyncio.sleep(next(pauses))

    def _item(self, event: InboundEvent) -> InboxItem[MessageT]:
        item = InboxItem.left_by(event, self._read(event.payload))
        item.again = item.is_left = bool(event.attempts) or event.reply is not None
        item.is_suspect = event.attempts >= _SUSPECT_ATTEMPTS and event.reply is None
        item.check = lambda: self._check(event, item)
        return item

    async def _answer(self, event: InboundEvent, item: InboxItem[MessageT], app: PlatformApp[MessageT]) -> bool:
        """Answer; return False if the platform can't be reached."""
        if event.asked is None:
            return True
        try:
            pending = await app.conversations.decided(item, event.asked)
        except OutOfReachError as error:
            _log.warning("%s can't be handled now: %s", item.said.ref, error)
            return False
        if pending is None:
            return True
        exclusive = app.services.exclusive
        async with exclusive.alone() if item.is_suspect else exclusive.beside_others():
            is_done = await app.conversations.execute(pending)
        if is_done:
            await pending.reactions.settled(within=_SHOWING_S)
        return is_done

    async def _keep_lease(self, event: InboundEvent, item: InboxItem[MessageT]) -> None:
        """Keep renewing the lease, as often as the worker looks: a stop must be noticed soon, as well as a failure."""
        pause = min(self._shift.look, self._shift.lease / 3)
        while not item.is_lost:
            await asyncio.sleep(pause)
            try:
                await self._check(event, item)
            except StorageError as error:
                _log.warning("The lease on %s could not be renewed: %s", item.said.ref, error)

    async def _check(self, event: InboundEvent, item: InboxItem[MessageT]) -> None:
        """Renew the lease; mark the item as lost if another worker has it or it was dropped.

        Raises:
            StorageError: it is unknown who holds the lease.
        """
        since = time.monotonic()
        if await self._work.renew(event, lease=self._lease):
            item.leased_until = since + self._shift.lease
        else:
            item.is_lost = item.is_emptied = True
            if self._app is not None:
                self._app.services.answer_message.running.drop(item.said.ref)
