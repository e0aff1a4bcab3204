"""A thread is called by the book, who asks, and a name or chapter that has been read; never by a page."""

import pytest

from core.domain.book import Chapter
from core.domain.conversation import Author
from core.domain.position import Pace
from tests.builders import ADA, BO, a_book_text
from tests.unit.club_house import CHANNEL, House

_PAGES = [
    "Then Mortimer lit the lamp. The captain was late, said Éloise.",
    "At noon Rose Tranter came, and a rose was in her hand. Again Mortimer slept.",
    "Later Silver Jack killed the pilot. They saw Silver Jack run.",
    "In the end it was Mortimer who hanged.",
]
_CHAPTERS = [
    Chapter(number=number, title=f"Chapter {number}: The Hanging", first_page=number, last_page=number)
    for number in (1, 2, 3, 4)
]
_NOTHING = "A Book: Ada asks, 1 May"


async def _house(page: str | None = "2") -> House:
    house = House()
    await house.reading(
        position=None, book=await house.add_book(a_book_text(_PAGES, title="A Book", chapters=_CHAPTERS))
    )
    if page is not None:
        await house.use("setpage", page, thread=CHANNEL)
    return house


async def _title(house: House, question: str = "", asker: Author = ADA) -> str:
    title = await house.titles.of(CHANNEL, asker, question)
    assert title is not None
    return title


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Who is Mortimer?", "Mortimer"),
        ("what did Mortimer's wife say", "Mortimer"),
        ("Does Eloise love Mortimer?", "Éloise"),
        ("Did Silver Jack kill Mortimer in the end?", "Mortimer"),
        ("What happens in chapter 2?", "chapter 2"),
        ("Is Mortimer hanged in chapter 4?", "Mortimer"),
    ],
)
async def test_a_name_or_chapter_that_has_been_read_tells_threads_apart(question: str, about: str) -> None:
    assert await _title(await _house(), question) == f"A Book: Ada asks about {about}"


@pytest.mark.parametrize(
    "question",
    [
        "Who is Silver Jack?",
        "Who is Balthasar?",
        "Who hangs in chapter 4?",
        "Who hangs in chapter 40?",
        "Who rose?",
        "",
    ],
)
async def test_of_what_has_not_been_read_and_of_other_words_a_title_says_nothing(question: str) -> None:
    assert await _title(await _house(), question) == _NOTHING


@pytest.mark.parametrize("page", [None, "0"])
async def test_where_nothing_is_read_a_title_is_the_book_the_asker_and_the_day(page: str | None) -> None:
    assert await _title(await _house(page), "Who is Mortimer?") == _NOTHING


async def test_a_title_goes_no_further_than_the_slowest_reader() -> None:
    house = await _house(None)
    reading_id = (await house.threads.club(CHANNEL)).reading_id
    await house.move(reading_id, 4, pace=Pace.SLOWEST)
    await house.places.set_member_position(reading_id, BO.member_id, 2)
    await house.clubs.spoke(reading_id, BO.member_id, house.clock.now())
    assert await _title(house, "Who is Silver Jack?") == _NOTHING
    assert await _title(house, "Who is Mortimer?") == "A Book: Ada asks about Mortimer"


async def test_a_long_title_and_a_long_name_leave_room_and_call_nobody() -> None:
    house = House()
    text = a_book_text(_PAGES, title="**A** @everyone `History` " * 20)
    await house.reading(position=None, book=await house.add_book(text))
    await house.use("setpage", "2", thread=CHANNEL)
    title = await _title(house, "Who is Mortimer?", Author(member_id="discord:9", display_name="<@7> _Max_ " * 9))
    assert len(title) <= 100
    assert title.startswith("A everyone History A")
    assert title.endswith("… asks about Mortimer")
    assert not set(title) & set("*_`<>@|~#")
