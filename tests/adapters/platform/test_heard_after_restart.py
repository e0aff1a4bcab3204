"""After a restart, the bot knows the earlier questions and answers of a thread."""

from pathlib import Path

from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import build
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_a_follow_up_after_a_restart_is_answered(stage: Stage, read_book: ReadBook, own_home: Path) -> None:
    await read_book()
    thread = stage.thread()
    async with stage.settling():
        answer = await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
    assert "every evening at six" in answer.content
    restarted = build(Settings(thusfar_home=own_home))
    try:
        async with stage.settling(platform_services(restarted)):
            posts = len(stage.public())
            stage.say(thread, "lol", by=stage.club.ben)
            stage.say(thread, "at six?", by=stage.club.ben)
            await stage.wait_for(lambda: len(stage.public()) > posts)
        assert len(stage.public()) == posts + 1
    finally:
        await restarted.close()
