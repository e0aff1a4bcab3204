"""A thread's answers are posted in the order of its questions, even after crashes, gaps and outages."""

import asyncio
from dataclasses import dataclass, replace
from functools import partial

import pytest

from adapters.persistence.overview import Overview
from adapters.platform.intake.intake import Intake
from adapters.platform.intake.items import HandOver, InboxItem, MessageCodec, PendingAnswer
from adapters.platform.services import PlatformServices
from adapters.platform.surface import OutOfReachError
from bot.wiring import Application
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox

_HOLD_S = 60.0
_PATIENCE_S = 30.0
"""Generous, since a busy disk may take seconds for each write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A message of a fake platform that has only threads and numbers."""

    thread: str
    order: int
    text: str = "Who?"
    member_id: str = "test:1"
    files: tuple[object, ...] = ()

    @property
    def ref(self) -> str:
        return f"test:{self.thread}:{self.order}"

    @property
    def event(self) -> InboundEvent:
        return InboundEvent(
            platform="test",
            place=self.thread,
            message_id=str(self.order),
            payload={"thread": self.thread, "order": self.order},
            ref=self.ref,
        )

    def with_text(self, text: str) -> "_Said":
        return replace(self, text=text)


class _Shown:
    """Reactions that do nothing."""

    def failed(self) -> None: ...
    def waits(self) -> None: ...
    def nothing(self) -> None: ...
    async def settled(self, *, within: float) -> None: ...


class _Answering:
    """Records the answers in order; threads in `out_of_reach` fail once."""

    def __init__(
        self,
        out_of_reach: frozenset[int] = frozenset(),
        undecided: frozenset[int] = frozenset(),
        inbox: Inbox | None = None,
    ) -> None:
        self._inbox = inbox
        self.answered: list[int] = []
        self.replies: list[Reply | None] = []
        self.was_put_off = asyncio.Event()
        self._went_on = asyncio.Event()
        self._out_of_reach = set(out_of_reach)
        self._undecided = set(undecided)

    async def decide(self, item: InboxItem[_Said]) -> PendingAnswer[_Said]:
        order = item.said.order
        if order in self._undecided:
            self._undecided.discard(order)
            raise OutOfReachError("503")
        shown = _Shown()
        return PendingAnswer(item=item, surface=shown, heard=shown, meaning=shown, reactions=shown)  # type: ignore[arg-type]

    async def execute(self, pending: PendingAnswer[_Said]) -> bool:
        order = pending.item.said.order
        if order in self._out_of_reach:
            self._out_of_reach.discard(order)
            reply = Reply(text="A failure.", failed=True)
            if self._inbox is not None:
                await self._inbox.settle(pending.item.said.event, reply)
            pending.item.reply = reply
            self.was_put_off.set()
            return False
        self.answered.append(order)
        self.replies.append(pending.item.reply)
        self._went_on.set()
        return True

    async def has_answered(self, orders: set[int]) -> None:
        while not orders <= set(self.answered):
            self._went_on.clear()
            await self._went_on.wait()


def _intake(
    services: PlatformServices,
    answering: _Answering,
    *,
    later: float = 0.01,
    look: float = 60.0,
    hold: float = _HOLD_S,
) -> Intake[_Said]:
    form = MessageCodec(
        platform="test",
        read=lambda payload: _Said(thread=payload["thread"], order=payload["order"]),
        order_of=int,
        now=lambda: 1,
        key_of=lambda said: said.thread,
        lane_of=lambda said: said.thread,
    )
    return Intake(form, services, answering, later=later, hold=hold, look=look)


async def _answered(
    services: PlatformServices, answering: _Answering, *missed: int, live: tuple[int, ...] = ()
) -> None:
    """Run a process that fetches missed messages while others arrive live."""
    intake = _intake(services, answering)
    await intake.start()
    intake.gap()

    async def fetch(latest: dict[str, int], after: int, take: HandOver[_Said]) -> None:
        for order in live:
            await intake.keep(_Said(thread="t", order=order))
        for order in missed:
            await take(_Said(thread="t", order=order))

    await intake.catch_up(fetch)
    expected = {*missed, *live} | {int(one.message_id) for one in await services.inbox.unfinished("test")}
    async with asyncio.timeout(_PATIENCE_S):
        await answering.has_answered(expected)
    await intake.finish(within=1)


async def test_messages_left_by_a_process_wait_for_earlier_missed_ones(services: PlatformServices) -> None:
    """It received the third live, and was killed before it had fetched the first two."""
    await services.inbox.note_watermark("test", "1")
    await services.inbox.take_in(_Said(thread="t", order=30).event)
    answering = _Answering()
    await _answered(services, answering, 10, 20, 40)
    assert answering.answered == [10, 20, 30, 40]


