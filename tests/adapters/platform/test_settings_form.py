"""What `settings` asks for in words is filled in a form, where the platform has forms."""

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_the_copy_of_all_is_told_in_a_form(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book()
    organiser = stage.club.organiser
    async with stage.running() as bot:
        used = stage.use("settings", by=organiser)
        await stage.wait_for(lambda: used.messages)
        assert "Our copy" in stage.labels(used.messages[0])
        sent = await stage.fill(".edition-club", used.messages[0], "40", by=organiser)
        await stage.wait_for(lambda: any("The club's copy: 40 pages." in one.content for one in sent()))
        await bot.settled()
