"""`ask` and the buttons under an answer: what is private stays between the bot and the member who asked."""

from dataclasses import replace

import pytest

from core.domain.errors import ThusfarError
from core.domain.messages import ASK_POSITION
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from tests.builders import ADA, BO, says
from tests.fakes.fixtures import Scripted
from tests.unit.club_house import CHANNEL, House
from tests.unit.world import OTHER_THREAD, THREAD

GLOVE = "What lay beside the cistern, a torn glove?"
CLOCKS = "Who kept the clocks?"
GONE = "I can't find that answer any more."


async def _asked(house: House, question: str = GLOVE, *, page: str = "5", thread: Thread = THREAD) -> int:
    """The turn of what Ada asked at her own page."""
    await house.use("mypage", page, thread=thread)
    answer = await house.use("ask", question, thread=thread)
    return int(answer.choices[0].text)


async def test_an_answer_goes_as_far_as_the_asker_and_is_told_to_nobody_else() -> None:
    house = House()
    await house.reading(position=2)
    ahead = await house.use("mypage", "5")
    ahead = await house.use("ask", GLOVE)
    behind = await house.use("ask", GLOVE, by=BO)
    assert "**torn** **glove** **beside** the **cistern**" in ahead.text
    assert ahead.text.endswith("(up to p. 5)")
    assert "cistern" not in behind.text
    assert behind.text.endswith("(up to p. 2)")
    assert (ahead.announcement, behind.announcement) == ("", "")
    assert [choice.label for choice in ahead.choices] == [
        "Show in the thread",
        "More here",
        "More passages",
        "Keep for later",
    ]


async def test_what_is_asked_privately_is_no_part_of_the_threads_talk() -> None:
    house = House()
    conversation = await house.reading(position=2)
    await _asked(house)
    assert await house.said(conversation) == []


@pytest.mark.parametrize(("position", "asked"), [(None, True), (0, False)])
async def test_a_page_is_asked_for_only_where_none_was_ever_said(position: int | None, asked: bool) -> None:
    house = House()
    await house.reading(position=position)
    answer = await house.use("ask", CLOCKS)
    assert (ASK_POSITION in answer.text) is asked
    assert (answer.choices == ()) is asked


async def test_ones_own_private_answer_can_be_shown_to_all() -> None:
    house = House()
    await house.reading(position=2)
    turn_id = await _asked(house)
    shown = await house.answers.postable(turn_id, thread=THREAD, member_id=ADA.member_id)
    assert (shown.question, shown.position, shown.thread_position) == (GLOVE, 5, 2)
    assert "cistern" in shown.text
    assert (shown.goes_beyond, shown.warning) == (True, "Beyond this thread's page: up to p. 5")


async def test_within_the_threads_page_it_needs_no_warning() -> None:
    house = House()
    conversation = await house.reading(position=5)
    turn_id = await _asked(house)
    shown = await house.answers.postable(turn_id, thread=THREAD, member_id=ADA.member_id)
    assert (shown.goes_beyond, shown.warning) == (False, "")
    await house.stand(conversation, 4)
    later = await house.answers.postable(turn_id, thread=THREAD, member_id=ADA.member_id)
    assert later.warning == "Beyond this thread's page: up to p. 5"


@pytest.mark.parametrize(
    ("thread", "member_id"),
    [
        (THREAD, BO.member_id),
        (OTHER_THREAD, ADA.member_id),
        (CHANNEL, ADA.member_id),
        (Thread(scope="discord:1", place="books", thread="t"), ADA.member_id),
        (Thread(scope="discord:2", place="books", thread="t1"), ADA.member_id),
        (THREAD, f"{ADA.member_id}/r"),
        (THREAD, ""),
    ],
)
async def test_a_private_answer_is_found_by_its_asker_in_its_thread_alone(thread: Thread, member_id: str) -> None:
    house = House()
    await house.reading(position=2)
    turn_id = await _asked(house)
    with pytest.raises(ThusfarError) as refused:
        await house.answers.postable(turn_id, thread=thread, member_id=member_id)
    assert str(refused.value) == GONE
    with pytest.raises(ThusfarError):
        await house.answers.sources(turn_id, thread=thread, member_id=member_id)
    with pytest.raises(ThusfarError):
        await house.answers.give_feedback(turn_id, 1, thread=thread, member_id=member_id)


