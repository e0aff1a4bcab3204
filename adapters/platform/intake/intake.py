"""Takes messages from receipt to answer: every message is stored first, then handled in order."""

import asyncio
import logging
import time
from typing import Final, Generic

from adapters.platform.intake.inbox_writer import CatchUpBuffer, InboxWriter
from adapters.platform.intake.items import (
    Fetch,
    InboxItem,
    ItemAnswering,
    MessageCodec,
    MessageT,
    NotAllReadError,
    NotKeptError,
)
from adapters.platform.intake.scheduler import TurnScheduler
from adapters.platform.services import PlatformServices
from adapters.platform.surface import OutOfReachError
from core.domain.errors import StorageError
from core.domain.inbound import EventState, InboundEvent

_log = logging.getLogger(__name__)

_SUSPECT_ATTEMPTS: Final = 2
_LAST_NOTE_S: Final = 1.0
"""The store gets at least this long to note finished messages, however late the shutdown is."""


class Intake(Generic[MessageT]):
    """Orders messages from three sources: left by an earlier process, missed while offline, received live.

    A message that can't be handled is tried again after `later` seconds, and its thread waits for it. Live messages
    wait for missed ones; so do leftover messages that may be newer than those; but at most `hold` seconds after the
    fetching began. Every `look` seconds the inbox is checked for an operator's changes. Threads of one lane don't block
    other lanes.
    """

    def __init__(
        self,
        codec: MessageCodec[MessageT],
        services: PlatformServices,
        answering: ItemAnswering[MessageT],
        *,
        later: float,
        hold: float,
        look: float,
    ) -> None:
        self._codec = codec
        self._inbox = services.inbox
        self._addressing = services.addressing
        self._inbox_writer = InboxWriter(codec, services.inbox, take=self._kept, drop=self._drop)
        finish_with_next = self._inbox_writer.finish_with_next
        self._scheduler = TurnScheduler(codec, services, answering, later=later, finish_with_next=finish_with_next)
        self._at_work = self._scheduler.at_work
        self._held: CatchUpBuffer[MessageT] | None = CatchUpBuffer(codec.key_of)
        self._stopping = False
        self._heard_at: float | None = None
        self._hold_s = hold
        self._releasing: asyncio.TimerHandle | None = None
        self._check_every_s = look
        self._checking: asyncio.Task[None] | None = None
        self._crashed = services.crashed
        self._work = services.work
        self._bot = services.bot

    async def start(self) -> None:
        """Find out where an earlier process stopped; call this before any message arrives."""
        await self._inbox.inherit(self._codec.platform, crashed=self._crashed)
        await self._inbox_writer.start()
        self._checking = asyncio.create_task(self._keep_checking())

    def gap(self) -> None:
        """Begin a session in which messages may be missing: live messages wait until those are fetched."""
        if self._held is None:
            self._held = CatchUpBuffer(self._codec.key_of)
        self._inbox_writer.watermark.gap()

    async def catch_up(self, fetch: Fetch[MessageT]) -> bool:
        """Handle leftover and missed messages, then the live ones; return False if some are still missing.

        If another gap began in that time, live messages wait for that one too.
        """
        if self._releasing is None:
            self._releasing = asyncio.get_running_loop().call_later(self._hold_s, self._release_unfetched)
        watermark = self._inbox_writer.watermark
        gaps = watermark.gaps
        try:
            await self._take_up_left()
            await fetch(self._inbox_writer.latest(), watermark.end, self._take_missed)
            watermark.gap_filled(gaps)
        except (NotAllReadError, OutOfReachError) as error:
            _log.warning("Not all missed messages could be fetched: %s", error)
        except StorageError as error:
            # Live messages could not be stored either. They wait for the next attempt, or until the hold is over.
            _log.warning("Leftover messages can't be read yet: %s", error)
            return False
        except Exception:  # noqa: BLE001 (live messages must go on)
            _log.exception("Not all missed messages could be fetched.")
        if gaps == watermark.gaps:
            self._release()
        else:  # the new gap is fetched once there is a connection again
            self._cancel_release()
        return watermark.has_all

    def hear(self, said: MessageT) -> InboxItem[MessageT] | None:
        """Accept a message without waiting, so that messages are stored in the order of arrival.

        Returns None if the bot is stopping or too many messages wait.
        """
        known = self._at_work.get(said.ref)
        if known is not None:
            return known
        if self._stopping:
            self._inbox_writer.watermark.lost(said.order)
            return None
        item = self._new_item(said, again=False)
        if not self._inbox_writer.put(item):
            _log.error("Too many messages at once; %s is left for later.", said.ref)
            del self._at_work[said.ref]
            return None
        return item

    async def keep(self, said: MessageT) -> None:
        """Accept a message, and wait until it is stored.

        Raises:
            NotKeptError: it isn't stored, and should be sent again.
        """
        item = self.hear(said)
        if item is not None:
            await item.is_settled.wait()
        if item is None or item.is_lost:
            raise NotKeptError(said.ref)

    @property
    def silent_for(self) -> float | None:
        """The seconds since the last event; None if there was none."""
        return None if self._heard_at is None else time.monotonic() - self._heard_at

    @property
    def under_way(self) -> int:
        """The number of messages that are handled or wait for their turn."""
        return len(self._at_work)

    def watermark_at(self, order: int) -> None:
        """Note that the bot was connected when something was written, whether or not it concerns the bot."""
        self._heard_at = time.monotonic()
        self._inbox_writer.watermark.at(order)

    async def edited(self, ref: str, text: str) -> None:
        """Replace a message's text; a message that still waits is answered in its new form."""
        item = self._at_work.get(ref)
        if item is not None:
            item.edit(text)
        elif self._work is not None:
            await self._work.amend(ref, bot=self._bot(), text=text)
        await self._addressing.edited(ref, text)

    async def asked_by_edit(self, said: MessageT) -> None:
        """Accept a message that mentions the bot since an edit; one that was already a question isn't asked again.

        Raises as `keep`.
        """
        if self._scheduler.passed_over.pop(said.ref, None) is not None:  # that may not be stored yet
            self._scheduler.put(self._new_item(said, again=True))
        elif (item := self._at_work.get(said.ref)) is not None:
            item.said = said
        else:
            await self.keep(said)

    async def deleted(self, ref: str) -> None:
        """Remove a deleted message's text; a message that still waits is not answered."""
        item = self._at_work.get(ref)
        if item is not None:
            item.is_deleted = True
        elif self._work is not None:
            await self._work.amend(ref, bot=self._bot(), text=None)
        await self._addressing.deleted(ref)

    async def finish(self, *, within: float) -> None:
        """Accept no more, store what was received, and let running turns end; the rest waits for the next start."""
        self._stopping = True
        until = asyncio.get_running_loop().time() + within
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        await self._inbox_writer.finish()
        for item in self._at_work.values():
            item.is_lost = item.is_lost or not item.is_settled.is_set()
            item.is_settled.set()
        await self._scheduler.finish(until=until)
        await self._finish_rest(until=max(until, asyncio.get_running_loop().time() + _LAST_NOTE_S))

    async def _finish_rest(self, *, until: float) -> None:
        """Note finished messages; the next start checks those that couldn't be noted, without posting again."""
        try:
            async with asyncio.timeout_at(until):
                await self._inbox_writer.finish_rest()
        except (StorageError, TimeoutError) as error:
            _log.warning("Finished messages could not be noted; the next start checks them: %r", error)

    async def settled(self) -> None:
        """Wait until every received message is handled and noted as finished."""
        await self._inbox_writer.all_kept()
        await self._scheduler.idle()
        await self._inbox_writer.finish_rest()

    async def _take_up_left(self) -> None:
        at_work = dict(self._at_work)  # a message may finish while the store is being read
        all_kept = self._inbox_writer.watermark.end
        left = []
        for event in await self._own_unfinished():
            try:
                said = self._codec.read(event.payload)
            except Exception:  # noqa: BLE001 (it would fail again, and must not return for ever)
                _log.exception("The stored message %s cannot be read; giving it up.", event.message_id)
                await self._inbox.finish(event)
                continue
            if not await self._is_worked_on(at_work.get(said.ref) or self._at_work.get(said.ref)):
                left.append(self._leftover(said, event))
        for item in sorted(left, key=lambda one: one.said.order):
            if self._held is None or item.said.order <= all_kept:
                self._route(item)
            else:
                self._held.put(item)

    async def _is_worked_on(self, item: InboxItem[MessageT] | None) -> bool:
        """Whether an item is being handled; a repeated copy of a stored message is not."""
        if item is None:
            return False
        await item.is_settled.wait()
        return not item.is_known

    async def _own_unfinished(self) -> list[InboundEvent]:
        """Return the unfinished messages, except those that other processes answer."""
        unfinished = await self._inbox.unfinished(self._codec.platform)
        return [event for event in unfinished if self._work is None or event.asked is None]

    def _leftover(self, said: MessageT, event: InboundEvent) -> InboxItem[MessageT]:
        item = self._at_work[said.ref] = InboxItem.left_by(event, said)
        item.is_settled.set()
        may_have_died_of_it = bool(event.attempts) and event.reply is None
        item.is_suspect = may_have_died_of_it and (self._crashed or event.attempts >= _SUSPECT_ATTEMPTS)
        return item

    def _cancel_release(self) -> None:
        if self._releasing is not None:
            self._releasing.cancel()
            self._releasing = None

    def _release_unfetched(self) -> None:
        if self._held:
            _log.warning(
                "Fetching missed messages takes more than %.0f s; what was asked since is answered first.", self._hold_s
            )
        self._release()

    def _release(self) -> None:
        self._cancel_release()
        held, self._held = self._held, None
        for item in held.release_all() if held is not None else ():
            self._route(item)

    def _new_item(self, said: MessageT, *, again: bool) -> InboxItem[MessageT]:
        item = self._at_work[said.ref] = InboxItem(said=said, again=again)
        if again:
            item.is_settled.set()
        return item

    def _drop(self, item: InboxItem[MessageT]) -> None:
        # A repeated copy must not remove the item that is being handled.
        if self._at_work.get(item.said.ref) is item:
            del self._at_work[item.said.ref]

    def _kept(self, item: InboxItem[MessageT]) -> None:
        if self._held is None:
            self._route(item)
        else:
            self._held.put(item)

    async def _take_missed(self, said: MessageT) -> None:
        # Wait before storing: a message stored and then left here, as when fetching takes too long, would be stuck.
        await self._scheduler.has_room(said)
        for earlier in self._held.release_before(said) if self._held is not None else ():
            self._route(earlier)
        known = self._at_work.get(said.ref)
        if known is not None:
            # Received live, but perhaps not stored yet: only then is it buffered, and released before later messages.
            await known.is_settled.wait()
            return
        # Register it before storing it: otherwise the search for unhandled messages would handle it too.
        item = self._new_item(said, again=False)
        try:
            item.is_known = not await self._inbox_writer.keep(said)
        except BaseException:
            item.is_lost = True
            raise
        finally:
            item.is_settled.set()
            if item.is_known or item.is_lost:
                self._drop(item)
        if not item.is_known:
            self._route(item)

    def _route(self, item: InboxItem[MessageT]) -> None:
        if not self._stopping:
            self._scheduler.put(item)

    async def _keep_checking(self) -> None:
        while True:
            await asyncio.sleep(self._check_every_s)
            try:
                await self._check_inbox()
            except Exception as error:  # noqa: BLE001 (the next check may succeed)
                _log.warning("The inbox could not be checked: %s", error)

    async def _check_inbox(self) -> None:
        """Handle messages that nobody works on: those beyond a limit, and those that an operator returned or dropped.

        Messages finished since the last one was received are noted first.
        """
        await self._inbox_writer.finish_rest()
        # Messages put off before this read are stored already, and so are their replies.
        at_work = dict(self._at_work)
        put_off = {ref: item for ref, item in at_work.items() if item.is_put_off}
        unfinished = await self._own_unfinished()
        if self._held is not None or self._stopping:
            return
        found: set[str] = set()
        for event in unfinished:
            said = self._codec.read(event.payload)
            found.add(said.ref)
            if said.ref in put_off:
                self._put_back_by_hand(put_off[said.ref], event)
            elif said.ref not in at_work | self._at_work and not self._scheduler.is_full(said):
                self._route(self._leftover(said, event))
        for item in put_off.values():
            if item.said.ref not in found:
                item.is_emptied = True
                self._scheduler.resume(item)

    def _put_back_by_hand(self, item: InboxItem[MessageT], event: InboundEvent) -> None:
        """Handle again a message that an operator returned to the inbox while it was put off with its reply known."""
        if item.is_put_off and item.reply is not None and event.state is EventState.RECEIVED:
            item.reply, item.is_posted, item.blame, item.is_suspect = None, False, 0, False
            self._scheduler.resume(item)
