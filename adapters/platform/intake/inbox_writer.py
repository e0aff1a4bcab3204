"""Puts what members say into the inbox, one after another, and knows up to where nothing is missing."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Generic

from adapters.platform.intake.arrivals import Arrival, Form, MessageT
from adapters.platform.intake.watermark import Watermark
from core.domain.errors import StorageError
from core.ports.inbox import Inbox

_log = logging.getLogger(__name__)

_MOST_ARRIVALS: Final = 2_000
_STORING_S: Final = 3.0
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 2.0
_MOST_TRIES: Final = 5

WhenKept = Callable[[Arrival[MessageT]], None]


class InboxWriter(Generic[MessageT]):
    """Keeps arrivals in the order in which they are put; `take` gets each new one, `drop` all others.

    `alive` says up to which order nothing is missing, in any place.
    """

    def __init__(
        self, form: Form[MessageT], inbox: Inbox, *, take: WhenKept[MessageT], drop: WhenKept[MessageT]
    ) -> None:
        self._form = form
        self._inbox = inbox
        self._take = take
        self._drop = drop
        self._arrivals: asyncio.Queue[Arrival[MessageT]] = asyncio.Queue(_MOST_ARRIVALS)
        self._latest: dict[str, int] = {}
        self.alive = Watermark(inbox, form.platform)
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    async def start(self) -> None:
        """Look where an earlier process stopped, and begin."""
        latest = await self._inbox.latest_message_ids(self._form.platform)
        self._latest = {place: self._form.order_of(message_id) for place, message_id in latest.items()}
        await self.alive.start(otherwise=min(self._latest.values(), default=0), now=self._form.now())
        self._tasks = (
            asyncio.create_task(self._store()),
            asyncio.create_task(self.alive.keep_noting(self._arrivals.join)),
        )

    def latest(self) -> dict[str, int]:
        """Return for each place the order of the last that was heard there, the place with the very last first."""
        return dict(sorted(self._latest.items(), key=lambda one: one[1], reverse=True))

    def put(self, arrival: Arrival[MessageT]) -> bool:
        """Take an arrival; False where too many of them wait, so that it is left for the next start."""
        if self._arrivals.full():
            self.alive.lost(arrival.said.order)
            return False
        self._arrivals.put_nowait(arrival)
        return True

    async def keep(self, said: MessageT) -> bool:
        """Keep a message; False where it is known already."""
        event = said.event
        self._latest[event.place] = max(self._latest.get(event.place, 0), said.order)
        is_new = await self._inbox.take_in(event)
        self.alive.kept(said.order)
        return is_new

    async def all_kept(self) -> None:
        """Wait until everything that was put is kept."""
        await self._arrivals.join()

    async def finish(self) -> None:
        """Keep what was put, within a few seconds, and note how far that is."""
        if not self._tasks:
            return
        store, noting = self._tasks
        noting.cancel()
        storing = asyncio.create_task(self._arrivals.join())
        await asyncio.wait([storing, store], timeout=_STORING_S, return_when=asyncio.FIRST_COMPLETED)
        storing.cancel()
        store.cancel()
        await asyncio.gather(store, storing, noting, return_exceptions=True)
        if self._arrivals.empty():
            await self.alive.note(self._arrivals.join)

    async def _kept(self, said: MessageT) -> bool:
        """Keep a message as soon as the store is there again: what comes after it waits, so that the order stays.

        Where the store is there and does not take the message, it is the message: that is given up in the end.
        """
        pause, tries = _FIRST_PAUSE_S, 1
        while True:
            try:
                return await self.keep(said)
            except StorageError as error:
                if tries >= _MOST_TRIES:
                    raise
                _log.warning("%s cannot be kept just now: %s", said.ref, error)
                tries += await self._is_store_there()
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _is_store_there(self) -> bool:
        try:
            await self._inbox.last_alive(self._form.platform)
        except StorageError:
            return False
        return True

    async def _store(self) -> None:
        while True:
            arrival = await self._arrivals.get()
            try:
                is_new = await self._kept(arrival.said)
                if is_new:
                    self._take(arrival)
                else:
                    self._drop(arrival)
            except asyncio.CancelledError:
                self.alive.lost(arrival.said.order)
                arrival.is_lost = True
                raise
            except Exception:  # noqa: BLE001 (one message that cannot be kept holds up no other)
                _log.exception("A message could not be kept: %s", arrival.said.ref)
                self.alive.lost(arrival.said.order)
                arrival.is_lost = True
                self._drop(arrival)
            finally:
                arrival.is_settled.set()
                self._arrivals.task_done()
