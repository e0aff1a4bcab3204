"""Private answers that were shown to all open for each reader, who is warned by their own page."""

import pytest

from core.club.commands.registry import CommandRegistry
from core.club.commands.values import Choice, CommandRequest, CommandResponse
from core.club.questions.shown_commands import ShownCommands, revealing
from core.domain.conversation import Author
from core.domain.errors import ThusfarError
from core.domain.thread import Thread
from tests.builders import ADA, BO
from tests.unit.club_house import House
from tests.unit.world import OTHER_THREAD, THREAD

GLOVE = "What lay beside the cistern, a torn glove?"
FOUND = "torn glove beside the cistern"


async def _pressed(house: House, choice: Choice, *, by: Author, thread: Thread = THREAD) -> CommandResponse:
    shown = ShownCommands(answers=house.answers, threads=house.threads)
    request = CommandRequest(thread=thread, member=by, is_organiser=False, text=choice.text)
    return await CommandRegistry(shown.commands()).run(choice.command, request)


async def _shown_answer(house: House) -> Choice:
    """The button under what Ada asked at page 5, in a thread at page 2."""
    await house.reading(position=2)
    await house.use("mypage", "5")
    answer = await house.use("ask", GLOVE)
    return revealing(int(answer.choices[0].text), ADA.member_id)


@pytest.mark.parametrize(
    ("own", "read"), [(None, "read up to p. 2"), ("4", "read up to p. 4"), ("0", "read nothing yet")]
)
async def test_who_has_not_read_so_far_is_warned_and_may_open_it_all_the_same(own: str | None, read: str) -> None:
    house = House()
    button = await _shown_answer(house)
    if own is not None:
        await house.use("mypage", own, by=BO)
    warned = await _pressed(house, button, by=BO)
    assert warned.text == f"That answer goes up to p. 5, and you have {read}. It may give things away."
    opened = await _pressed(house, warned.choices[0], by=BO)
    assert FOUND in opened.text
    assert (warned.announcement, opened.announcement, opened.choices) == ("", "", ())


async def test_who_has_read_so_far_sees_it_at_once() -> None:
    house = House()
    button = await _shown_answer(house)
    await house.use("mypage", "end", by=BO)
    opened = await _pressed(house, button, by=BO)
    assert FOUND in opened.text
    assert opened.text.endswith("(up to p. 5)")


async def test_it_opens_in_its_own_thread_alone() -> None:
    house = House()
    button = await _shown_answer(house)
    with pytest.raises(ThusfarError, match="can't find that answer"):
        await _pressed(house, button, by=BO, thread=OTHER_THREAD)
    with pytest.raises(ThusfarError, match="can't find that answer"):
        await _pressed(house, revealing(int(button.text.partition("|")[0]), BO.member_id), by=BO)
