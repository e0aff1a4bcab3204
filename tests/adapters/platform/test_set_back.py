"""When a thread is set back, the bot hides its answers from later pages there, and says so in one line."""

import pytest

from adapters.discord.hiding import behind_marks
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_later_answers_are_hidden_and_earlier_ones_stay(stage: Stage, read_book: ReadBook) -> None:
    await read_book(page="2")
    thread = stage.thread()
    async with stage.settling():
        early = await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
        shown = early.content
        stage.say(thread, "setpage 4", mention=True)
        (asked,) = await stage.wait_for(lambda: [one for one in stage.told(stage.club.ada) if "leap" in one.content])
        stage.press(".leap", asked, by=stage.club.ada)
        await stage.wait_for(lambda: any("p. 4 (100 %)" in one.content for one in stage.public()))
        late = await stage.answer_to(stage.say(thread, "Who rowed out to the wreck?", mention=True))
        assert "Ines" in late.content
        line = await stage.answer_to(stage.say(thread, "setpage 2", mention=True))
    assert line.content.startswith("Ada set the thread back from p. 4 to p. 2 (50 %). My answers here from later pages")
    assert early.content == shown
    if stage.name == "discord":
        assert late.content.startswith("||")
        assert late.content.endswith("||\n-# (up to p. 4)")
    else:
        assert "Ines" not in late.text
        assert stage.labels(late) == ["Show it to me"]


async def test_a_hidden_answer_opens_for_readers_of_that_page_and_others_are_warned(
    stage: Stage, read_book: ReadBook
) -> None:
    if stage.name == "discord":
        pytest.skip("Discord has spoiler marks")
    await read_book(page="4")
    thread = stage.thread()
    async with stage.settling():
        late = await stage.answer_to(stage.say(thread, "Who rowed out to the wreck?", mention=True))
        await stage.answer_to(stage.say(thread, "setpage 2", mention=True))
        stage.press(".put-away", late, by=stage.club.ben)
        (warned,) = await stage.wait_for(lambda: stage.told(stage.club.ben))
        assert warned.content.startswith("That answer goes up to p. 4, and you have read up to p. 2.")
        stage.press(".reveal-anyway", warned, by=stage.club.ben)
        shown = (await stage.wait_for(lambda: stage.told(stage.club.ben)[1:]))[0]
    assert "Ines" in shown.content


async def test_a_move_on_hides_nothing(stage: Stage, read_book: ReadBook) -> None:
    await read_book(page="3")
    thread = stage.thread()
    async with stage.settling():
        answer = await stage.answer_to(stage.say(thread, "Who rowed out to the wreck?", mention=True))
        shown = answer.content
        line = await stage.answer_to(stage.say(thread, "setpage 3", mention=True))
    assert "What I answered" not in line.content
    assert answer.content == shown


@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        ("**p. 3**\n> Ines rowed.\n-# (up to p. 4)", "||**p. 3**\nInes rowed.||\n-# (up to p. 4)"),
        ("A ||hidden|| word.", "||A hidden word.||"),
    ],
)
def test_a_hidden_message_is_complete_and_its_marks_are_paired(content: str, hidden: str) -> None:
    assert behind_marks(content) == hidden
