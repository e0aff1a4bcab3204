"""A channel that changes its book says so in the threads that were about the one before."""

from pathlib import Path

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_threads_about_the_book_before_are_told_once(
    stage: Stage, read_book: ReadBook, house: Application, tmp_path: Path
) -> None:
    await read_book()
    other = tmp_path / "comet.txt"
    other.write_text("A comet stood over the harbour of Tranter.", encoding="utf-8")
    await house.library.add(other, scope=stage.place().scope, title="The Comet")
    thread = stage.thread()
    organiser = stage.club.organiser
    async with stage.running() as bot:
        await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
        for _ in range(2):
            said = len(stage.public())
            stage.ask("book use The Comet", by=organiser)
            await stage.wait_for(lambda: len(stage.public()) > said)  # noqa: B023
            await bot.settled()
    told = [one.content for one in stage.public() if one.content.startswith("This thread was about The Lamp.")]
    assert told == ["This thread was about The Lamp. We read The Comet here now, and what you ask me is about that."]
