"""Buttons survive a restart and are removed when they no longer apply; private answers can be shared in the thread."""

import pytest

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

WHISTLE = "What did Ines do with the whistle?"
TOLD = "harbour master"


async def _moved(stage: Stage, to: str) -> Message:
    """Ada moves the page; returns the public line."""
    stage.use("setpage", to)
    return (await stage.wait_for(stage.public))[-1]


async def _asked_alone(stage: Stage, question: str, *, page: str) -> Message:
    """Ask as Ada at her own page; return what only she sees."""
    own = stage.use("mypage", page)
    await stage.wait_for(lambda: own.messages)
    asked = stage.use("ask", question)
    return (await stage.wait_for(lambda: asked.messages))[-1]


async def test_a_leap_is_confirmed_by_its_button_also_after_a_restart(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with stage.settling():
        used = stage.use("setpage", "end")
        (question,) = await stage.wait_for(lambda: used.messages)
    assert question.content == "From p. 2 to p. 4 of 4 is a big leap. Is that right?"
    assert (stage.labels(question), list(stage.public())) == (["Yes, p. 4"], [])
    async with stage.settling():
        stage.press(".leap", question, by=stage.club.ada)
        (line,) = await stage.wait_for(stage.public)
        await stage.wait_for(lambda: question.is_deleted or not stage.labels(question))
    assert line.content.startswith("Ada moved the club's page from p. 2 to p. 4 (100 %).")
    assert stage.labels(line) == ["Undo", "Only for me", "Look back"]
    assert await stage.page_of(house) == 4


async def test_anyone_can_undo_the_move(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book()
    async with stage.settling():
        line = await _moved(stage, "1")
    async with stage.settling():
        stage.press(".undo", line, by=stage.club.ben)
        await stage.wait_for(lambda: not stage.labels(line))
    assert [one.content for one in stage.public()] == [
        "Ada set the club's page back from p. 2 to p. 1 (25 %).",
        "Ben moved the club's page from p. 1 to p. 2 (50 %).",
    ]
    assert await stage.page_of(house) == 2


async def test_only_for_me_is_the_movers_own_button(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book()
    async with stage.settling() as bot:
        line = await _moved(stage, "1")
        stage.press(".onlyme", line, by=stage.club.ben)
        await bot.settled()
        assert stage.labels(line) == ["Undo", "Only for me"]
        stage.press(".onlyme", line, by=stage.club.ada)
        await stage.wait_for(lambda: not stage.labels(line))
    assert await stage.page_of(house) == 2
    reading = await house.threads.club(stage.place())
    person = f"{stage.name}:{stage.club.ada.id}"
    (club,) = await house.clubs().member_clubs.execute([stage.place()], member_id=person)
    assert (club.own, club.title) == (1, reading.book.title)


async def test_only_the_member_sees_an_answer_at_their_own_page(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        ahead = await _asked_alone(stage, WHISTLE, page="4")
        behind = stage.use("ask", WHISTLE, by=stage.club.ben)
        await stage.wait_for(lambda: behind.messages)
    assert TOLD in ahead.content
    assert ahead.content.endswith("(up to p. 4)")
    assert TOLD not in behind.messages[-1].content
    assert stage.labels(ahead) == ["Show in the thread", "More here", "More passages", "Keep for later"]
    assert list(stage.public()) == []


async def test_an_answer_within_the_page_is_shown_openly(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        answer = await _asked_alone(stage, "Who lit the lamp?", page="2")
        stage.press(".post", answer, by=stage.club.ada)
        (shown,) = await stage.wait_for(stage.public)
    assert shown.content.startswith("**Ada asked:** Who lit the lamp?")
    assert shown.content.endswith("(up to p. 2)")
    assert stage.labels(shown) == []


@pytest.mark.parametrize("question", [WHISTLE, "Who lit the lamp?"], ids=["beyond", "within"])
async def test_pressed_twice_at_once_the_answer_appears_once(stage: Stage, read_book: ReadBook, question: str) -> None:
    await read_book()
    async with stage.settling():
        answer = await _asked_alone(stage, question, page="4" if question == WHISTLE else "2")
        for _ in range(2):
            stage.press(".post", answer, by=stage.club.ada)
        await stage.wait_for(stage.public)
    assert len(stage.public()) == 1
    assert TOLD not in stage.public()[0].content
