"""Without a page, a flood of questions is asked for it at most twice."""

from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage


async def test_a_flood_is_asked_for_the_page_twice(stage: Stage, read_book: ReadBook) -> None:
    await read_book(page=None)
    thread = stage.thread()
    posts = len(stage.public())
    async with stage.settling():
        for number in range(6):
            stage.say(thread, f"Who lit lamp {number}?", mention=True)
        last = stage.say(thread, "Who lit the lamp?", by=stage.club.ben, mention=True)
        await stage.wait_for(lambda: len(stage.public()) >= posts + 3)
        await stage.answer_to(last)
    assert [one.content[:16] for one in stage.public()[posts:]] == ["How far have you"] * 3
