"""A process that answers what another one has heard: it claims questions, a thread's in order, and posts answers."""

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
_LAST_WORDS_S: Final = 2.0
_DIED_TWICE: Final = 2
_FIRST_PAUSE_S: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How a worker works: so many questions at once, each leased for a while that is renewed three times over.

    It looks for work when it hears of some, and every `look` seconds; what is out of reach is tried again `later`.
    Times are in seconds.
    """

    at_once: int = 16
    lease: float = 20.0
    look: float = 1.0
    later: float = 60.0


class Worker(Generic[MessageT]):
    """Answers on one platform what the process that listens has heard, until it is told to finish.

    Args:
        platform: under which name its messages are kept.
        read: reads one back.
        log_in: logs in while its block runs; the block gets what is done with messages.
        work: what is to be done.
        shift: how much at once, and how long.
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
        self._went_on = asyncio.Event()
        self._is_stopping = False
        self._finished = asyncio.Event()
        self._claimed_at: float | None = None
        self._app: PlatformApp[MessageT] | None = None

    def is_there(self) -> bool:
        """Whether the platform has let the bot in, and it looks for work."""
        return self._app is not None

    def silent_for(self) -> float | None:
        """Return for how many seconds nothing was claimed; None where nothing ever was."""
        return None if self._claimed_at is None else time.monotonic() - self._claimed_at

    def under_way(self) -> int:
        """Return how many questions are being answered here."""
        return len(self._running)

    async def attempt(self) -> None:
        """Log in, and work until cancelled, or told to finish and finished: till then answers need the login.

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
                await self._something_came()
                continue
            self._claimed_at = time.monotonic()
            self._running.begin(self._deal_with(event, app, since=claiming)).add_done_callback(self._ended)
        await self._finished.wait()

    async def finish(self, *, within: float) -> None:
        """Claim nothing more, and let what is under way end, for so many seconds; the rest is given back."""
        self._is_stopping = True
        await self._running.finish(within=within)
        if self._app is not None:
            await self._app.reactions.tasks.finish(within=_LAST_WORDS_S)
        self._finished.set()

    async def _claimed(self, bot: str) -> InboundEvent | None:
        if self._is_stopping:
            return None
        try:
            return await self._work.claim(self._platform, bot=bot, lease=self._lease)
        except StorageError as error:
            _log.warning("Nothing can be claimed just now: %s", error)
            return None

    async def _something_came(self) -> None:
        """Wait for an offer, or for the end of a turn here, after which its thread's next one may be claimed."""
        self._went_on.clear()
        waiting = [
            asyncio.create_task(self._work.came(within=self._shift.look)),
            asyncio.create_task(self._went_on.wait()),
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    def _ended(self, _: object) -> None:
        self._went_on.set()
        self._slots.release()

    async def _deal_with(self, event: InboundEvent, app: PlatformApp[MessageT], *, since: float) -> None:
        try:
            item = self._item(event)
        except Exception:  # noqa: BLE001 (it would be so again)
            _log.exception("What was left of %s cannot be read, and is given up.", event.message_id)
            await app.services.inbox.finish(event)
            return
        item.leased_until = since + self._shift.lease
        has_lease.set(lambda: time.monotonic() < item.leased_until)
        renewing = asyncio.create_task(self._keep(event, item))
        try:
            await self._work_off(event, item, app)
        except asyncio.CancelledError:
            await self._work.give_back(event, after=timedelta())
            raise
        except Exception:  # noqa: BLE001 (its lease runs out, and another worker takes it up)
            _log.exception("No answer to %s.", item.said.ref)
        finally:
            renewing.cancel()

    async def _work_off(self, event: InboundEvent, item: InboxItem[MessageT], app: PlatformApp[MessageT]) -> None:
        """Answer, as soon as the store is of use, and note that: until then it is kept here, and blamed for nothing."""
        pauses = doubling(_FIRST_PAUSE_S, longest=self._shift.later)
        while not item.is_lost:
            try:
                is_done = await self._answer(event, item, app)
                if is_done and not item.is_lost:
                    await app.services.inbox.finish(event)
                elif not is_done:
                    await self._work.give_back(event, after=timedelta(seconds=self._shift.later))
            except StorageError as error:
                _log.warning("No answer to %s for now: %s", item.said.ref, error)
            else:
                return
            item.again = True
            await asyncio.sleep(next(pauses))

    def _item(self, event: InboundEvent) -> InboxItem[MessageT]:
        item = InboxItem.left_by(event, self._read(event.payload))
        item.again = item.is_left = bool(event.attempts) or event.reply is not None
        item.is_suspect = event.attempts >= _DIED_TWICE and event.reply is None
        item.check = lambda: self._check(event, item)
        return item

    async def _answer(self, event: InboundEvent, item: InboxItem[MessageT], app: PlatformApp[MessageT]) -> bool:
        """Answer; False where the platform is out of reach."""
        if event.asked is None:
            return True
        try:
            pending = await app.conversations.decided(item, event.asked)
        except OutOfReachError as error:
            _log.warning("Nothing can be done about %s now: %s", item.said.ref, error)
            return False
        if pending is None:
            return True
        exclusive = app.services.exclusive
        async with exclusive.alone() if item.is_suspect else exclusive.beside_others():
            is_done = await app.conversations.execute(pending)
        if is_done:
            await pending.reactions.settled(within=_SHOWING_S)
        return is_done

    async def _keep(self, event: InboundEvent, item: InboxItem[MessageT]) -> None:
        """Renew the lease again and again; sooner where the store was of no use."""
        pause = self._shift.lease / 3
        while not item.is_lost:
            await asyncio.sleep(pause)
            try:
                await self._check(event, item)
                pause = self._shift.lease / 3
            except StorageError as error:
                _log.warning("The lease on %s could not be renewed: %s", item.said.ref, error)
                pause = min(_FIRST_PAUSE_S, self._shift.lease / 3)

    async def _check(self, event: InboundEvent, item: InboxItem[MessageT]) -> None:
        """Renew the lease; what is another's by now, or was dropped, is not posted here.

        Raises:
            StorageError: nobody knows whose it is.
        """
        since = time.monotonic()
        if await self._work.renew(event, lease=self._lease):
            item.leased_until = since + self._shift.lease
        else:
            item.is_lost = item.is_emptied = True