async def test_an_open_message_that_arrives_again_keeps_its_place(
    services: PlatformServices,
) -> None:
    await services.inbox.note_watermark("test", "100")
    for order in (10, 20):
        await services.inbox.take_in(_Said(thread="t", order=order).event)
    answering = _Answering()
    intake = _intake(services, answering)
    await intake.start()
    intake.gap()
    for order in (10, 30):
        intake.hear(_Said(thread="t", order=order))
    await intake.catch_up(_nothing_missed)
    async with asyncio.timeout(_PATIENCE_S):
        await answering.has_answered({10, 20, 30})
    await intake.finish(within=1)
    assert answering.answered == [10, 20, 30]


async def test_live_messages_wait_for_open_ones_while_the_store_is_down(
    services: PlatformServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    await services.inbox.note_watermark("test", "1")
    await services.inbox.take_in(_Said(thread="t", order=10).event)
    answering = _Answering()
    intake = _intake(services, answering)
    await intake.start()
    intake.gap()
    await intake.keep(_Said(thread="t", order=20))
    with monkeypatch.context() as away:
        away.setattr(services.inbox, "unfinished", _store_away)
        assert not await intake.catch_up(_nothing_missed)
    assert await intake.catch_up(_nothing_missed)
    async with asyncio.timeout(_PATIENCE_S):
        await answering.has_answered({10, 20})
    await intake.finish(within=1)
    assert answering.answered == [10, 20]


async def _store_away(_platform: str) -> list[InboundEvent]:
    raise StorageError("The database is not accepting connections.")


async def test_it_does_not_wait_for_ever(services: PlatformServices, caplog: pytest.LogCaptureFixture) -> None:
    await services.inbox.note_watermark("test", "1")
    answering = _Answering()
    intake = _intake(services, answering, hold=0.01)
    await intake.start()
    intake.gap()
    await intake.keep(_Said(thread="t", order=30))

    async def fetch(latest: dict[str, int], after: int, take: HandOver[_Said]) -> None:
        async with asyncio.timeout(_PATIENCE_S):
            await answering.has_answered({30})

    assert await intake.catch_up(fetch)
    await intake.finish(within=1)
    assert [one.message for one in caplog.records if "is answered first" in one.message]


@pytest.mark.parametrize("where", ["deciding", "answering"])
async def test_a_thread_waits_for_an_answer_that_cannot_be_posted(services: PlatformServices, where: str) -> None:
    once = frozenset({10})
    answering = _Answering(undecided=once) if where == "deciding" else _Answering(out_of_reach=once)
    await services.inbox.note_watermark("test", "1")
    await _answered(services, answering, 10, 20, 30)
    assert answering.answered == [10, 20, 30]


async def _out_of_reach(services: PlatformServices, order: int) -> tuple[Intake[_Said], _Answering]:
    """A process that has an answer while the platform is down: the next retry is in an hour."""
    answering = _Answering(out_of_reach=frozenset({order}), inbox=services.inbox)
    intake = _intake(services, answering, later=3_600.0, look=0.01)
    await intake.start()
    await intake.catch_up(_nothing_missed)
    said = _Said(thread="t", order=order)
    await intake.keep(said)
    async with asyncio.timeout(_PATIENCE_S):
        await answering.was_put_off.wait()
    return intake, answering


async def test_an_event_that_an_operator_requeues_is_processed_at_once(
    services: PlatformServices, house: Application
) -> None:
    intake, answering = await _out_of_reach(services, 10)
    overview = Overview(house.database)
    (turn,) = await overview.undone()
    await overview.retry(turn.event_id)
    async with asyncio.timeout(_PATIENCE_S):
        await answering.has_answered({10})
    await intake.finish(within=1)
    assert answering.replies == [None]


async def test_an_event_that_an_operator_drops_is_not_answered_and_blocks_no_other(
    services: PlatformServices, house: Application
) -> None:
    intake, answering = await _out_of_reach(services, 10)
    overview = Overview(house.database)
    (turn,) = await overview.undone()
    await overview.drop(turn.event_id)
    await intake.keep(_Said(thread="t", order=20))
    async with asyncio.timeout(_PATIENCE_S):
        await answering.has_answered({20})
    await intake.finish(within=1)
    assert answering.answered == [20]


async def test_two_bots_on_one_database_receive_the_same_and_lose_nothing(services: PlatformServices) -> None:
    """What the first bot has done with a message does not concern the second."""
    heard = [_Said(thread="t", order=order) for order in (10, 20)]
    answerings = []
    for bot in ("first", "second"):
        own, answering = services.heard_by(partial(str, bot)), _Answering()
        answerings.append(answering)
        for said in heard:
            await own.inbox.take_in(said.event)
        if bot == "first":
            await own.inbox.note_watermark("test", "100")
        await _answered(own, answering)
    assert [one.answered for one in answerings] == [[10, 20], [10, 20]]
    assert await services.inbox.unfinished("test") == []


async def _nothing_missed(latest: dict[str, int], after: int, take: HandOver[_Said]) -> None:
    """Nothing."""
