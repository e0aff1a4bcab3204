"""Two linked clubs, each served by its own process: concurrent changes never separate them."""

import asyncio
import random
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlmodel import Session, col, select

from adapters.persistence.club_links import SqlClubLinks
from adapters.persistence.database import Database
from adapters.persistence.readings import SqlReadingRepository
from adapters.persistence.tables import PositionChangeRow, ReadingRow
from bot.system_clock import SystemClock
from core.domain.club_link import Code, Offer, new_secret
from core.domain.errors import BookError
from core.domain.position import Position
from core.domain.thread import Thread
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_ONE = Thread(scope="discord:1", place="7", thread="")
_OTHER = Thread(scope="slack:T1", place="C1", thread="")
_THIRD = Thread(scope="discord:2", place="9", thread="")
_NOW = datetime(2026, 3, 1, tzinfo=UTC)
_EACH = 20
_PAGES = [f"This is page {number}." for number in range(1, 51)]


@pytest.fixture
def processes(shelf_url: str) -> Iterator[list[Stores]]:
    """Two over one database."""
    databases = [Database(shelf_url) for _ in range(2)]
    yield [Stores(database) for database in databases]
    for database in databases:
        database.close()


async def _given(stores: Stores, place: Thread = _ONE) -> Code:
    """Let a club read something, and give a code."""
    book = await stores.add_book(a_book_text(_PAGES), scope=place.scope)
    await stores.readings.get_or_create(scope=place.scope, place=place.place, book_id=book.book_id)
    secret = new_secret()
    hashed = Code(offer_id=0, secret=secret).hashed
    return Code(offer_id=await stores.links.offer(place, made_by="olga", secret_hash=hashed, now=_NOW), secret=secret)


async def _agreed(stores: Stores) -> Offer:
    offer = await stores.links.take(_OTHER, await _given(stores), now=_NOW)
    assert offer is not None
    assert offer.terms is not None
    agreed = await stores.links.agree(_OTHER, offer.offer_id, mark=offer.terms.mark, now=_NOW)
    assert agreed is not None
    return agreed


async def _joined(stores: Stores) -> tuple[str, str]:
    """Join both; return the ids of their readings."""
    offer = await _agreed(stores)
    assert offer.terms is not None
    assert await stores.links.join(_ONE, offer.offer_id, mark=offer.terms.mark, member_id="olga", now=_NOW)
    ours = await stores.readings.current(scope=_ONE.scope, place=_ONE.place)
    theirs = await stores.readings.current(scope=_OTHER.scope, place=_OTHER.place)
    assert ours is not None
    assert theirs is not None
    return ours.reading_id, theirs.reading_id


async def test_both_are_always_at_the_same_page(processes: list[Stores], shelf_url: str) -> None:
    ours, theirs = await _joined(processes[0])
    watching, done = Database(shelf_url), asyncio.Event()

    async def watch() -> int:
        """Check both in one transaction, until all is done."""

        def both(session: Session) -> list[Position]:
            return [session.get_one(ReadingRow, one).current_page for one in (ours, theirs)]

        looked = 0
        while not done.is_set():
            one, other = await watching.read(both)
            assert one == other
            looked += 1
        return looked

    async def move(stores: Stores, reading_id: str, seed: int) -> None:
        drawn, reading = random.Random(seed), await stores.readings.get(reading_id)
        for _ in range(_EACH):
            if drawn.random() < 0.3:
                await stores.readings.undo(reading)
            else:
                await stores.readings.move(reading, drawn.randrange(1, 51), member_id=f"m{seed}")

    looking = asyncio.create_task(watch())
    await asyncio.gather(move(processes[0], ours, 1), move(processes[1], theirs, 2))
    done.set()
    assert await looking > 0
    history = await watching.read(lambda session: [_history(session, one) for one in (ours, theirs)])
    assert history[0] == history[1] != []
    watching.close()


async def test_a_code_that_two_clubs_use_at_once_works_for_one(processes: list[Stores]) -> None:
    code = await _given(processes[0])
    taken = await asyncio.gather(
        *(one.links.take(place, code, now=_NOW) for one, place in zip(processes, (_OTHER, _THIRD), strict=True))
    )
    assert sorted(offer is None for offer in taken) == [False, True]


async def test_a_concurrent_move_and_unlinking_leave_both_consistent(processes: list[Stores], shelf_url: str) -> None:
    ours, theirs = await _joined(processes[0])
    here, there = [await processes[0].readings.get(one) for one in (ours, theirs)]
    await asyncio.gather(
        processes[0].readings.move(here, 30, member_id="olga"),
        processes[1].links.end(_OTHER),
        processes[1].readings.move(there, 20, member_id="sam"),
    )
    database = Database(shelf_url)
    readings, links = SqlReadingRepository(database, clock=SystemClock()), SqlClubLinks(database)
    pages = [(await readings.get(one)).current_page for one in (ours, theirs)]
    assert set(pages) <= {20, 30}
    assert [await links.beside(one) for one in (ours, theirs)] == [None, None]
    database.close()


async def test_removing_a_book_on_one_side_does_not_affect_the_other(
    processes: list[Stores],
) -> None:
    ours, theirs = await _joined(processes[0])
    book_id = (await processes[0].readings.get(ours)).book_id
    there = await processes[1].readings.get(theirs)
    await asyncio.gather(
        processes[0].books.remove(book_id),
        processes[1].readings.move(there, 20, member_id="sam"),
    )
    assert (await processes[1].readings.get(theirs)).current_page == 20
    with pytest.raises(BookError):
        await processes[1].readings.get(ours)


def _history(session: Session, reading_id: str) -> list[tuple[Position, Position, bool]]:
    rows = session.exec(
        select(PositionChangeRow)
        .where(PositionChangeRow.reading_id == reading_id)
        .order_by(col(PositionChangeRow.change_id))
    )
    return [(row.from_page, row.to_page, row.undone) for row in rows]
