"""After a restart a thread is heard with what was asked and answered in it before."""

from pathlib import Path

from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import build
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_a_follow_up_after_a_restart_is_answered(stage: Stage, read_book: ReadBook, own_home: Path) -> None:
    await read_book()
    thread = stage.thread()
    async with stage.running() as bot:
        answer = await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
        await bot.settled()
    assert "every evening at six" in answer.content
    restarted = build(Settings(thusfar_home=own_home))
    try:
        async with stage.running(platform_services(restarted)) as bot:
            posts = len(stage.public())
            stage.say(thread, "lol", by=stage.club.ben)
            stage.say(thread, "at six?", by=stage.club.ben)
            await stage.wait_for(lambda: len(stage.public()) > posts)
            await bot.settled()
        assert len(stage.public()) == posts + 1
    finally:
        await restarted.close()
