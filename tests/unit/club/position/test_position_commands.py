"""`setpage`, `where`, `mypage` and the buttons under a move."""

import pytest

from core.club.commands.values import Choice, CommandResponse
from core.club.position.asked_back import CLUB
from core.domain.book import Chapter
from core.domain.errors import NotPermittedError, PositionError, ThusfarError
from core.domain.messages import NO_BOOK
from core.domain.position import Pace, PageControl
from core.domain.thread import Thread
from tests.builders import ADA, BO, a_book_text
from tests.unit.club_house import CHANNEL, House
from tests.unit.world import OTHER_THREAD, THREAD


async def _move(house: House, to: str, *, thread: Thread = THREAD) -> tuple[Choice, Choice]:
    undo, only_me = (await house.use("setpage", to, thread=thread)).choices
    return undo, only_me


async def test_a_move_is_told_to_all_and_its_last_words_to_the_mover() -> None:
    house = House()
    await house.reading(position=None)
    moved = await house.use("setpage", "2")
    assert moved.announcement == "Ada set the thread to p. 2 (33 %)."
    assert moved.text.endswith("None of his clocks ever agreed.”")
    assert [choice.label for choice in moved.choices] == ["Undo", "Only for me"]
    assert await house.page_for_all() == 2


async def test_a_leap_waits_for_its_button() -> None:
    house = House()
    await house.reading(position=2)
    asked = await house.use("setpage", "end")
    assert (asked.text, asked.announcement) == ("From p. 2 to p. 6 of 6 is a big leap. Is that right?", "")
    assert await house.page_for_all() == 2
    moved = await house.press(asked.choices[0])
    assert moved.announcement.startswith("Ada moved the thread from p. 2 to p. 6 (100 %).")
    assert await house.page_for_all() == 6


BACK = "That takes everyone back from p. 6 to {}. Is it only you?"


async def _asked_for_all(house: House, asked: CommandResponse, to: str = "p. 2") -> tuple[Choice, Choice]:
    assert asked.text.endswith(BACK.format(to))
    assert asked.announcement == ""
    only_me, all_of_us = asked.choices
    assert (only_me.label, all_of_us.label) == ("Only for me", "Move everyone back")
    assert await house.page_for_all() == 6
    return only_me, all_of_us


@pytest.mark.parametrize(("to", "place"), [("2", "p. 2"), ("0", "the beginning"), ("reset", "no page at all")])
async def test_to_take_everyone_far_back_waits_for_its_button(to: str, place: str) -> None:
    house = House()
    conversation = await house.reading(position=6)
    only_me, all_of_us = await _asked_for_all(house, await house.use("setpage", to), place)
    own = await house.press(only_me)
    assert own.announcement == ""
    assert await house.clubs.member_position(conversation.reading_id, ADA.member_id) == (GOALS[to] or 0)
    assert await house.page_for_all() == 6
    assert (await house.press(all_of_us)).announcement.startswith("Ada ")
    assert await house.page_for_all() == GOALS[to]


GOALS = {"2": 2, "0": 0, "reset": None}


async def test_the_clubs_page_goes_far_back_only_when_that_is_confirmed() -> None:
    house = House()
    conversation = await house.reading(position=None)
    await house.use("setpage", "6", thread=CHANNEL)
    asked = await house.use(CLUB, "2")
    assert asked.text == BACK.format("p. 2")
    only_me, all_of_us = asked.choices
    await house.press(only_me)
    assert await house.clubs.member_position(conversation.reading_id, ADA.member_id) == 2
    assert await house.page_for_all(CHANNEL) == 6
    await house.press(all_of_us)
    assert await house.page_for_all(CHANNEL) == 2


async def test_undo_takes_everyone_far_back_at_once_only_for_its_mover() -> None:
    house = House()
    await house.reading(position=2)
    undo = (await house.moved("6")).choices[0]
    only_me, all_of_us = await _asked_for_all(house, await house.press(undo, by=BO))
    assert (await house.press(only_me, by=BO)).text.startswith("Your own page is set: up to p. 2.")
    await house.press(all_of_us, by=BO)
    assert await house.page_for_all() == 2
    undo = (await house.moved("6")).choices[0]
    await house.press(undo)
    assert await house.page_for_all() == 2


async def test_a_leap_is_refused_where_the_page_or_the_book_is_another_by_now() -> None:
    house = House()
    conversation = await house.reading(position=2)
    (leap,) = (await house.use("setpage", "end")).choices
    await _move(house, "1")
    with pytest.raises(PositionError, match="moved since"):
        await house.press(leap)
    await house.stand(conversation, 2)
    other = await house.add_book(a_book_text(["One.", "Two.", "Three.", "Four.", "Five.", "Six."], title="Other"))
    await house.use("book use", "Other", thread=CHANNEL, organiser=True)
    await house.use("setpage", "2", thread=CHANNEL)
    with pytest.raises(PositionError, match="moved since"):
        await house.press(leap, thread=CHANNEL)
    assert await house.page_for_all(CHANNEL) == 2
    assert (await house.threads.club(CHANNEL)).book == other


