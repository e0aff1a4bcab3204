"""Questions to talk about: from the chapter read last, of read names and sentences, and none that knows a future."""

import re

import pytest

from core.domain.book import Chapter
from core.domain.messages import NOT_BEGUN
from core.guard.draft import MOST_WORDS
from tests.builders import BO, a_book_text
from tests.unit.club_house import House

_PAGES = (
    "In the morning Fenn said to the pilot that the ferry would not sail on that day of the storm. So Fenn went home.",
    "The ledger lay on the table all day, and nobody touched the ledger at all. Then Ada asked, and so Fenn laughed.",
    "On the next day Ada said that the ledger was gone from the table again. And the stranger Quill looked at it.",
    "At last Quill said that he had drowned the pilot for the sake of the ledger, and so the magistrate wept for him.",
)
_CHAPTERS = [Chapter(number=n, title=f"Chapter {n}", first_page=n, last_page=n + (n == 2)) for n in (1, 2, 4)]


async def _house(position: int = 3) -> House:
    house = House()
    await house.reading(position=position, book=await house.add_book(a_book_text(_PAGES, chapters=_CHAPTERS)))
    return house


async def test_three_questions_about_the_chapter_read_last_for_the_asker_alone() -> None:
    house = await _house()
    shown = await house.use("discuss")
    assert shown.announcement == ""
    assert re.findall(r"\*\*(\d)\.\*\*", shown.text) == ["1", "2", "3"]
    assert "ledger" in shown.text
    assert "Fenn and Ada" in shown.text or "Ada and Fenn" in shown.text
    assert "ferry" not in shown.text
    assert "drowned" not in shown.text
    assert shown.text.endswith("(up to p. 3)")


async def test_here_they_stand_for_all_at_the_threads_page() -> None:
    house = await _house(position=1)
    await house.use("mypage", "4")
    here = await house.use("discuss", "here")
    assert here.text == ""
    assert "ledger" not in here.announcement
    assert here.announcement.endswith("(up to p. 1)")


async def test_another_comes_by_the_button_until_there_is_none() -> None:
    house = await _house()
    shown = await house.use("discuss")
    told = [shown.text]
    while shown.choices:
        shown = await house.press(shown.choices[0])
        told.append(shown.text)
    assert 2 < len(told) < 20
    assert len(set(told)) == len(told)
    late = await house.use("discuss", "here")
    await house.use("mypage", "1", by=BO)
    assert (await house.press(late.choices[0], by=BO)).text.startswith("I have no other question")


@pytest.mark.parametrize("number", ["4", "99"])
async def test_a_chapter_that_is_not_begun_is_as_one_that_is_not_there(number: str) -> None:
    house = await _house()
    assert (await house.use("discuss", number)).text == f"{NOT_BEGUN}\n\n(up to p. 3)"


async def test_no_more_of_the_book_is_quoted_than_may_be() -> None:
    for position in (1, 2, 3, 4):
        text = (await (await _house(position)).use("discuss")).text
        quoted = [line for line in text.splitlines() if ">" in line]
        assert sum(len(line.split()) for line in quoted) <= MOST_WORDS
