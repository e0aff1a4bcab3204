"""`recap` in its forms: private at one's own page, `here` at the thread's; what is ahead is as what is not there."""

import pytest

from core.domain.book import Chapter
from core.domain.conversation import Conversation
from core.domain.errors import PositionError
from core.domain.messages import NOT_BEGUN
from tests.builders import BO, a_book_text
from tests.unit.club_house import House
from tests.unit.world import THREAD

_CHAPTERS = [
    Chapter(number=n, title=f"Chapter {n}: Secret {n}", first_page=2 * n - 1, last_page=2 * n) for n in (1, 2, 3)
]


async def _house(position: int = 2, *, labels: list[str] | None = None) -> House:
    house = House()
    book = await house.add_book(a_book_text(chapters=_CHAPTERS, labels=labels))
    await house.reading(position=position, book=book)
    return house


async def test_it_is_told_to_the_asker_at_their_own_page_and_here_at_the_threads() -> None:
    house = await _house()
    await house.use("mypage", "4")
    own = await house.use("recap")
    assert own.announcement == ""
    assert "(pp. 1-4)" in own.text
    assert own.text.endswith("(up to p. 4)")
    here = await house.use("recap", "here")
    assert here.text == ""
    assert "(pp. 1-2)" in here.announcement
    assert "ledger" not in here.announcement
    assert "(pp. 1-2)" in (await house.use("recap", by=BO)).text


@pytest.mark.parametrize("chapter", ["ch 3", "chapter 3", "ch 99"])
async def test_a_chapter_that_is_not_begun_is_as_one_that_is_not_there(chapter: str) -> None:
    house = await _house(position=4)
    assert (await house.use("recap", chapter)).text == f"{NOT_BEGUN}\n\n(up to p. 4)"


async def test_what_is_earlier_comes_by_a_button_at_the_page_of_whoever_presses() -> None:
    house = House()
    chapters = [Chapter(number=n, title=f"Chapter {n}", first_page=n, last_page=n) for n in range(1, 31)]
    book = await house.add_book(a_book_text([f"Then Fenn said {n}." for n in range(1, 31)], chapters=chapters))
    await house.reading(position=30, book=book)
    first = await house.use("recap")
    second = await house.press(first.choices[0])
    third = await house.press(second.choices[0])
    told = [line for each in (third, second, first) for line in each.text.splitlines() if line.startswith("- ")]
    assert [line.split("**")[1] for line in told] == [f"Chapter {n}" for n in range(1, 31)]
    assert third.choices == ()
    await house.use("mypage", "3", by=BO)
    assert (await house.press(first.choices[0], by=BO)).text.startswith("I don't find that")


@pytest.mark.parametrize(
    ("text", "is_command"),
    [
        ("recap", True),
        ("recap ch 3", True),
        ("recap last here", True),
        ("recap since p. 40", True),
        ("recap of chapter two", False),
        ("recap please", False),
    ],
)
def test_said_to_the_bot_it_is_a_command_in_its_forms(text: str, *, is_command: bool) -> None:
    assert (House().commands.said(text) is not None) is is_command


async def _stand(house: House, position: int) -> None:
    conversation = (await house.threads.club(THREAD)).owner
    assert isinstance(conversation, Conversation)
    await house.stand(conversation, position)


async def test_since_ones_last_recap_the_story_goes_on_for_that_member_alone() -> None:
    house = await _house(position=2)
    assert "(pp. 1-2)" in (await house.use("recap", "since")).text
    await _stand(house, 3)
    assert "(p. 3)" in (await house.use("recap", "since")).text
    await _stand(house, 5)
    assert "(pp. 4-5)" in (await house.use("recap", "since")).text
    nothing = await house.use("recap", "since")
    assert nothing.text.startswith("Nothing new since your last recap")
    assert nothing.choices == ()
    assert "(pp. 1-5)" in (await house.use("recap", "since", by=BO)).text


async def test_who_went_back_is_told_nothing_from_where_they_were() -> None:
    house = await _house(position=5)
    await house.use("recap")
    await _stand(house, 2)
    assert (await house.use("recap", "since")).text.startswith("Nothing new")


async def test_what_one_members_last_recap_was_is_not_shown_to_all() -> None:
    house = await _house(position=2)
    with pytest.raises(PositionError, match="recap since"):
        await house.use("recap", "since here")
