"""How far somebody is can be told to the bot in plain words: of all, or of themselves among others."""

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_a_page_that_is_said_without_a_command_is_set(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book(page="2")
    async with stage.running() as bot:
        line = await stage.answer_to(stage.say(stage.thread(), "we're on page 1", mention=True))
        await bot.settled()
    assert line.content.startswith("Ada set the thread back from p. 2 to p. 1")
    assert stage.labels(line) == ["Undo", "Only for me"]


async def test_who_speaks_of_themselves_moves_nobody_else(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book(page="2")
    async with stage.running() as bot:
        stage.ask("I'm on page 3")
        (told,) = await stage.wait_for(lambda: stage.told(stage.club.ada))
        await bot.settled()
        assert told.content.startswith("Your own page is set: up to p. 3.")
        assert stage.labels(told) == ["For everyone"]
        assert await stage.page_of(house) == 2
        stage.press(".leap", told, by=stage.club.ada)
        await stage.wait_for(lambda: any("moved the club's page" in one.content for one in stage.public()))
        await bot.settled()
    assert await stage.page_of(house) == 3


async def test_what_the_bot_asked_is_answered_in_a_word(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book(page=None)
    thread = stage.thread()
    async with stage.running() as bot:
        asked = await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
        assert asked.content.startswith("How far have you all read?")
        stage.say(thread, "halfway", by=stage.club.ben)
        line = await stage.wait_for(lambda: next((m for m in stage.public() if m.content.startswith("Ben set")), None))
        await bot.settled()
    assert line.content == "Ben set the thread to p. 2 (50 %)."
