"""Puts what members say into the inbox, one after another, and knows up to where nothing is missing.

That is the watermark: up to there the next start need not look again.
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

_NOTED_EVERY_S: Final = 60.0
_MOST_ITEMS: Final = 2_000
_STORING_S: Final = 3.0
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 2.0

WhenKept = Callable[[InboxItem[MessageT]], None]


class Watermark:
    """The end of the unbroken prefix, in a platform's order of messages; 0 where nothing was ever heard.

    What is heard beyond a gap moves it no further until all that was missed in the gap is kept, and what could not be
    kept stands in its way until it is. About every minute it is noted where it stood a minute ago: what a platform
    hands over late is then not taken for kept.

    Attributes:
        has_all: whether all that was missed is kept.
        gaps: how many gaps there were; who fills one says up to which.
    """

    def __init__(self, inbox: Inbox, platform: str, *, every: float = _NOTED_EVERY_S) -> None:
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
        """The order up to which all is kept, or is on its way into the store."""
        if not self.has_all:
            return self._gap_begins
        return min(self._lost, default=self._heard + 1) - 1

    async def start(self, *, otherwise: int, now: int) -> None:
        """Go on where the process before this one stopped, or `otherwise` where it noted nothing.

        Where nothing was ever heard, that it began `now` is noted at once: the next start looks from there, though
        this one, which is new here, does not dig in what was said before it came.

        Raises:
            StorageError: the store cannot be used.
        """
        self._noted = int(await self._inbox.last_watermark(self._platform) or 0)
        self._heard = self._gap_begins = self._noted or otherwise
        if not self._heard:
            await self._inbox.note_watermark(self._platform, str(now))
            self._noted = now

    def at(self, order: int) -> None:
        """Note that the bot was there when something was said, whether it concerned the bot or not."""
        self._heard = max(self._heard, order)

    def lost(self, order: int) -> None:
        """Note that something could not be kept: until it is, it must be looked for."""
        self._lost.add(order)

    def kept(self, order: int) -> None:
        """Note that something is kept."""
        self._lost.discard(order)

    def gap(self) -> None:
        """Something may be missing from now on; what was lost before is fetched with it."""
        self._gap_begins, self.has_all = self.end, False
        self.gaps += 1
        self._lost.clear()

    def gap_filled(self, gaps: int) -> None:
        """All that was missed in so many gaps is kept; a later one may have begun meanwhile."""
        self.has_all = self.has_all or gaps == self.gaps

    async def keep_noting(self, kept: Callable[[], Awaitable[object]]) -> None:
        """Note it again and again, each time when what was heard before is `kept`."""
        while True:
            end = self.end
            await asyncio.sleep(self._every)
            await kept()
            await self._note(end)

    async def note(self, kept: Callable[[], Awaitable[object]]) -> None:
        """Note it as it is now, when what was heard before is `kept`."""
        end = self.end
        await kept()
        await self._note(end)

    async def _note(self, order: int) -> None:
        """Note it, as far as it holds still; a store that does not take it costs the next start a longer look."""
        order = min(order, self.end)
        if order <= self._noted:
            return
        try:
            await self._inbox.note_watermark(self._platform, str(order))
            self._noted = order
        except Exception as error:  # noqa: BLE001 (as above)
            _log.warning("How far was heard cannot be noted: %s", error)


class InboxWriter(Generic[MessageT]):
    """Keeps items in the order in which they are put; `take` gets each new one, `drop` all others.

    `watermark` says up to which order nothing is missing, in any place. That an item is done is noted in the
    transaction that keeps the next one: it is dropped then.
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
        """Look where an earlier process stopped, and begin."""
        latest = await self._inbox.latest_message_ids(self._codec.platform)
        self._latest = {place: self._codec.order_of(message_id) for place, message_id in latest.items()}
        await self.watermark.start(otherwise=min(self._latest.values(), default=0), now=self._codec.now())
        self._tasks = (
            asyncio.create_task(self._store()),
            asyncio.create_task(self.watermark.keep_noting(self._items.join)),
        )

    def latest(self) -> dict[str, int]:
        """Return for each place the order of the last that was heard there, the place with the very last first."""
        return dict(sorted(self._latest.items(), key=lambda one: one[1], reverse=True))

    def put(self, item: InboxItem[MessageT]) -> bool:
        """Take an item; False where too many of them wait, so that it is left for the next start."""
        if self._items.full():
            self.watermark.lost(item.said.order)
            return False
        self._items.put_nowait(item)
        return True

    async def keep(self, said: MessageT) -> bool:
        """Keep a message; False where it is known already."""
        event = said.event
        self._latest[event.place] = max(self._latest.get(event.place, 0), said.order)
        finished = list(self._finished.values())
        is_new = await self._inbox.take_in(event, finished=[one.said.event for one in finished])
        self._noted(finished)
        self.watermark.kept(said.order)
        return is_new

    def finish_with_next(self, item: InboxItem[MessageT]) -> None:
        """Note that an item is done when the next one is kept: its reply is posted, so that no more hangs on it."""
        self._finished[item.said.ref] = item

    async def finish_rest(self) -> None:
        """Note what is done and still waits for a next one to be kept."""
        if finished := list(self._finished.values()):
            await self._inbox.finish_posted([one.said.event for one in finished])
            self._noted(finished)

    def _noted(self, finished: list[InboxItem[MessageT]]) -> None:
        for item in finished:
            if self._finished.pop(item.said.ref, None) is not None:  # two may be kept at once
                self._drop(item)

    async def all_kept(self) -> None:
        """Wait until everything that was put is kept."""
        await self._items.join()

    async def finish(self) -> None:
        """Keep what was put, within a few seconds, and note how far that is."""
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

    async def _kept(self, said: MessageT) -> bool:
        """Keep a message as soon as the store is of use: what comes after it waits, so that the order stays."""
        pauses = doubling(_FIRST_PAUSE_S, longest=_LONGEST_PAUSE_S)
        while True:
            try:
                return await self.keep(said)
            except StorageError as error:
                _log.warning("%s cannot be kept just now: %s", said.ref, error)
            await asyncio.sleep(next(pauses))

    async def _store(self) -> None:
        while True:
            item = await self._items.get()
            try:
                item.is_known = not await self._kept(item.said)
                if item.is_known:
                    self._drop(item)
                else:
                    self._take(item)
            except asyncio.CancelledError:
                self.watermark.lost(item.said.order)
                item.is_lost = True
                raise
            except Exception:  # noqa: BLE001 (one message that cannot be kept holds up no other)
                _log.exception("A message could not be kept: %s", item.said.ref)
                self.watermark.lost(item.said.order)
                item.is_lost = True
                self._drop(item)
            finally:
                item.is_settled.set()
                self._items.task_done()


class CatchUpBuffer(Generic[MessageT]):
    """Items of all threads; each thread's come out in the order in which they were said."""

    def __init__(self, key_of: Callable[[MessageT], Hashable]) -> None:
        self._key_of = key_of
        self._by_key: defaultdict[Hashable, list[InboxItem[MessageT]]] = defaultdict(list)

    def __len__(self) -> int:
        return sum(map(len, self._by_key.values()))

    def put(self, item: InboxItem[MessageT]) -> None:
        """Hold an item back."""
        self._by_key[self._key_of(item.said)].append(item)

    def let_go_before(self, said: MessageT) -> list[InboxItem[MessageT]]:
        """Return what of its thread was said before a message that was missed: that waits no longer."""
        held = self._by_key.get(self._key_of(said), [])
        before = [one for one in held if one.said.order < said.order]
        held[:] = [one for one in held if one.said.order >= said.order]
        return _as_said(before)

    def let_go(self) -> list[InboxItem[MessageT]]:
        """Return all that still waits."""
        held = [item for items in self._by_key.values() for item in items]
        self._by_key.clear()
        return _as_said(held)


def _as_said(items: list[InboxItem[MessageT]]) -> list[InboxItem[MessageT]]:
    return sorted(items, key=lambda one: one.said.order)
