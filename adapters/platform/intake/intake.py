"""From hearing to answering: every message is kept first, decided about in order, and answered in its thread's turn."""

import asyncio
import logging
import time
from typing import Final, Generic

from adapters.platform.intake.arrivals import (
    Answering,
    Arrival,
    Fetch,
    Form,
    MessageT,
    NotAllReadError,
    NotKeptError,
    PendingAnswer,
)
from adapters.platform.intake.held_back import HeldBack
from adapters.platform.intake.inbox_writer import InboxWriter
from adapters.platform.intake.queues import Queues
from adapters.platform.services import PlatformServices
from adapters.platform.surface import OutOfReachError
from core.domain.errors import StorageError
from core.domain.inbound import EventState, InboundEvent

_log = logging.getLogger(__name__)

_DECISIONS_AT_ONCE: Final = 16
_TURNS_AT_ONCE: Final = 32
_LONGEST_QUEUE: Final = 50
_MOST_UNDECIDED: Final = 500
_DECIDING_S: Final = 2.0
_MOST_TRIES: Final = 3
_DIED_TWICE: Final = 2
_SHOWING_S: Final = 30.0


class _PutOffError(Exception):
    """Nothing can be done about a message now."""


class Intake(Generic[MessageT]):
    """Keeps the order: what was left by an earlier process, what was missed, what is heard now.

    A message that could not be dealt with is taken up again after `later` seconds, and its thread waits for it. What is
    heard waits for what was missed, and so does what was left and may be newer than that, but for no longer than `hold`
    seconds. Every `look` seconds it looks what an operator has changed. Threads of one lane hold up no other lane.
    """

    def __init__(
        self,
        form: Form[MessageT],
        services: PlatformServices,
        answering: Answering[MessageT],
        *,
        later: float,
        hold: float,
        look: float,
    ) -> None:
        self._form = form
        self._inbox = services.inbox
        self._hear_message = services.hear_message
        self._answering = answering
        self._inbox_writer = InboxWriter(form, services.inbox, take=self._kept, drop=self._dropped)
        self._decisions = Queues(self._decide, at_once=_DECISIONS_AT_ONCE, longest=_MOST_UNDECIDED)
        self._pending = Queues(self._take_turn, at_once=_TURNS_AT_ONCE, longest=_LONGEST_QUEUE)
        self._at_work: dict[str, Arrival[MessageT]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._held: HeldBack[MessageT] | None = HeldBack(form.key_of)
        self._stopping = False
        self._heard_at: float | None = None
        self._later_s = later
        self._hold_s = hold
        self._look_s = look
        self._looking: asyncio.Task[None] | None = None
        self._solitude = services.solitude
        self._crashed = services.crashed

    async def start(self) -> None:
        """Look where an earlier process stopped; to be called before anything is heard."""
        await self._inbox.inherit(self._form.platform, crashed=self._crashed)
        await self._inbox_writer.start()
        self._looking = asyncio.create_task(self._keep_looking())

    def gap(self) -> None:
        """A session begins in which something may be missing: what is heard now waits until that was fetched."""
        if self._held is None:
            self._held = HeldBack(self._form.key_of)
        self._inbox_writer.alive.gap()

    async def catch_up(self, fetch: Fetch[MessageT]) -> bool:
        """Take up what was left and missed, then go on with what was heard meanwhile; False where some is missing."""
        release = asyncio.get_running_loop().call_later(self._hold_s, self._release)
        alive = self._inbox_writer.alive
        gaps = alive.gaps
        try:
            await self._take_up_left()
            await fetch(self._inbox_writer.latest(), alive.end, self._take_missed)
            alive.gap_filled(gaps)
        except (NotAllReadError, OutOfReachError) as error:
            _log.warning("Not everything that was missed could be fetched: %s", error)
        except Exception:  # noqa: BLE001 (what is heard now must go on)
            _log.exception("Not everything that was missed could be fetched.")
        finally:
            release.cancel()
            self._release()
        return alive.has_all

    def hear(self, said: MessageT) -> Arrival[MessageT] | None:
        """Take a message; at once, so that the order in which they come is the order in which they are kept.

        None where no message is taken any more, or where there are too many of them.
        """
        known = self._at_work.get(said.ref)
        if known is not None:
            return known
        if self._stopping:
            self._inbox_writer.alive.lost(said.order)
            return None
        arrival = self._arrival(said, again=False)
        if not self._inbox_writer.put(arrival):
            _log.error("Too much is said at once; %s is left for later.", said.ref)
            del self._at_work[said.ref]
            return None
        return arrival

    async def keep(self, said: MessageT) -> None:
        """Take a message, and wait until it stands in the inbox.

        Raises:
            NotKeptError: it does not stand there, and should be sent again.
        """
        arrival = self.hear(said)
        if arrival is not None:
            await arrival.is_settled.wait()
        if arrival is None or arrival.is_lost:
            raise NotKeptError(said.ref)

    @property
    def silent_for(self) -> float | None:
        """For how many seconds nothing was heard; None where nothing ever was."""
        return None if self._heard_at is None else time.monotonic() - self._heard_at

    def alive_at(self, order: int) -> None:
        """Note that the bot was there when something was said, whether it concerned the bot or not."""
        self._heard_at = time.monotonic()
        self._inbox_writer.alive.at(order)

    async def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one; a message that still waits is answered as it is now."""
        arrival = self._at_work.get(ref)
        if arrival is not None:
            arrival.edit(text)
        await self._hear_message.edited(ref, text)

    async def deleted(self, ref: str) -> None:
        """Empty what was deleted; a message that still waits is not answered."""
        arrival = self._at_work.get(ref)
        if arrival is not None:
            arrival.is_deleted = True
        await self._hear_message.deleted(ref)

    async def finish(self, *, within: float) -> None:
        """Hear no more, keep what was heard, and let the turns under way end; the rest is for the next start."""
        self._stopping = True
        until = asyncio.get_running_loop().time() + within
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._inbox_writer.finish()
        for arrival in self._at_work.values():
            arrival.is_lost = arrival.is_lost or not arrival.is_settled.is_set()
            arrival.is_settled.set()
        await self._decisions.finish(within=min(within, _DECIDING_S))
        await self._pending.finish(within=max(0.0, until - asyncio.get_running_loop().time()))
        if self._ending:
            await asyncio.wait(self._ending, timeout=max(0.0, until - asyncio.get_running_loop().time()))
        for task in self._ending:
            task.cancel()
        await asyncio.gather(*self._ending, return_exceptions=True)
        await self._put_back()

    async def settled(self) -> None:
        """Wait until nothing that was heard is left to do."""
        await self._inbox_writer.all_kept()
        await self._decisions.idle()
        await self._pending.idle()
        while self._ending:
            await asyncio.wait(self._ending)

    async def _take_up_left(self) -> None:
        at_work = frozenset(self._at_work)  # by the time the store tells that it is not finished, it may be
        all_kept = self._inbox_writer.alive.end
        left = []
        for event in await self._inbox.unfinished(self._form.platform):
            try:
                said = self._form.read(event.payload)
            except Exception:  # noqa: BLE001 (it would be so again; nothing may come back for ever)
                _log.exception("What was left of %s cannot be read, and is given up.", event.message_id)
                await self._inbox.finish(event)
                continue
            if said.ref not in at_work | self._at_work.keys():
                left.append(self._left(said, event))
        for arrival in sorted(left, key=lambda one: one.said.order):
            if self._held is None or arrival.said.order <= all_kept:
                self._route(arrival)
            else:
                self._held.put(arrival)

    def _left(self, said: MessageT, event: InboundEvent) -> Arrival[MessageT]:
        arrival = self._arrival(said, again=True)
        arrival.is_left, arrival.reply, arrival.blame = True, event.reply, event.blame
        arrival.is_posted = event.state is EventState.POSTED
        may_have_died_of_it = bool(event.attempts) and event.reply is None
        arrival.is_suspect = may_have_died_of_it and (self._crashed or event.attempts >= _DIED_TWICE)
        return arrival

    def _release(self) -> None:
        held, self._held = self._held, None
        for arrival in held.let_go() if held is not None else ():
            self._route(arrival)

    def _arrival(self, said: MessageT, *, again: bool) -> Arrival[MessageT]:
        arrival = self._at_work[said.ref] = Arrival(said=said, again=again)
        if again:
            arrival.is_settled.set()
        return arrival

    def _dropped(self, arrival: Arrival[MessageT]) -> None:
        self._at_work.pop(arrival.said.ref, None)

    def _kept(self, arrival: Arrival[MessageT]) -> None:
        if self._held is None:
            self._route(arrival)
        else:
            self._held.put(arrival)

    async def _take_missed(self, said: MessageT) -> None:
        # The wait comes first: what is stored and then left here, as when fetching takes too long, would be stuck.
        await self._decisions.has_room(self._form.key_of(said))
        for earlier in self._held.let_go_before(said) if self._held is not None else ():
            self._route(earlier)
        if said.ref in self._at_work:
            return
        # It is at work before it is kept: who looks for what nobody works on would take it up as well.
        arrival, is_new = self._arrival(said, again=False), False
        try:
            is_new = await self._inbox_writer.keep(said)
        except BaseException:
            arrival.is_lost = True
            raise
        finally:
            arrival.is_settled.set()
            if not is_new:
                self._dropped(arrival)
        if is_new:
            self._route(arrival)

    def _route(self, arrival: Arrival[MessageT]) -> None:
        key = self._form.key_of(arrival.said)
        if self._stopping:
            return
        if self._decisions.is_full(key):
            _log.error("Too much is said at once in %s; some of it is left for later.", key)
            self._at_work.pop(arrival.said.ref, None)
            return
        self._decisions.put(key, arrival)

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(self._look_s)
            try:
                await self._look()
            except Exception as error:  # noqa: BLE001 (what it cannot look at now it may the next time)
                _log.warning("What waits could not be looked at: %s", error)

    async def _look(self) -> None:
        """Take up what nobody works on, as what was too much at once, and what an operator has put back or dropped."""
        at_work = dict(self._at_work)
        unfinished = await self._inbox.unfinished(self._form.platform)
        if self._held is not None or self._stopping:
            return
        found: set[str] = set()
        for event in unfinished:
            said = self._form.read(event.payload)
            found.add(said.ref)
            arrival = at_work.get(said.ref)
            if arrival is not None:
                self._put_back_by_hand(arrival, event)
            elif said.ref not in self._at_work and not self._decisions.is_full(self._form.key_of(said)):
                self._route(self._left(said, event))
        for ref, arrival in at_work.items():
            if arrival.is_put_off and ref not in found:
                arrival.is_emptied = True
                self._go_on(arrival)

    def _put_back_by_hand(self, arrival: Arrival[MessageT], event: InboundEvent) -> None:
        """Work anew on what an operator has put back, where it was put off with its reply known."""
        if arrival.is_put_off and arrival.reply is not None and event.state is EventState.RECEIVED:
            arrival.reply, arrival.is_posted, arrival.blame, arrival.is_suspect = None, False, 0, False
            self._go_on(arrival)

    def _go_on(self, arrival: Arrival[MessageT]) -> None:
        key = self._form.key_of(arrival.said)
        self._decisions.go_on(key)
        self._pending.go_on(key)

    async def _decide(self, arrival: Arrival[MessageT]) -> float | None:
        """Decide about a message; returns when to do so again, where that cannot be done now."""
        try:
            pending = await self._decided(arrival)
        except _PutOffError:
            return self._later_s
        key, lane = self._form.key_of(arrival.said), self._form.lane_of(arrival.said)
        if pending is None:
            await self._done(arrival)
        elif pending.is_short:
            # What is asked after it waits for it; it waits for no answer that is under way.
            return await self._answer(pending)
        elif self._pending.is_full(key, lane=lane):
            _log.warning("Too many questions wait in %s; %s is not answered.", key, arrival.said.ref)
            pending.reactions.failed()
            await self._done(arrival)
        elif self._pending.put(key, pending, lane=lane):
            pending.reactions.waits()
        return None

    async def _decided(self, arrival: Arrival[MessageT]) -> PendingAnswer[MessageT] | None:
        """Return what becomes of a message. Raises _PutOffError where nothing can be done about it now."""
        try:
            return None if arrival.is_dropped else await self._answering.decide(arrival)
        except OutOfReachError as error:
            _log.warning("Nothing can be done about %s now: %s", arrival.said.ref, error)
            arrival.again = True
            raise _PutOffError from error
        except Exception as error:
            _log.exception("Nothing can be done about %s.", arrival.said.ref)
            arrival.tries += 1
            if isinstance(error, StorageError) and arrival.tries < _MOST_TRIES:
                arrival.again = True
                raise _PutOffError from error
        return None

    async def _take_turn(self, pending: PendingAnswer[MessageT]) -> float | None:
        """Answer a message that was decided about, and is again where it was put off: it may be gone by now."""
        now: PendingAnswer[MessageT] | None = pending
        if pending.arrival.is_put_off:
            try:
                now = await self._decided(pending.arrival)
            except _PutOffError:
                return self._later_s
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
        except Exception:  # noqa: BLE001 (as above)
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
        for arrival in self._at_work.values():
            if arrival.is_cut_off:
                await self._inbox.put_back(arrival.said.event)

    async def _shown(self, pending: PendingAnswer[MessageT]) -> None:
        """Note that all is done when it is also seen to be, which the next in the thread does not wait for."""
        await pending.reactions.settled(within=_SHOWING_S)
        await self._done(pending.arrival)

    async def _done(self, arrival: Arrival[MessageT]) -> None:
        ref = arrival.said.ref
        try:
            await self._inbox.finish(arrival.said.event)
        finally:
            self._at_work.pop(ref, None)  # no sooner: who looks for what was left would take it up again
        # What happened to the message during its turn may have come before there was a row to change.
        if arrival.is_deleted:
            await self._hear_message.deleted(ref)
        elif arrival.is_changed:
            await self._hear_message.edited(ref, arrival.said.text)
