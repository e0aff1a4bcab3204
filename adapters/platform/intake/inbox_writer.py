"""Stores incoming messages in the inbox in order, and tracks the watermark.

The watermark is the point up to which no message is missing; the next start need not look further back.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic

from adapters.platform.intake.items import InboxItem, MessageCodec, MessageT
from core.domain.errors import StorageError
from core.domain.pauses import doubling
from core.ports.inbox import Inbox

_log = logging.getLogger(__name__)

_STORED_EVERY_S: Final = 60.0
_MOST_ITEMS: Final = 2_000
_STORING_S: Final = 3.0
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 2.0

WhenKept = Callable[[InboxItem[MessageT]], None]


class Watermark:
    """The end of the unbroken prefix of stored messages, as an order number; 0 if nothing was ever received.

    Messages after a gap don't advance it until the gap is filled, nor do messages that could not be stored. About once
    a minute the value of a minute ago is stored, so that messages which a platform delivers late don't count as stored.

    Attributes:
        has_all: whether all missed messages are stored.
        gaps: the number of gaps so far; `gap_filled` takes this number.
    """

    def __init__(self, inbox: Inbox, platform: str, *, every: float = _STORED_EVERY_S) -> None:
        self._inbox = inbox
        self._platform = platform
        self._every = every
        self._heard = 0
        self._noted = 0
        self._gap_begins = 0
        self.gaps = 0
        self.has_all = False
        self._lost: set[int] = set()

    @property
    def end(self) -> int:
        """The order up to which all messages are stored, or about to be."""
        if not self.has_all:
            return self._gap_begins
        return min(self._lost, default=self._heard + 1) - 1

    async def start(self, *, otherwise: int, now: int) -> None:
        """Continue where the previous process stopped, or at `otherwise` if it noted nothing.

        If nothing was ever received, `now` is stored at once: the next start looks from there, but this one does not
        fetch messages from before it was installed.

        Raises:
            StorageError: the store can't be used.
        """
        self._noted = int(await self._inbox.last_watermark(self._platform) or 0)
        self._heard = self._gap_begins = self._noted or otherwise
        if not self._heard:
            await self._inbox.note_watermark(self._platform, str(now))
            self._noted = now

    def at(self, order: int) -> None:
        """Note that the bot was connected when something was written, whether or not it concerns the bot."""
        self._heard = max(self._heard, order)

    def lost(self, order: int) -> None:
        """Note that a message could not be stored and must be fetched again."""
        self._lost.add(order)

    def kept(self, order: int) -> None:
        """Note that a message is stored."""
        self._lost.discard(order)

    def gap(self) -> None:
        """Note that messages may be missing from now on; those lost before are fetched with them."""
        self._gap_begins, self.has_all = self.end, False
        self.gaps += 1
        self._lost.clear()

    def gap_filled(self, gaps: int) -> None:
        """Note that the first `gaps` gaps are filled; a later one may have begun since."""
        self.has_all = self.has_all or gaps == self.gaps

    async def keep_noting(self, kept: Callable[[], Awaitable[object]]) -> None:
        """Store the watermark regularly, each time after earlier messages are `kept`."""
        while True:
            end = self.end
            await asyncio.sleep(self._every)
            await kept()
            await self._note(end)

    async def note(self, kept: Callable[[], Awaitable[object]]) -> None:
        """Store the current watermark after earlier messages are `kept`."""
        end = self.end
        await kept()
        await self._note(end)

    async def _note(self, order: int) -> None:
        """Store an order as the watermark, unless it has moved back; on failure the next start only fetches more."""
        order = min(order, self.end)
        if order <= self._noted:
            return
        try:
            await self._inbox.note_watermark(self._platform, str(order))
            self._noted = order
        except Exception as error:  # noqa: BLE001 (as the docstring says)
            _log.warning("The watermark could not be stored: %s", error)


class InboxWriter(Generic[MessageT]):
    """Stores items in the order in which they are put; new ones go to `take`, all others to `drop`.

    `watermark` is the order up to which nothing is missing in any place. A finished item is noted, and dropped, in the
    transaction that stores the next one.
    """

    def __init__(
        self, codec: MessageCodec[MessageT], inbox: Inbox, *, take: WhenKept[MessageT], drop: WhenKept[MessageT]
    ) -> None:
        self._codec = codec
        self._inbox = inbox
        self._take = take
        self._drop = drop
        self._items: asyncio.Queue[InboxItem[MessageT]] = asyncio.Queue(_MOST_ITEMS)
        self._latest: dict[str, int] = {}
        self._finished: dict[str, InboxItem[MessageT]] = {}
        self.watermark = Watermark(inbox, codec.platform)
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    async def start(self) -> None:
        """Find out where an earlier process stopped, and start storing."""
        latest = await self._inbox.latest_message_ids(self._codec.platform)
        self._latest = {place: self._codec.order_of(message_id) for place, message_id in latest.items()}
        await self.watermark.start(otherwise=min(self._latest.values(), default=0), now=self._codec.now())
        self._tasks = (
            asyncio.create_task(self._store()),
            asyncio.create_task(self.watermark.keep_noting(self._items.join)),
        )

    def latest(self) -> dict[str, int]:
        """Return each place with the order of its last message, most recent first."""
        return dict(sorted(self._latest.items(), key=lambda one: one[1], reverse=True))

    def put(self, item: InboxItem[MessageT]) -> bool:
        """Queue an item; return False if too many wait, so that it is left for the next start."""
        if self._items.full():
            self.watermark.lost(item.said.order)
            return False
        self._items.put_nowait(item)
        return True

    async def keep(self, said: MessageT) -> bool:
        """Store a message; return False if it was already stored."""
        event = said.event
        self._latest[event.place] = max(self._latest.get(event.place, 0), said.order)
        finished = list(self._finished.values())
        is_new = await self._inbox.take_in(event, finished=[one.said.event for one in finished])
        self._noted(finished)
        self.watermark.kept(said.order)
        return is_new

    def finish_with_next(self, item: InboxItem[MessageT]) -> None:
        """Note an item as finished when the next message is stored: its reply is posted, so that can wait."""
        self._finished[item.said.ref] = item

    async def finish_rest(self) -> None:
        """Store the finished items that still wait for a next message."""
        if finished := list(self._finished.values()):
            await self._inbox.finish_posted([one.said.event for one in finished])
            self._noted(finished)

    def _noted(self, finished: list[InboxItem[MessageT]]) -> None:
        for item in finished:
            if self._finished.pop(item.said.ref, None) is not None:  # two messages may be stored at once
                self._drop(item)

    async def all_kept(self) -> None:
        """Wait until every queued item is stored."""
        await self._items.join()

    async def finish(self) -> None:
        """Store queued items within a few seconds, then store the watermark."""
        if not self._tasks:
            return
        store, noting = self._tasks
        noting.cancel()
        storing = asyncio.create_task(self._items.join())
        await asyncio.wait([storing, store], timeout=_STORING_S, return_when=asyncio.FIRST_COMPLETED)
        storing.cancel()
        store.cancel()
        await asyncio.gather(store, storing, noting, return_exceptions=True)
        if self._items.empty():
            await self.watermark.note(self._items.join)

    async def _keep_with_retries(self, said: MessageT) -> bool:
        """Store a message, retrying while the store can't be used; later messages wait, which keeps the order."""
        pauses = doubling(_FIRST_PAUSE_S, longest=_LONGEST_PAUSE_S)
        while True:
            try:
                return await self.keep(said)
            except StorageError as error:
                _log.warning("%s can't be stored now: %s", said.ref, error)
            await asyncio.sleep(next(pauses))

    async def _store(self) -> None:
        while True:
            item = await self._items.get()
            try:
                item.is_known = not await self._keep_with_retries(item.said)
                if item.is_known:
                    self._drop(item)
                else:
                    self._take(item)
            except asyncio.CancelledError:
                self.watermark.lost(item.said.order)
                item.is_lost = True
                raise
            except Exception:  # noqa: BLE001 (one message must not block the others)
                _log.exception("A message could not be stored: %s", item.said.ref)
                self.watermark.lost(item.said.order)
                item.is_lost = True
                self._drop(item)
            finally:
                item.is_settled.set()
                self._items.task_done()


class CatchUpBuffer(Generic[MessageT]):
    """Buffers items during catch-up; each thread's items are released in order."""

    def __init__(self, key_of: Callable[[MessageT], Hashable]) -> None:
        self._key_of = key_of
        self._by_key: defaultdict[Hashable, list[InboxItem[MessageT]]] = defaultdict(list)

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))

    def put(self, item: InboxItem[MessageT]) -> None:
        """Add an item."""
        self._by_key[self._key_of(item.said)].append(item)

    def release_before(self, said: MessageT) -> list[InboxItem[MessageT]]:
        """Return the items of the same thread that are older than a missed message."""
        held = self._by_key.get(self._key_of(said), [])
        before = [one for one in held if one.said.order < said.order]
        held[:] = [one for one in held if one.said.order >= said.order]
        return _in_order(before)

    def release_all(self) -> list[InboxItem[MessageT]]:
        """Return all remaining items."""
        held = [item for items in self._by_key.values() for item in items]
        self._by_key.clear()
        return _in_order(held)


def _in_order(items: list[InboxItem[MessageT]]) -> list[InboxItem[MessageT]]:
    return sorted(items, key=lambda one: one.said.order)
