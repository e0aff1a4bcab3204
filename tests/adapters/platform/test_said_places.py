"""A page can be set in plain words, for the club or for oneself."""

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_a_page_that_is_said_without_a_command_is_set(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book(page="2")
    async with stage.settling():
        line = await stage.answer_to(stage.say(stage.thread(), "we're on page 1", mention=True))
    assert line.content.startswith("Ada set the thread back from p. 2 to p. 1")
    assert stage.labels(line) == ["Undo", "Only for me"]


async def test_a_page_said_for_oneself_moves_no_one_else(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book(page="2")
    async with stage.settling() as bot:
        stage.ask("I'm on page 3")
        (told,) = await stage.wait_for(lambda: stage.told(stage.club.ada))
        await bot.settled()
        assert told.content.startswith("Your own page is set: up to p. 3.")
        assert stage.labels(told) == ["For everyone"]
        assert await stage.page_of(house) == 2
        stage.press(".leap", told, by=stage.club.ada)
        await stage.wait_for(lambda: any("moved the club's page" in one.content for one in stage.public()))
    assert await stage.page_of(house) == 3


async def test_the_bots_question_for_the_page_can_be_answered_in_one_word(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book(page=None)
    thread = stage.thread()
    async with stage.settling():
        asked = await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
        assert asked.content.startswith("How far have you all read?")
        stage.say(thread, "two", by=stage.club.ben)
        line = await stage.wait_for(lambda: next((m for m in stage.public() if m.content.startswith("Ben set")), None))
    assert line.content == "Ben set the thread to p. 2 (50 %)."
