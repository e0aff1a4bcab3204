"""Questions kept until more has been read: brought back to their member alone, once, and never judged."""

from datetime import timedelta

import pytest

from core.club.later.later import choices_of
from core.club.timers.due import DueMessage
from core.club.timers.timer_kinds import LaterKind
from core.domain.book import Book
from core.domain.conversation import Author
from core.domain.errors import ThusfarError
from tests.builders import ADA, BO, a_book_text
from tests.unit.club_house import CHANNEL, House
from tests.unit.world import THREAD

_KEPT = "Saved. I'll bring it back when the club has read further."
_WHO = "Who drowned the pilot?"


async def _house(position: int | None = 20) -> House:
    house = House()
    book: Book = await house.add_book(a_book_text([f"Page {number} of the tale." for number in range(1, 101)]))
    await house.reading(position=position, book=book)
    return house


async def _told(house: House) -> list[DueMessage]:
    """Work off what is due now, as `serve` does."""
    kind = LaterKind(questions=house.later, readings=house.readings, books=house.books)
    claimed = await house.timers.claim(
        scopes=[THREAD.scope], now=house.clock.now(), lease=timedelta(minutes=5), most=99
    )
    messages = [message for one in claimed for message in await kind.due(one.timer)]
    for one in claimed:
        await house.timers.done(one)
    return messages


async def test_a_question_comes_back_to_its_member_alone_when_a_tenth_more_is_read() -> None:
    house = await _house()
    kept = await house.use("later", _WHO)
    assert (kept.text, kept.announcement, kept.choices) == (_KEPT, "", ())
    await house.use("setpage", "29", by=BO)
    assert await _told(house) == []
    await house.use("setpage", "30", by=BO)
    (message,) = await _told(house)
    assert message.text == f"You asked on p. 20: “{_WHO}” The club has read more since then."
    assert (message.member_id, message.thread) == (ADA.member_id, THREAD)
    assert [choice.label for choice in message.choices] == ["Ask now", "Keep", "Drop"]
    await house.use("setpage", "31", by=BO)
    assert await _told(house) == []


async def test_what_is_kept_on_comes_back_after_another_tenth_and_at_the_end() -> None:
    house = await _house()
    await house.use("later", _WHO)
    for page, count in (("34", 1), ("35", 0), ("44", 1), ("45", 0), ("59", 1), ("68", 0), ("end", 1)):
        moved = await house.use("setpage", page)
        if moved.choices and moved.choices[0].confirms:
            await house.press(moved.choices[0])
        assert len(await _told(house)) == count, page
    assert "Kept" not in (await house.use("later")).text


async def test_ones_own_page_counts_where_one_has_one() -> None:
    house = await _house()
    await house.use("mypage", "20")
    assert (await house.use("later", _WHO)).text == "Saved. I'll bring it back when you've read further."
    await house.use("setpage", "34", by=BO)
    assert await _told(house) == []
    await house.use("mypage", "31")
    assert len(await _told(house)) == 1


async def test_it_is_asked_dropped_or_kept_by_its_member_alone() -> None:
    house = await _house()
    for text in ("What does it say on page 3 of the tale?", "Two?", "Three?"):
        await house.use("later", text)
    await house.use("setpage", "34")
    one, two, three = await _told(house)
    with pytest.raises(ThusfarError, match="no longer have that question"):
        await house.press(one.choices[0], by=BO)
    answered = await house.press(one.choices[0])
    assert "Page **3** of the **tale**." in answered.text
    assert (await house.press(two.choices[1])).text.startswith("I'll save it")
    assert (await house.press(three.choices[2])).text == "Dropped."
    assert (await house.use("later")).text == "1. You asked on p. 20: “Two?”"
    with pytest.raises(ThusfarError, match="no longer have that question"):
        await house.press(three.choices[2])


async def test_ten_are_kept_for_one_member_and_none_after_they_are_forgotten() -> None:
    house = await _house()
    for number in range(10):
        await house.use("later", f"Why {number}?")
    with pytest.raises(ThusfarError, match="already saved 10 questions"):
        await house.use("later", "Why not?")
    assert (await house.use("later", "Why not?", by=BO)).text == _KEPT
    shown = await house.use("later")
    assert len(shown.choices) == 10
    await house.use("forget me")
    assert (await house.use("later")).text.startswith("You have no saved questions.")
    assert (await house.use("later", by=BO)).text == "1. You asked on p. 20: “Why not?”"


async def test_it_is_never_held_against_unread_pages() -> None:
    house = await _house()
    house.guard.leaking["drowned"] = 90
    kept = [(await house.use("later", text)).text for text in (_WHO, "What is for supper?")]
    assert kept == [_KEPT, _KEPT]
    assert house.guard.judged == []


async def test_the_button_under_an_answer_keeps_what_was_asked_for_whoever_presses() -> None:
    house = await _house()
    answered = await house.use("ask", "What does it say on page 3 of the tale?")
    (button,) = [choice for choice in answered.choices if choice.label == "Keep for later"]
    assert (await house.press(button)).text == _KEPT
    assert (await house.use("later")).text == "1. You asked on p. 20: “What does it say on page 3 of the tale?”"
    with pytest.raises(ThusfarError):
        await house.press(button, by=Author(member_id="discord:9", display_name="Nosy"))


async def test_a_section_that_is_read_to_its_end_brings_it_back_before_a_tenth_is() -> None:
    house = await _house(position=8)
    await house.use("later", _WHO)
    await house.use("later", "Does Bo come back?", by=BO)
    (keep,) = (await house.use("schedule make", "10 weeks Sundays 19:00", organiser=True)).choices
    await house.press(keep, organiser=True)
    await house.use("setpage", "9")
    assert await _told(house) == []
    await house.use("mypage", "9", by=BO)
    await house.use("setpage", "10")
    assert [message.member_id for message in await _told(house)] == [ADA.member_id]
    await house.use("mypage", "11", by=BO)
    assert [message.member_id for message in await _told(house)] == [BO.member_id]
    await house.use("setpage", "12")
    assert await _told(house) == []


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("later why did he go?", ("later", "why did he go?")),
        ("later", ("later", "")),
        ("later that day he left", None),
    ],
)
def test_said_to_the_bot_it_is_a_command_only_with_a_question(text: str, command: tuple[str, str] | None) -> None:
    assert House().commands.said(text) == command


async def test_it_is_asked_in_the_book_that_it_was_kept_with_whatever_is_open_by_then() -> None:
    house = await _house()
    await house.use("setpage", "20", thread=CHANNEL)
    await house.use("later", "What does it say on page 3 of the tale?", thread=CHANNEL)
    (kept,) = await house.later.of_reading((await house.threads.club(CHANNEL)).reading_id)
    other = await house.add_book(a_book_text([f"Line {number} of a poem." for number in range(1, 30)], title="Poems"))
    await house.threads.use(CHANNEL, book_id=other.book_id)
    await house.use("setpage", "9", thread=CHANNEL)
    answered = await house.press(choices_of(kept)[0], thread=CHANNEL)
    assert "Page **3** of the **tale**." in answered.text
    assert (await house.threads.club(CHANNEL)).book == other
