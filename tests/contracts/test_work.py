"""What every WorkQueue does: one process at a time has a thread's first question, for as long as it holds its lease."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.persistence.database import Database
from adapters.persistence.inbox import SqlInbox
from adapters.persistence.work import SqlWorkQueue
from core.domain.conversation import AskedAs
from core.domain.inbound import DIED_ALONE, EventState, InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox
from core.ports.work import WorkQueue

_LONG, _OVER = timedelta(minutes=5), timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """One inbox, and its work as two processes see it."""

    inbox: Inbox
    one: WorkQueue
    other: WorkQueue

    async def offer(self, number: int, *, thread: str = "t", bot: str = "b") -> InboundEvent:
        event = InboundEvent(
            platform="discord",
            bot=bot,
            place=thread,
            message_id=str(number),
            payload={"text": f"Who {number}?"},
            ref=f"r{number}",
        )
        await self.inbox.take_in(event)
        await self.one.offer(event, thread=thread, order=number, asked=AskedAs.LIKELY)
        return event


async def _claimed(queue: WorkQueue, lease: timedelta = _LONG) -> str | None:
    event = await queue.claim("discord", bot="b", lease=lease)
    return None if event is None else event.message_id


@pytest.fixture(params=["sql", "postgres"])
def shared(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> Iterator[Shared]:
    file = shutil.copy(empty_database, tmp_path / "thusfar.db")
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else f"sqlite:///{file}"
    with closing(Database(url)) as first, closing(Database(url)) as second:
        yield Shared(inbox=SqlInbox(first), one=SqlWorkQueue(first), other=SqlWorkQueue(second))


async def test_a_threads_questions_are_claimed_in_order_and_threads_side_by_side(shared: Shared) -> None:
    second, first = await shared.offer(20), await shared.offer(10)
    await shared.offer(15, thread="u")
    assert [await _claimed(queue) for queue in (shared.one, shared.other, shared.other)] == ["10", "15", None]
    await shared.inbox.settle(first, Reply(text="Ada."))
    assert await _claimed(shared.other) is None
    await shared.inbox.posted(first, ["m"])
    assert await _claimed(shared.other) == second.message_id


async def test_what_is_claimed_says_what_was_decided_and_is_nobody_elses_bots(shared: Shared) -> None:
    await shared.offer(10, bot="another")
    assert await _claimed(shared.one) is None
    await shared.offer(11)
    claimed = await shared.one.claim("discord", bot="b", lease=_LONG)
    assert claimed is not None
    assert (claimed.asked, claimed.payload) == (AskedAs.LIKELY, {"text": "Who 11?"})


async def test_a_lease_that_has_run_out_is_anothers_and_the_first_one_learns_of_it(shared: Shared) -> None:
    event = await shared.offer(10)
    assert await _claimed(shared.one, _OVER) == "10"
    assert await shared.one.renew(event, lease=_OVER)
    assert await _claimed(shared.other) == "10"
    assert not await shared.one.renew(event, lease=_LONG)
    assert await shared.other.renew(event, lease=_LONG)
    await shared.one.give_back(event, after=_OVER)
    assert await _claimed(shared.one) is None
    await shared.inbox.finish(event)
    assert not await shared.other.renew(event, lease=_LONG)


@pytest.mark.parametrize(("beside", "blame"), [(False, DIED_ALONE), (True, 0)])
async def test_what_a_process_died_of_counts_where_it_ran_alone(shared: Shared, beside: bool, blame: int) -> None:
    event = await shared.offer(10)
    if beside:
        await shared.offer(11, thread="u")
    assert await _claimed(shared.one) == "10"
    if beside:
        assert await _claimed(shared.one) == "11"
    assert await shared.inbox.begin(event) == 1
    await shared.one.renew(event, lease=_OVER)
    other = await shared.other.claim("discord", bot="b", lease=_LONG)
    assert other is not None
    assert (other.message_id, other.state, other.attempts, other.blame) == ("10", EventState.RECEIVED, 1, blame)


async def test_what_is_given_back_waits_and_has_not_been_tried(shared: Shared) -> None:
    event = await shared.offer(10)
    await _claimed(shared.one)
    await shared.inbox.begin(event)
    await shared.one.give_back(event, after=_LONG)
    assert await _claimed(shared.other) is None
    (left,) = await shared.inbox.unfinished("discord")
    assert (left.state, left.attempts) == (EventState.RECEIVED, 0)


async def test_an_edit_reaches_what_is_offered_and_a_deletion_ends_it(shared: Shared) -> None:
    event = await shared.offer(10)
    await shared.one.amend("r10", bot="b", text="Who is she?")
    await shared.one.amend("r10", bot="another", text=None)
    claimed = await shared.other.claim("discord", bot="b", lease=_LONG)
    assert claimed is not None
    assert claimed.payload == {"text": "Who is she?"}
    await shared.one.amend("r10", bot="b", text=None)
    assert not await shared.other.renew(event, lease=_LONG)
    assert await shared.inbox.unfinished("discord") == []
