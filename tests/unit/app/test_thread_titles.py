"""A thread is called by the book, the page and who asks, whatever is asked."""

import pytest

from core.app.threads import ThreadTitles
from core.domain.conversation import Author
from core.domain.position import Pace
from tests.builders import ADA, BO, a_book_text
from tests.unit.app.commands.house import CHANNEL, House


def _titles(house: House) -> ThreadTitles:
    return ThreadTitles(threads=house.threads, clock=house.clock)


@pytest.mark.parametrize(
    ("page", "pace", "title"),
    [
        (None, Pace.THREAD, "The Marrow Light: Ada asks"),
        (0, Pace.THREAD, "The Marrow Light: Ada asks"),
        (5, Pace.THREAD, "The Marrow Light to p. 5: Ada asks"),
        (5, Pace.SLOWEST, "The Marrow Light to p. 2: Ada asks"),
    ],
)
async def test_a_title_is_the_book_the_page_and_the_asker(page: int | None, pace: Pace, title: str) -> None:
    house = House()
    reading_id = (await house.reading(position=None)).reading_id
    house.readings.move(reading_id, page, pace=pace)
    await house.use("mypage", "2", by=BO)
    await house.clubs.spoke(reading_id, BO.member_id, house.clock.now())
    assert await _titles(house).of(CHANNEL, ADA) == title


async def test_where_there_is_no_book_there_is_no_thread_to_name() -> None:
    assert await _titles(House()).of(CHANNEL, ADA) is None


async def test_a_long_title_and_a_long_name_leave_room_for_the_page() -> None:
    house = House()
    text = a_book_text(title="A History " * 20)
    await house.reading(position=None, book=await house.add_book(text))
    await house.use("setpage", "5", thread=CHANNEL)
    title = await _titles(house).of(CHANNEL, Author(member_id="discord:9", display_name="Maximiliane " * 5))
    assert title is not None
    assert len(title) <= 100
    assert " to p. 5: Maximiliane" in title
    assert title.endswith("… asks")
