"""Text that `settings` asks for is entered in a form, if the platform has forms."""

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_our_copy_is_entered_in_a_form(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book()
    organiser = stage.club.organiser
    async with stage.settling():
        used = stage.use("settings", by=organiser)
        await stage.wait_for(lambda: used.messages)
        assert "Our copy" in stage.labels(used.messages[0])
        sent = await stage.fill(".edition-club", used.messages[0], "40", by=organiser)
        await stage.wait_for(lambda: any("The club's copy: 40 pages." in one.content for one in sent()))


async def test_a_copy_of_locations_goes_with_what_is_said_in_a_mention(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book(page="1")
    async with stage.settling():
        used = stage.use("edition", "5000 locations")
        await stage.wait_for(lambda: used.messages)
        assert used.messages[0].content.startswith("Your copy: 5000 locations.")
        stage.ask("I'm at loc 3900")
        await stage.wait_for(
            lambda: any(
                "Your own page is set: up to p. 2, about loc" in one.content for one in stage.told(stage.club.ada)
            )
        )