async def test_undo_takes_back_the_move_it_stands_under_and_no_other() -> None:
    house = House()
    await house.reading(position=3)
    first, _ = await _move(house, "2")
    second, _ = await _move(house, "1")
    with pytest.raises(PositionError, match="moved again since then"):
        await house.press(first, by=BO)
    undone = await house.press(second, by=BO)
    assert undone.announcement == "Bo moved the thread from p. 1 to p. 2 (33 %)."
    assert undone.choices == ()
    with pytest.raises(PositionError, match="moved again since then"):
        await house.press(second, by=BO)
    assert await house.page_for_all() == 2


async def test_only_for_me_takes_the_thread_back_and_leaves_the_mover_where_they_are() -> None:
    house = House()
    conversation = await house.reading(position=None)
    _, only_me = await _move(house, "5")
    with pytest.raises(NotPermittedError, match="Only the member who moved"):
        await house.press(only_me, by=BO)
    told = await house.press(only_me)
    assert told.text == "Your own page is set: up to p. 5. `/ask` answers just you."
    assert told.announcement == "Ada reset the thread: it was at p. 5, and now no page is set."
    assert await house.clubs.member_position(conversation.reading_id, ADA.member_id) == 5
    assert await house.clubs.member_position(conversation.reading_id, BO.member_id) is None
    assert await house.page_for_all() is None


@pytest.mark.parametrize("button", [0, 1])
async def test_the_buttons_of_a_move_heed_who_may_move_by_now(button: int) -> None:
    house = House()
    conversation = await house.reading(position=3)
    choice = (await _move(house, "2"))[button]
    await house.clubs.set_page_control(conversation.reading_id, PageControl.ORGANISERS)
    with pytest.raises(NotPermittedError, match="organisers move the page"):
        await house.press(choice)
    assert await house.page_for_all() == 2
    await house.press(choice, organiser=True)
    assert await house.page_for_all() == 3


async def test_where_organisers_move_the_page_others_do_not() -> None:
    house = House()
    conversation = await house.reading(position=3)
    await house.clubs.set_page_control(conversation.reading_id, PageControl.ORGANISERS)
    with pytest.raises(NotPermittedError, match="`/mypage` moves your own"):
        await house.use("setpage", "2")
    await house.use("setpage", "2", organiser=True)
    await house.use("mypage", "6")
    assert await house.page_for_all() == 2


async def test_a_move_of_the_club_names_the_threads_that_keep_their_own_page() -> None:
    house = House()
    await house.reading(THREAD, position=4)
    await house.reading(OTHER_THREAD, position=2, book=(await house.books.in_scope(scope="discord:1"))[0])
    moved = await house.use("setpage", "3", thread=CHANNEL)
    assert moved.announcement == "Ada set the club's page to p. 3 (50 %). 2 threads keep their own page."
    assert moved.names == (THREAD.thread, OTHER_THREAD.thread)
    assert [await house.page_for_all(each) for each in (CHANNEL, THREAD, OTHER_THREAD)] == [3, 4, 2]
    assert (await house.use("setpage", "follow")).announcement == "Ada set the thread back from p. 4 to p. 3 (50 %)."


async def test_at_the_slowest_pace_the_channel_itself_waits_too() -> None:
    house = House()
    reading_id = (await house.reading(position=None)).reading_id
    await house.use("setpage", "6", thread=CHANNEL)
    await house.clubs.set_pace(reading_id, Pace.SLOWEST)
    await house.use("mypage", "2", by=BO)
    await house.clubs.spoke(reading_id, BO.member_id, house.clock.now())
    assert (await house.use("where", thread=CHANNEL)).announcement.endswith(
        "33 %\nThe Marrow Light, 6 pages: up to p. 2."
    )
    assert await house.page_for_all(CHANNEL) == 6
    assert (await house.use("setpage", "5", thread=CHANNEL)).announcement.startswith(
        "Ada set the club's page back from p. 6"
    )


@pytest.mark.parametrize("words", ["setpage", "where", "mypage", ".undo", ".leap"])
async def test_without_a_book_there_is_nowhere_to_stand(words: str) -> None:
    with pytest.raises(ThusfarError) as refused:
        await House().use(words, "2")
    assert str(refused.value) == NO_BOOK


async def test_a_page_of_ones_own_is_told_to_its_reader_alone() -> None:
    house = House()
    conversation = await house.reading(position=1)
    own = await house.use("mypage", "4")
    assert own.announcement == ""
    assert own.text.startswith("Your own page is set: up to p. 4. The last words you read: “… ")
    assert own.text.endswith("Only the window stood open.”")
    assert (await house.use("mypage", "reset")).text == "Your own page is set: no page set."
    assert await house.clubs.member_position(conversation.reading_id, ADA.member_id) is None
    assert await house.page_for_all() == 1


