"""From hearing to answering: every message is kept first, decided about in order, and answered in its thread's turn."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from adapters.discord.answers import Answering, Arrival, Turn
from adapters.discord.listening import Said
from adapters.discord.queues import Queues
from adapters.discord.services import DiscordServices
from adapters.discord.translate import PLATFORM

_log = logging.getLogger(__name__)

_MOST_ARRIVALS: Final = 2_000
_DECISIONS_AT_ONCE: Final = 16
_TURNS_AT_ONCE: Final = 32
_LONGEST_QUEUE: Final = 50
_MOST_UNDECIDED: Final = 500
_STORING_S: Final = 3.0
_DECIDING_S: Final = 2.0

Take = Callable[[Said], Awaitable[None]]
Fetch = Callable[[dict[str, int], int, Take], Awaitable[None]]


class Inflow:
    """Keeps the order: what was left by an earlier process, what was missed, what is heard now."""

    def __init__(self, services: DiscordServices, answering: Answering, *, later: float) -> None:
        self._inbox = services.inbox
        self._hear_message = services.hear_message
        self._answering = answering
        self._arrivals: asyncio.Queue[Arrival] = asyncio.Queue(_MOST_ARRIVALS)
        self._decisions = Queues(self._decide, at_once=_DECISIONS_AT_ONCE, longest=_MOST_UNDECIDED)
        self._turns = Queues(self._turn, at_once=_TURNS_AT_ONCE, longest=_LONGEST_QUEUE)
        self._under_way: dict[str, Arrival] = {}
        self._held: deque[Arrival] | None = deque()
        self._latest: dict[str, int] = {}
        self._alive = 0
        self._since: dict[str, int] = {}
        self._alive_then = 0
        self._stopping = False
        self._pump: asyncio.Task[None] | None = None
        self._later_s = later
        self._later: dict[str, asyncio.TimerHandle] = {}

    async def start(self) -> None:
        """Look where an earlier process stopped; to be called before anything is heard."""
        latest = await self._inbox.latest_message_ids(PLATFORM)
        self._latest = {place: int(message_id) for place, message_id in latest.items()}
        self._since, self._alive_then = dict(self._latest), max(self._latest.values(), default=0)
        self._pump = asyncio.create_task(self._store())

    def gap(self) -> None:
        """A session begins in which something may be missing: what is heard now waits until that was fetched."""
        if self._held is None:
            self._held = deque()
            self._since = {place: max(last, self._alive) for place, last in self._latest.items()}
            self._alive_then = self._alive

    async def catch_up(self, fetch: Fetch) -> None:
        """Take up what was left and what was missed, then go on with what was heard meanwhile."""
        try:
            for event in await self._inbox.unfinished(PLATFORM):
                said = Said.from_payload(event.payload)
                if said.ref not in self._under_way:
                    self._route(self._arrival(said, again=True))
            await fetch(self._since, self._alive_then, self._take_missed)
        except Exception:  # noqa: BLE001 (what is heard now must go on)
            _log.exception("Not everything that was missed could be fetched.")
        finally:
            held, self._held = self._held or (), None
            for arrival in held:
                self._route(arrival)

    def hear(self, said: Said) -> None:
        """Take a message; at once, so that the order in which they come is the order in which they are kept."""
        if self._stopping or said.ref in self._under_way:
            return
        if self._arrivals.full():
            _log.error("Too much is said at once; %s is left for the next start.", said.ref)
            return
        self._arrivals.put_nowait(self._arrival(said, again=False))

    def alive_at(self, message_id: int) -> None:
        """Note that the bot was there when something was said, whether it concerned the bot or not."""
        self._alive = max(self._alive, message_id)

    async def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one; a message that still waits is answered as it is now."""
        arrival = self._under_way.get(ref)
        if arrival is not None:
            arrival.said, arrival.is_changed = replace(arrival.said, text=text), True
        await self._hear_message.edited(ref, text)

    async def deleted(self, ref: str) -> None:
        """Empty what was deleted; a message that still waits is not answered."""
        arrival = self._under_way.get(ref)
        if arrival is not None:
            arrival.is_deleted = True
        await self._hear_message.deleted(ref)

    async def finish(self, *, within: float) -> None:
        """Hear no more, keep what was heard, and let the turns under way end; the rest is for the next start."""
        self._stopping = True
        for handle in self._later.values():
            handle.cancel()
        if self._pump is not None:
            storing = asyncio.create_task(self._arrivals.join())
            await asyncio.wait([storing, self._pump], timeout=_STORING_S, return_when=asyncio.FIRST_COMPLETED)
            storing.cancel()
            self._pump.cancel()
            await asyncio.gather(self._pump, storing, return_exceptions=True)
        await self._decisions.finish(within=min(within, _DECIDING_S))
        await self._turns.finish(within=within)

    async def settled(self) -> None:
        """Wait until nothing that was heard is left to do."""
        await self._arrivals.join()
        await self._decisions.idle()
        await self._turns.idle()

    def _arrival(self, said: Said, *, again: bool) -> Arrival:
        arrival = self._under_way[said.ref] = Arrival(said=said, again=again)
        return arrival

    async def _store(self) -> None:
        while True:
            arrival = await self._arrivals.get()
            try:
                await self._keep(arrival)
            except Exception:  # noqa: BLE001 (one message that cannot be kept holds up no other)
                _log.exception("A message could not be kept: %s", arrival.said.ref)
                self._under_way.pop(arrival.said.ref, None)
            finally:
                self._arrivals.task_done()

    async def _keep(self, arrival: Arrival) -> None:
        if not await self._is_new(arrival.said):
            del self._under_way[arrival.said.ref]
        elif self._held is not None:
            self._held.append(arrival)
        else:
            self._route(arrival)

    async def _take_missed(self, said: Said) -> None:
        if said.ref not in self._under_way and await self._is_new(said):
            self._route(self._arrival(said, again=False))

    async def _is_new(self, said: Said) -> bool:
        event = said.event
        self._latest[event.place] = max(self._latest.get(event.place, 0), said.message_id)
        return await self._inbox.take_in(event)

    def _route(self, arrival: Arrival) -> None:
        key = self._answering.key_of(arrival.said)
        if self._stopping:
            return
        if self._decisions.is_full(key):
            _log.error("Too much is said at once in channel %s; some of it is left for the next start.", key)
            self._under_way.pop(arrival.said.ref, None)
            return
        self._decisions.put(key, arrival)

    async def _decide(self, arrival: Arrival) -> None:
        try:
            turn = None if arrival.is_deleted else await self._answering.turn_for(arrival)
        except self._answering.NOT_REACHED as error:
            _log.warning("Nothing can be done about %s now: %s", arrival.said.ref, error)
            self._do_later(arrival)
            return
        except Exception:  # noqa: BLE001 (it would be so again; nothing may come back for ever)
            _log.exception("Nothing can be done about %s.", arrival.said.ref)
            turn = None
        key = self._answering.key_of(arrival.said)
        if turn is not None and self._turns.is_full(key):
            _log.warning("Too many questions wait in channel %s; %s is not answered.", key, arrival.said.ref)
            turn.reactions.failed()
            turn = None
        if turn is None:
            await self._done(arrival)
        elif self._turns.put(key, turn):
            turn.reactions.waits()

    async def _turn(self, turn: Turn) -> None:
        arrival = turn.arrival
        try:
            is_done = arrival.is_deleted or await self._answering.execute(turn)
        except Exception:  # noqa: BLE001 (as above)
            _log.exception("No answer to %s.", arrival.said.ref)
            turn.reactions.failed()
            is_done = True
        if is_done:
            await self._done(arrival)
        else:
            self._do_later(arrival)

    async def _done(self, arrival: Arrival) -> None:
        ref = arrival.said.ref
        self._under_way.pop(ref, None)
        await self._inbox.finish(arrival.said.event)
        # What happened to the message during its turn may have come before there was a row to change.
        if arrival.is_deleted:
            await self._hear_message.deleted(ref)
        elif arrival.is_changed:
            await self._hear_message.edited(ref, arrival.said.text)

    def _do_later(self, arrival: Arrival) -> None:
        arrival.again = True
        ref = arrival.said.ref

        def route() -> None:
            del self._later[ref]
            self._route(arrival)

        self._later[ref] = asyncio.get_running_loop().call_later(self._later_s, route)
