"""A writer that stalls in its transaction, like a stopped process: no one else waits for it."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from typing_extensions import override

from adapters.persistence import postgres as backend
from adapters.persistence.database import Database
from adapters.persistence.work import SqlWorkQueue
from core.domain.conversation import AskedAs, Turn, TurnOutcome
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.ports.turn_record import BegunTurn, TurnEnd
from tests.builders import ADA
from tests.contracts.stores import Stores
from tests.patience import PATIENCE_S

_NOW = datetime(2026, 11, 25, tzinfo=UTC)
_LONG = timedelta(minutes=5)
_ONE, _OTHER = "one", "other"


class StallingDatabase(Database):
    """Stalls before its next commit, once told to, until it may go on."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.is_to_stall, self.stalls, self.may_go_on = threading.Event(), threading.Event(), threading.Event()

    @override
    def _in_session(self, work: Any, engine: Any) -> Any:
        return super()._in_session(lambda session: self._stalled(work, session), engine)

    def _stalled(self, work: Any, session: Any) -> Any:
        done = work(session)
        if self.is_to_stall.is_set():
            session.flush()
            self.stalls.set()
            assert self.may_go_on.wait(PATIENCE_S)
        return done


class Club:
    """A club with one thread, as one process sees it."""

    def __init__(self, database: Database, name: str) -> None:
        self.stores: Stores = Stores(database)
        self.work = SqlWorkQueue(database)
        self._name = name

    async def read(self) -> None:
        scope = f"discord:{self._name}"
        book = await self.stores.add_book(scope=scope)
        reading = await self.stores.readings.get_or_create(scope=scope, place="p", book_id=book.book_id)
        await self.stores.readings.move(reading, 2, member_id="ada")

    def event(self, number: int) -> InboundEvent:
        return InboundEvent(platform="discord", bot="b", place=self._name, message_id=str(number), ref=self.ref(number))

    def ref(self, number: int) -> str:
        return f"discord:{self._name}:{number}"

    async def take_in(self, number: int) -> None:
        assert await self.stores.inbox.take_in(self.event(number))

    async def offer(self, number: int) -> None:
        await self.work.offer(self.event(number), thread=self._name, order=number, asked=AskedAs.YES)

    async def claim(self) -> InboundEvent | None:
        return await self.work.claim("discord", bot="b", lease=_LONG)

    async def begin(self, number: int) -> Turn:
        asked = IncomingMessage(
            thread=Thread(scope=f"discord:{self._name}", place="p", thread="t"),
            author=ADA,
            text="Who?",
            ref=self.ref(number),
            heard_by="b",
        )
        begun = await self.stores.record.begin(asked, now=_NOW, latest=9)
        assert isinstance(begun, BegunTurn)
        assert begun.turn is not None
        return begun.turn

    async def end(self, turn: Turn, number: int) -> None:
        end = TurnEnd(outcome=TurnOutcome(text="Ada."), messages=(), ref=self.ref(number), heard_by="b")
        await self.stores.record.end(turn, end, now=_NOW)

    async def answer(self, number: int) -> None:
        """Do all store operations of a question, from receiving it to finishing it."""
        await self.take_in(number)
        await self.offer(number)
        claimed = await self.claim()
        assert claimed is not None
        assert claimed.message_id == str(number)
        await self.end(await self.begin(number), number)
        assert await self.work.renew(self.event(number), lease=_LONG)
        await self.stores.inbox.posted(self.event(number), ["m"])
        await self.stores.inbox.finish(self.event(number))


async def _begins(club: Club) -> None:
    await club.begin(3)


async def _ends(club: Club) -> None:
    await club.end(await club.begin(1), 1)


async def _claims(club: Club) -> None:
    assert await club.claim() is not None


async def _hears(club: Club) -> None:
    await club.take_in(4)


async def _offers(club: Club) -> None:
    await club.offer(2)


@pytest.fixture
def stalling(postgres_url: str) -> Iterator[StallingDatabase]:
    with closing(StallingDatabase(postgres_url)) as database:
        yield database
        database.may_go_on.set()


@pytest.mark.parametrize("does", [_begins, _ends, _claims, _hears, _offers])
async def test_a_stalled_writer_delays_no_other_club(
    stalling: StallingDatabase, postgres: Database, does: Callable[[Club], Coroutine[None, None, None]]
) -> None:
    one, other = Club(stalling, _ONE), Club(postgres, _OTHER)
    await one.read()
    await other.read()
    await one.take_in(1)
    await one.take_in(2)
    await one.offer(1)
    if does is not _claims:
        await _claims(one)
    stalling.is_to_stall.set()
    standing = asyncio.create_task(does(one))
    assert await asyncio.to_thread(stalling.stalls.wait, PATIENCE_S)
    for number in range(11, 15):
        await other.answer(number)
    await other.stores.inbox.note_watermark("discord", "14")
    assert not standing.done()
    stalling.is_to_stall.clear()
    stalling.may_go_on.set()
    await standing


async def test_a_writer_blocked_by_a_stalled_one_fails_after_a_moment(
    stalling: StallingDatabase, postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, same = Club(stalling, _ONE), Club(postgres, _ONE)
    await one.read()
    turn = await one.begin(1)
    monkeypatch.setattr(backend, "_BEGIN_WRITING", backend._BEGIN_WRITING.replace("5s", "50ms"))
    monkeypatch.setitem(backend._TRIED_FOR_S, "55P03", 0.0)
    stalling.is_to_stall.set()
    standing = asyncio.create_task(one.end(turn, 1))
    assert await asyncio.to_thread(stalling.stalls.wait, PATIENCE_S)
    with pytest.raises(StorageError, match="lock timeout"):
        await same.end(turn, 1)
    stalling.is_to_stall.clear()
    stalling.may_go_on.set()
    await standing
