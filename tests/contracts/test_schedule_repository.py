"""What every ScheduleRepository does."""

from datetime import date, time

import pytest

from core.domain.errors import BookError
from core.domain.schedule import DatedSection, Reminding, Schedule
from core.ports.schedules import ScheduleRepository
from tests.builders import a_book_text
from tests.contracts.stores import Stores

_SCHEDULE = Schedule(
    at=time(19, 30),
    zone="Europe/Berlin",
    weeks=2,
    sections=(
        DatedSection(number=1, first_page=1, last_page=2, day=date(2026, 3, 22)),
        DatedSection(number=2, first_page=3, last_page=4, day=date(2026, 4, 5), thread="7"),
    ),
    reminding=Reminding(thread="7", role="9", wanted_by="olga"),
)


@pytest.fixture
def schedules(stores: Stores) -> ScheduleRepository:
    return stores.kept_schedules


async def _reading(stores: Stores, *, title: str = "A Book", place: str = "club") -> str:
    book = await stores.add_book(a_book_text(title=title))
    return (await stores.readings.get_or_create(scope="local", place=place, book_id=book.book_id)).reading_id


async def test_it_goes_with_its_book_and_its_club(stores: Stores, schedules: ScheduleRepository) -> None:
    first, second = await _reading(stores), await _reading(stores, title="Other", place="elsewhere")
    for reading_id in (first, second):
        await schedules.keep(reading_id, _SCHEDULE)
    reading = await stores.readings.get(first)
    await stores.books.remove(reading.book_id)
    await stores.clubs.forget_club(scope="local", place="elsewhere")
    assert [await schedules.get(one) for one in (first, second)] == [None, None]
    with pytest.raises(BookError):
        await schedules.keep(first, _SCHEDULE)


async def test_who_wanted_reminders_is_forgotten_and_the_reminders_go_on(
    stores: Stores, schedules: ScheduleRepository
) -> None:
    reading_id = await _reading(stores)
    await schedules.keep(reading_id, _SCHEDULE)
    await stores.clubs.forget_member(scope="local", member_id="ada")
    assert await schedules.get(reading_id) == _SCHEDULE
    await stores.clubs.forget_member(scope="local", member_id="olga")
    kept = await schedules.get(reading_id)
    assert kept is not None
    assert kept.reminding == Reminding(thread="7", role="9")
