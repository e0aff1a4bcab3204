"""From hearing to answering: every message is kept first, and dealt with in the order in which it was said."""

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

_DIED_TWICE: Final = 2
_LAST_NOTE_S: Final = 1.0
"""So long the store has to note what is done, however late a stop is."""


class Intake(Generic[MessageT]):
    """Keeps the order: what was left by an earlier process, what was missed, what is heard now.

    What cannot be dealt with is taken up again after `later` seconds, and its thread waits for it. What is heard waits
    for what was missed, and so does what was left and may be newer than that, but for no longer than `hold` seconds
    after the fetching began. Every `look` seconds it looks what an operator has changed. Threads of one lane hold up
    no other lane.
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
        self._hear_message = services.addressing
        self._inbox_writer = InboxWriter(codec, services.inbox, take=self._kept, drop=self._dropped)
        finish_with_next = self._inbox_writer.finish_with_next
        self._scheduler = TurnScheduler(codec, services, answering, later=later, finish_with_next=finish_with_next)
        self._at_work = self._scheduler.at_work
        self._held: CatchUpBuffer[MessageT] | None = CatchUpBuffer(codec.key_of)
        self._stopping = False
        self._heard_at: float | None = None
        self._hold_s = hold
        self._releasing: asyncio.TimerHandle | None = None
        self._look_s = look
        self._looking: asyncio.Task[None] | None = None
        self._crashed = services.crashed
        self._work = services.work
        self._bot = services.bot

    async def start(self) -> None:
        """Look where an earlier process stopped; to be called before anything is heard."""
        await self._inbox.inherit(self._codec.platform, crashed=self._crashed)
        await self._inbox_writer.start()
        self._looking = asyncio.create_task(self._keep_looking())

    def gap(self) -> None:
        """A session begins in which something may be missing: what is heard now waits until that was fetched."""
        if self._held is None:
            self._held = CatchUpBuffer(self._codec.key_of)
        self._inbox_writer.watermark.gap()

    async def catch_up(self, fetch: Fetch[MessageT]) -> bool:
        """Take up what was left and missed, then go on with what was heard meanwhile; False where some is missing.

        Where another gap began meanwhile, what was heard goes on waiting: for what was missed in that one, too.
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
            _log.warning("Not everything that was missed could be fetched: %s", error)
        except StorageError as error:
            # What is heard now could not be stored either. It waits for the next attempt, or until the hold is over.
            _log.warning("What was left can't be read yet: %s", error)
            return False
        except Exception:  # noqa: BLE001 (what is heard now must go on)
            _log.exception("Not everything that was missed could be fetched.")
        if gaps == watermark.gaps:
            self._release()
        else:  # which is fetched once there is a connection again
            self._wait_on()
        return watermark.has_all

    def hear(self, said: MessageT) -> InboxItem[MessageT] | None:
        """Take a message; at once, so that the order in which they come is the order in which they are kept.

        None where no message is taken any more, or where there are too many of them.
        """
        known = self._at_work.get(said.ref)
        if known is not None:
            return known
        if self._stopping:
            self._inbox_writer.watermark.lost(said.order)
            return None
        item = self._new_item(said, again=False)
        if not self._inbox_writer.put(item):
            _log.error("Too much is said at once; %s is left for later.", said.ref)
            del self._at_work[said.ref]
            return None
        return item

    async def keep(self, said: MessageT) -> None:
        """Take a message, and wait until it stands in the inbox.

        Raises:
            NotKeptError: it does not stand there, and should be sent again.
        """
        item = self.hear(said)
        if item is not None:
            await item.is_settled.wait()
        if item is None or item.is_lost:
            raise NotKeptError(said.ref)

    @property
    def silent_for(self) -> float | None:
        """For how many seconds nothing was heard; None where nothing ever was."""
        return None if self._heard_at is None else time.monotonic() - self._heard_at

    @property
    def under_way(self) -> int:
        """How many messages are being dealt with, or wait for their turn."""
        return len(self._at_work)

    def watermark_at(self, order: int) -> None:
        """Note that the bot was there when something was said, whether it concerned the bot or not."""
        self._heard_at = time.monotonic()
        self._inbox_writer.watermark.at(order)

    async def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one; a message that still waits is answered as it is now."""
        item = self._at_work.get(ref)
        if item is not None:
            item.edit(text)
        elif self._work is not None:
            await self._work.amend(ref, bot=self._bot(), text=text)
        await self._hear_message.edited(ref, text)

    async def asked_by_edit(self, said: MessageT) -> None:
        """Take a message that names the bot since it was edited; one that was a question before isn't asked again.

        Raises as `keep`.
        """
        if self._scheduler.passed_over.pop(said.ref, None) is not None:  # though that may still be noted
            self._scheduler.put(self._new_item(said, again=True))
        elif (item := self._at_work.get(said.ref)) is not None:
            item.said = said
        else:
            await self.keep(said)

    async def deleted(self, ref: str) -> None:
        """Empty what was deleted; a message that still waits is not answered."""
        item = self._at_work.get(ref)
        if item is not None:
            item.is_deleted = True
        elif self._work is not None:
            await self._work.amend(ref, bot=self._bot(), text=None)
        await self._hear_message.deleted(ref)

    async def finish(self, *, within: float) -> None:
        """Hear no more, keep what was heard, and let the turns under way end; the rest is for the next start."""
        self._stopping = True
        until = asyncio.get_running_loop().time() + within
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._inbox_writer.finish()
        for item in self._at_work.values():
            item.is_lost = item.is_lost or not item.is_settled.is_set()
            item.is_settled.set()
        await self._scheduler.finish(until=until)
        await self._finish_rest(until=max(until, asyncio.get_running_loop().time() + _LAST_NOTE_S))

    async def _finish_rest(self, *, until: float) -> None:
        """Note what is done; what is not noted is looked at by the next start, which posts nothing again."""
        try:
            async with asyncio.timeout_at(until):
                await self._inbox_writer.finish_rest()
        except (StorageError, TimeoutError) as error:
            _log.warning("What is done could not be noted, and is looked at by the next start: %r", error)

    async def settled(self) -> None:
        """Wait until nothing that was heard is left to do, and that is noted."""
        await self._inbox_writer.all_kept()
        await self._scheduler.idle()
        await self._inbox_writer.finish_rest()

    async def _take_up_left(self) -> None:
        at_work = dict(self._at_work)  # by the time the store tells that it is not finished, it may be
        all_kept = self._inbox_writer.watermark.end
        left = []
        for event in await self._own_unfinished():
            try:
                said = self._codec.read(event.payload)
            except Exception:  # noqa: BLE001 (it would be so again; nothing may come back for ever)
                _log.exception("What was left of %s cannot be read, and is given up.", event.message_id)
                await self._inbox.finish(event)
                continue
            if not await self._is_worked_on(at_work.get(said.ref) or self._at_work.get(said.ref)):
                left.append(self._left(said, event))
        for item in sorted(left, key=lambda one: one.said.order):
            if self._held is None or item.said.order <= all_kept:
                self._route(item)
            else:
                self._held.put(item)

    async def _is_worked_on(self, item: InboxItem[MessageT] | None) -> bool:
        """Whether something is dealt with: what is only heard again, and stands there already, is not."""
        if item is None:
            return False
        await item.is_settled.wait()
        return not item.is_known

    async def _own_unfinished(self) -> list[InboundEvent]:
        """Return what is not done, but for what other processes are to answer."""
        unfinished = await self._inbox.unfinished(self._codec.platform)
        return [event for event in unfinished if self._work is None or event.asked is None]

    def _left(self, said: MessageT, event: InboundEvent) -> InboxItem[MessageT]:
        item = self._at_work[said.ref] = InboxItem.left_by(event, said)
        item.is_settled.set()
        may_have_died_of_it = bool(event.attempts) and event.reply is None
        item.is_suspect = may_have_died_of_it and (self._crashed or event.attempts >= _DIED_TWICE)
        return item

    def _wait_on(self) -> None:
        if self._releasing is not None:
            self._releasing.cancel()
            self._releasing = None

    def _release_unfetched(self) -> None:
        if self._held:
            _log.warning(
                "What was missed takes more than %.0f s to fetch: what was asked since is answered first.", self._hold_s
            )
        self._release()

    def _release(self) -> None:
        self._wait_on()
        held, self._held = self._held, None
        for item in held.let_go() if held is not None else ():
            self._route(item)

    def _new_item(self, said: MessageT, *, again: bool) -> InboxItem[MessageT]:
        item = self._at_work[said.ref] = InboxItem(said=said, again=again)
        if again:
            item.is_settled.set()
        return item

    def _dropped(self, item: InboxItem[MessageT]) -> None:
        # Where it was only heard again, the one that is worked on may have its place by now.
        if self._at_work.get(item.said.ref) is item:
            del self._at_work[item.said.ref]

    def _kept(self, item: InboxItem[MessageT]) -> None:
        if self._held is None:
            self._route(item)
        else:
            self._held.put(item)

    async def _take_missed(self, said: MessageT) -> None:
        # The wait comes first: what is stored and then left here, as when fetching takes too long, would be stuck.
        await self._scheduler.has_room(said)
        for earlier in self._held.let_go_before(said) if self._held is not None else ():
            self._route(earlier)
        known = self._at_work.get(said.ref)
        if known is not None:
            # Heard, but perhaps not kept yet: only then is it held back, and let go before what comes after it.
            await known.is_settled.wait()
            return
        # It is at work before it is kept: who looks for what nobody works on would take it up as well.
        item = self._new_item(said, again=False)
        try:
            item.is_known = not await self._inbox_writer.keep(said)
        except BaseException:
            item.is_lost = True
            raise
        finally:
            item.is_settled.set()
            if item.is_known or item.is_lost:
                self._dropped(item)
        if not item.is_known:
            self._route(item)

    def _route(self, item: InboxItem[MessageT]) -> None:
        if not self._stopping:
            self._scheduler.put(item)

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(self._look_s)
            try:
                await self._look()
            except Exception as error:  # noqa: BLE001 (what it cannot look at now it may the next time)
                _log.warning("What waits could not be looked at: %s", error)

    async def _look(self) -> None:
        """Take up what nobody works on, as what was too much at once, and what an operator has put back or dropped.

        What was done since the last message was heard is noted first.
        """
        await self._inbox_writer.finish_rest()
        # What was put off before this read is stored by now, and so is its reply.
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
                self._route(self._left(said, event))
        for item in put_off.values():
            if item.said.ref not in found:
                item.is_emptied = True
                self._scheduler.go_on(item)

    def _put_back_by_hand(self, item: InboxItem[MessageT], event: InboundEvent) -> None:
        """Work again on what an operator has put back, where it was put off with its reply known."""
        if item.is_put_off and item.reply is not None and event.state is EventState.RECEIVED:
            item.reply, item.is_posted, item.blame, item.is_suspect = None, False, 0, False
            self._scheduler.go_on(item)