async def test_a_leap_of_ones_own_waits_for_its_button_and_shows_no_words_before() -> None:
    house = House()
    conversation = await house.reading(position=1)
    await house.use("mypage", "1")
    asked = await house.use("mypage", "4")
    assert (asked.text, asked.announcement) == ("From p. 1 to p. 4 of 6 is a big leap. Is that right?", "")
    assert await house.clubs.member_position(conversation.reading_id, ADA.member_id) == 1
    told = await house.press(asked.choices[0])
    assert told.text.startswith("Your own page is set: up to p. 4. The last words you read: “… ")
    assert told.announcement == ""
    assert await house.clubs.member_position(conversation.reading_id, ADA.member_id) == 4
    with pytest.raises(PositionError, match="Your page has moved since"):
        await house.press(asked.choices[0])
    with pytest.raises(PositionError, match="Your page has moved since"):
        await house.press(asked.choices[0], by=BO)
    assert await house.page_for_all() == 1


@pytest.mark.parametrize("to", ["1", "0", "reset", "2"])
async def test_ones_own_page_goes_back_or_on_a_little_at_once(to: str) -> None:
    house = House()
    text = a_book_text([f"This is page {number}." for number in range(1, 11)], title="Ten")
    await house.reading(position=1, book=await house.add_book(text))
    await house.use("mypage", "1")
    assert (await house.use("mypage", to)).text.startswith("Your own page is set: ")


CHAPTERS = tuple(Chapter(number=n, title="", first_page=2 * n - 1, last_page=2 * n) for n in (1, 2, 3))


async def _chaptered(position: int | None) -> tuple[House, str]:
    house = House()
    book = await house.add_book(a_book_text(chapters=CHAPTERS))
    return house, (await house.reading(position=position, book=book)).reading_id


@pytest.mark.parametrize(
    ("text", "labels", "line"),
    [
        ("done", ["The whole book: p. 6", "This chapter: p. 4"], "moved the thread from p. 3 to p. 4 (66 %)."),
        ("1 page", ["p. 1", "1 more page: p. 4"], "moved the thread from p. 3 to p. 4 (66 %)."),
        ("3 done", ["p. 3", "Chapter 3 done: p. 6"], "moved the thread from p. 3 to p. 6 (100 %)."),
        ("page 2 of 2", ["p. 2", "p. 2 of 2 pages: p. 5"], "moved the thread from p. 3 to p. 5 (83 %)."),
        (
            "up to chapter 1",
            ["Chapter 1 begun: the beginning", "Chapter 1 done: p. 2"],
            "set the thread back from p. 3 to p. 2 (33 %).",
        ),
    ],
)
async def test_what_may_mean_two_pages_is_asked_back_and_set_by_its_button(
    text: str, labels: list[str], line: str
) -> None:
    house, _ = await _chaptered(position=3)
    asked = await house.use("setpage", text)
    assert (asked.text, asked.announcement) == ("That could be more than one page. Which do you mean?", "")
    assert [choice.label for choice in asked.choices] == labels
    assert await house.page_for_all() == 3
    assert (await house.press(asked.choices[1])).announcement.startswith(f"Ada {line}")
    with pytest.raises(PositionError, match="moved since"):
        await house.press(asked.choices[0])


async def test_a_members_own_page_is_counted_on_from_where_they_read() -> None:
    house, reading_id = await _chaptered(position=3)
    await house.use("mypage", "+1")
    assert await house.clubs.member_position(reading_id, ADA.member_id) == 4
    asked = await house.use("mypage", "finished")
    assert [choice.label for choice in asked.choices] == ["Yes, p. 6"]
    await house.press((await house.use("mypage", "5")).choices[0])
    asked = await house.use("mypage", "1 page")
    assert [choice.label for choice in asked.choices] == ["p. 1", "1 more page: p. 6"]
    await house.press(asked.choices[1])
    assert await house.clubs.member_position(reading_id, ADA.member_id) == 6
    assert await house.page_for_all() == 3


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("3", ("p. 3", "3")),
        (" +1 ", ("1 more page: p. 4", "+1")),
        ("50%", ("50 % of the book: p. 1", "50%")),
        ("start", ("The beginning", "start")),
        ("halfway through ch 2", ("p. 3", "halfway through ch 2")),
        ("ch 2 done", ("Chapter 2 done: p. 4", "ch 2 done")),
    ],
)
async def test_what_is_typed_is_offered_first(typed: str, first: tuple[str, str]) -> None:
    house, _ = await _chaptered(position=3)
    for command in ("setpage", "mypage"):
        offered = [(one.label, one.text) for one in await house.offered(command, typed)]
        assert offered[0] == first
        assert len({text for _, text in offered}) == len(offered)