async def test_sources_go_as_far_as_the_thread_has_read_by_now() -> None:
    house = House()
    turn_id = await _public(house)
    sources = await house.use(".sources", str(turn_id), by=BO)
    assert "p. 2: The lighthouse keeper, Tobias Fenn, kept seven clocks." in sources.text
    assert sources.announcement == ""
    await house.use("setpage", "1")
    assert "p. 2" not in (await house.use(".sources", str(turn_id))).text


async def test_a_member_who_is_ahead_sees_no_more_sources_under_a_public_answer() -> None:
    house = House()
    turn_id = await _public(house)
    before = (await house.use(".sources", str(turn_id))).text
    await house.use("setpage", "1")
    await house.use("mypage", "6")
    assert "p. 2" in before
    assert "p. 2" not in (await house.use(".sources", str(turn_id))).text


async def test_sources_of_a_private_answer_follow_the_askers_own_page() -> None:
    house = House()
    await house.reading(position=2)
    turn_id = await _asked(house)
    assert "p. 5: They found a torn glove" in (await house.use(".sources", str(turn_id))).text
    await house.use("mypage", "3")
    assert "glove" not in (await house.use(".sources", str(turn_id))).text


async def _public(house: House) -> int:
    """The turn of a question that was asked in the thread, at page 2."""
    await house.reading(position=2)
    reply = await house.page.execute(IncomingMessage(thread=THREAD, author=ADA, text=CLOCKS))
    assert reply.turn_id is not None
    return reply.turn_id


async def _behind(house: House, page: str = "2") -> IncomingMessage:
    await house.reading(position=6)
    await house.use("mypage", page)
    return IncomingMessage(thread=THREAD, author=ADA, text=GLOVE, ref="discord:1:7")


async def test_who_is_not_behind_or_alone_is_never_asked_where() -> None:
    house = House()
    asked = await _behind(house, page="6")
    assert (await house.page.execute(asked)).asked_back is None
    assert (await house.page.execute(replace(asked, author=BO, ref="discord:1:9"))).asked_back is None
    terminal = Thread(scope="local", place="terminal", thread="chat")
    await house.reading(terminal, position=6, book=await house.add_book(scope="local"))
    await house.use("mypage", "2", thread=terminal)
    assert (await house.page.execute(replace(asked, thread=terminal))).asked_back is None


async def _by_model(house: House) -> int:
    """The turn of an answer in the thread that the model wrote."""
    await house.reading(position=2)
    reply = await house.page.execute(IncomingMessage(thread=THREAD, author=ADA, text=CLOCKS, ref="discord:1"))
    assert reply.by_model
    assert reply.turn_id is not None
    return reply.turn_id


async def test_a_private_answer_is_reported_in_private(scripted: Scripted) -> None:
    house = House(scripted(says("Tobias Fenn kept the seven clocks (p. 2).")))
    await house.reading(position=2)
    answer = await house.use("ask", CLOCKS)
    assert answer.choices[-1].label == "That was a spoiler"
    reported = await house.press(answer.choices[-1])
    assert (reported.announcement, reported.puts_away, reported.choices) == ("", None, ())
    with pytest.raises(ThusfarError, match="can't find that answer"):
        await house.press(answer.choices[-1], by=BO)


async def test_an_answer_of_another_thread_cannot_be_reported(scripted: Scripted) -> None:
    house = House(scripted(says("Tobias Fenn kept the seven clocks (p. 2).")))
    turn_id = str(await _by_model(house))
    with pytest.raises(ThusfarError, match="can't find that answer"):
        await house.use(".spoiler", turn_id, thread=OTHER_THREAD)
