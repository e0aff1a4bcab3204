"""A turn whose message another process has leased since: the process that lost the lease ends nothing."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.persistence.database import Database
from adapters.persistence.work import SqlWorkQueue
from core.domain.conversation import AskedAs, Turn, TurnOutcome
from core.domain.errors import LLMErrorCode, TakenOverError
from core.domain.inbound import EventState, InboundEvent
from core.domain.question import IncomingMessage, Reply
from core.domain.thread import Thread
from core.ports.turn_record import BegunTurn, TurnEnd
from tests.builders import ADA
from tests.contracts.stores import Stores

_NOW = datetime(2026, 11, 23, 18, tzinfo=UTC)
_EVENT = InboundEvent(platform="discord", bot="b", place="c1", message_id="1", ref="discord:c1:1")
_LONG, _OVER = timedelta(minutes=5), timedelta()


@pytest.fixture
def databases(shelf_url: str) -> Iterator[list[Database]]:
    """One store as two processes see it."""
    with closing(Database(shelf_url)) as first, closing(Database(shelf_url)) as second:
        yield [first, second]


async def _begun(stores: Stores) -> Turn:
    asked = IncomingMessage(
        thread=Thread(scope="local", place="club", thread="one"), author=ADA, text="Who?", ref=_EVENT.ref, heard_by="b"
    )
    begun = await stores.record.begin(asked, now=_NOW, latest=9)
    assert isinstance(begun, BegunTurn)
    assert begun.turn is not None
    return begun.turn


def _failed() -> TurnEnd:
    reply = Reply(text="It took too long.", failed=True, is_kept=True)
    return TurnEnd(
        outcome=TurnOutcome(text=""),
        messages=(),
        error_code=LLMErrorCode.TIMEOUT,
        ref=_EVENT.ref,
        heard_by="b",
        reply=reply,
    )


async def _claimed_by_the_first(databases: list[Database]) -> tuple[Stores, Stores, list[SqlWorkQueue]]:
    """A book is read, and a message about it is leased by the first of two processes, for no time."""
    late, other = (Stores(database) for database in databases)
    reading = await late.readings.get_or_create(scope="local", place="club", book_id=(await late.add_book()).book_id)
    await late.readings.move(reading, 4, member_id="ada")
    await late.inbox.take_in(_EVENT)
    queues = [SqlWorkQueue(database) for database in databases]
    await queues[0].offer(_EVENT, thread="t", order=1, asked=AskedAs.YES)
    assert await queues[0].claim("discord", bot="b", lease=_OVER) is not None
    return late, other, queues


async def test_a_process_that_lost_the_lease_ends_nothing_and_is_told(databases: list[Database]) -> None:
    late, other, queues = await _claimed_by_the_first(databases)
    turn = await _begun(late)
    assert await queues[1].claim("discord", bot="b", lease=_LONG) is not None
    again = await _begun(other)
    with pytest.raises(TakenOverError):
        await late.record.end(turn, _failed(), now=_NOW)
    (left,) = await other.inbox.unfinished("discord")
    assert (left.state, left.reply) == (EventState.BEGUN, None)
    await other.record.end(again, _failed(), now=_NOW)
    (left,) = await other.inbox.unfinished("discord")
    assert left.state is EventState.ANSWERED


async def test_a_failure_that_another_process_reported_is_not_answered_later(databases: list[Database]) -> None:
    late, other, queues = await _claimed_by_the_first(databases)
    turn = await _begun(late)
    assert await queues[1].claim("discord", bot="b", lease=_LONG) is not None
    await other.record.end(await _begun(other), _failed(), now=_NOW)
    await other.inbox.finish(_EVENT)
    with pytest.raises(TakenOverError):
        await late.record.end(turn, replace(_failed(), error_code=None), now=_NOW)


async def test_an_event_with_an_expired_lease_is_ended_by_any_process(databases: list[Database]) -> None:
    """As when a club goes back to a single process, which uses no leases."""
    late, other, _ = await _claimed_by_the_first(databases)
    await _begun(late)
    turn = await _begun(other)
    await other.record.end(turn, _failed(), now=_NOW)
    (left,) = await other.inbox.unfinished("discord")
    assert left.state is EventState.ANSWERED


@pytest.mark.parametrize(
    ("thread", "member_id", "is_dropped"),
    [("one", ADA.member_id, True), ("one", None, True), ("one", "bo", False), ("on", None, False)],
    ids=["the asker", "an organiser", "another member", "another thread"],
)
async def test_a_question_that_another_process_answers_can_be_dropped(
    databases: list[Database], thread: str, member_id: str | None, is_dropped: bool
) -> None:
    late, _, queues = await _claimed_by_the_first(databases)
    await queues[0].claim("discord", bot="b", lease=_LONG)
    await _begun(late)
    where = Thread(scope="local", place="club", thread=thread)
    assert await queues[1].drop(where, member_id=member_id) is is_dropped
    assert await queues[0].renew(_EVENT, lease=_LONG) is not is_dropped
