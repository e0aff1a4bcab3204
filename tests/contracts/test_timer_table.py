"""What every TimerTable does."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.thread import Thread
from core.domain.timer import ClaimedTimer, Timer
from core.ports.timers import TimerTable
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_NOW = datetime(2026, 3, 8, 18, tzinfo=UTC)
_LEASE = timedelta(minutes=5)
_HOUR = timedelta(hours=1)
_CLUB = Thread(scope="discord:1", place="club", thread="7")


@pytest.fixture
def timers(stores: Stores) -> TimerTable:
    return stores.timers


async def _kept(stores: Stores, timer: Timer | None = None, *, book: str = "A Book") -> Timer:
    """Keep a timer about what its club reads."""
    timer = timer or Timer(kind="reminder", name="1", thread=_CLUB, due=_NOW, late=12 * _HOUR)
    scope, place = timer.thread.scope, timer.thread.place
    reading = await stores.readings.current(scope=scope, place=place)
    if reading is None:
        added = await stores.add_book(a_book_text(title=book), scope=scope)
        reading = await stores.readings.get_or_create(scope=scope, place=place, book_id=added.book_id)
    timer = replace(timer, reading_id=reading.reading_id)
    await stores.timers.keep(timer)
    return timer


async def _claim(timers: TimerTable, *, at: datetime = _NOW, scope: str = "discord:1") -> list[ClaimedTimer]:
    return await timers.claim(scopes=[scope], now=at, lease=_LEASE, most=9)


async def test_what_is_due_is_given_to_one_alone_and_done_for_good(stores: Stores, timers: TimerTable) -> None:
    timer = await _kept(stores, Timer(kind="k", name="n", thread=_CLUB, due=_NOW, late=_HOUR, payload={"section": "2"}))
    assert await _claim(timers, at=_NOW - timedelta(seconds=1)) == []
    (claimed,) = await _claim(timers)
    assert claimed.timer == timer
    assert (claimed.begun, claimed.attempts) == (_NOW, 1)
    assert await _claim(timers) == []
    await timers.done(claimed)
    assert await _claim(timers, at=_NOW + 9 * _HOUR) == []
    assert await timers.waiting(thread=_CLUB, kind="k") == []


async def test_what_a_process_leaves_behind_is_given_again_once_its_lease_is_over(
    stores: Stores, timers: TimerTable
) -> None:
    await _kept(stores)
    (lost,) = await _claim(timers)
    assert await _claim(timers, at=_NOW + _LEASE - timedelta(seconds=1)) == []
    (again,) = await _claim(timers, at=_NOW + _LEASE)
    assert (again.begun, again.attempts, again.timer_id, again.ref) == (_NOW, 2, lost.timer_id, lost.ref)
    await timers.done(lost)  # whose claim is over: it has no say any more
    assert len(await timers.waiting(thread=_CLUB, kind="reminder")) == 1
    await timers.put_off(lost, until=_NOW)
    assert await _claim(timers, at=_NOW + _LEASE) == []
    await timers.done(again, dropped=True)
    assert await timers.waiting(thread=_CLUB, kind="reminder") == []


async def test_one_of_the_same_name_takes_its_place_whatever_had_become_of_it(
    stores: Stores, timers: TimerTable
) -> None:
    timer = await _kept(stores)
    (claimed,) = await _claim(timers)
    later = replace(timer, due=_NOW + _HOUR)
    await timers.keep(later)
    await timers.done(claimed)  # of the one before
    assert await timers.waiting(thread=_CLUB, kind="reminder") == [later]
    (claimed,) = await _claim(timers, at=_NOW + _HOUR)
    await timers.done(claimed)
    await timers.keep(timer)
    assert await timers.waiting(thread=_CLUB, kind="reminder") == [timer]


@pytest.mark.parametrize(
    ("scope", "served", "is_given"),
    [
        ("discord:1", "discord:", True),
        ("discord:1", "discord:12", False),
        ("discord:12", "discord:1", False),
        ("slack:dm:T1:U1", "slack:dm:T1:", True),
        ("slack:dm:T1:U1", "slack:T1", False),
        ("discord:_", "discord:%", False),
    ],
)
async def test_only_the_scopes_that_are_served_are_given(
    stores: Stores, timers: TimerTable, scope: str, served: str, is_given: bool
) -> None:
    place = Thread(scope=scope, place="club", thread="")
    await _kept(stores, Timer(kind="k", name="n", thread=place, due=_NOW, late=_HOUR))
    assert bool(await _claim(timers, scope=served)) is is_given
    assert await timers.claim(scopes=[], now=_NOW, lease=_LEASE, most=9) == []


async def test_those_of_a_kind_can_be_let_go_or_one_of_a_name(stores: Stores, timers: TimerTable) -> None:
    for kind, name in (("k", "1"), ("k", "2"), ("k", "3"), ("other", "1")):
        await _kept(stores, Timer(kind=kind, name=name, thread=_CLUB, due=_NOW, late=_HOUR))
    await _kept(stores, Timer(kind="k", name="1", thread=replace(_CLUB, place="x"), due=_NOW, late=_HOUR), book="B")
    assert await timers.cancel(thread=_CLUB, kind="k", name="2") == 1
    assert await timers.cancel(thread=_CLUB, kind="k") == 2
    assert {(one.timer.kind, one.timer.thread.place) for one in await _claim(timers)} == {("other", "club"), ("k", "x")}


async def test_they_go_with_their_club_their_book_and_their_member(stores: Stores, timers: TimerTable) -> None:
    mine = Timer(kind="k", name="ada's", thread=_CLUB, due=_NOW, late=_HOUR, member_id="ada")
    await _kept(stores, mine)
    await _kept(stores, replace(mine, name="ben's", member_id="ben"))
    await _kept(stores, replace(mine, thread=replace(_CLUB, scope="discord:2")))
    await stores.clubs.forget_member(scope="discord:1", member_id="ada")
    assert [one.name for one in await timers.waiting(thread=_CLUB, kind="k")] == ["ben's"]
    elsewhere = replace(_CLUB, scope="discord:2")
    assert len(await timers.waiting(thread=elsewhere, kind="k")) == 1
    await stores.clubs.forget_club(scope="discord:2", place="club")
    assert await timers.waiting(thread=elsewhere, kind="k") == []
    reading = await stores.readings.current(scope="discord:1", place="club")
    assert reading is not None
    await stores.books.remove(reading.book_id)
    assert await _claim(timers) == []


async def test_what_is_over_is_forgotten_after_a_while(stores: Stores, timers: TimerTable) -> None:
    for name in ("1", "2"):
        await _kept(stores, Timer(kind="k", name=name, thread=_CLUB, due=_NOW, late=_HOUR))
    await timers.done((await _claim(timers))[0])
    assert await timers.prune(_NOW) == 0
    assert await timers.prune(_NOW + _HOUR) == 1
    assert [one.name for one in await timers.waiting(thread=_CLUB, kind="k")] == ["2"]
