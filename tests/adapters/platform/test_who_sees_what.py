"""Who sees what: a club, one of its members, and someone alone with the bot."""

from typing import Any

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage
from tests.adapters.platforms import LIGHTHOUSE


async def test_a_mention_opens_a_thread_with_the_answer_in_it(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        asked = stage.ask("Who lit the lamp?")
        answer = await stage.answer_to(asked)
    assert list(stage.answers_to(asked)) == [answer]
    assert "Marrable the keeper lit the lamp" in answer.content
    assert answer.content.endswith("(up to p. 2)")
    assert {"More here", "👍", "👎"} <= set(stage.labels(answer))
    assert answer.pings == set()


async def test_a_dm_has_its_own_reading(stage: Stage, read_book: ReadBook) -> None:
    ada, ben = stage.club.ada, stage.club.ben
    await read_book(at=stage.place_of(stage.server.dm(ada)))
    async with stage.running():
        for person in (ada, ben):
            stage.say_alone("Who lit the lamp?", by=person)
        (answer,) = await stage.wait_for(lambda: stage.told(ada))
        (nothing,) = await stage.wait_for(lambda: stage.told(ben))
    assert "Marrable" in answer.content
    assert "You aren't reading a book with me yet" in nothing.content


async def test_each_member_has_a_separate_club_in_dms(stage: Stage, read_book: ReadBook, house: Application) -> None:
    ada = stage.club.ada
    direct = stage.server.dm(ada)
    await read_book(page=None, at=stage.place_of(direct))
    await read_book()
    async with stage.settling() as bot:
        await stage.over(stage.use("setpage", "3", by=ada, at=direct), bot)
        stage.say_alone("pace slowest", by=ada)
        await stage.wait_for(lambda: any("slowest reader" in one.content for one in stage.told(ada)))
    assert "You set the page to p. 3 (75 %)." in [one.content for one in stage.told(ada)]
    assert (await house.threads.club(stage.place_of(direct))).standing.set_for_all == 3
    assert await stage.page_of(house) == 2
    assert list(stage.public()) == []


async def test_no_link_is_unfurled(stage: Stage, read_book: ReadBook) -> None:
    await read_book(title="See https://example.org/x")
    async with stage.running() as bot:
        await stage.over(stage.use("where"), bot)
    (line,) = stage.public()
    assert "https://example.org/x" in line.content
    assert not line.unfurls


async def test_help_lists_only_what_a_member_may_use(stage: Stage) -> None:
    ada, organiser = [await _all_commands(stage, person) for person in (stage.club.ada, stage.club.organiser)]
    opens = "book use the title, or sample`: choose the book to read here"
    assert (opens in ada, opens in organiser) == (False, True)
    assert "chat [your question]`" in ada
    assert list(stage.public()) == []


async def _all_commands(stage: Stage, person: Any) -> str:
    """Return what the button under the help shows."""
    async with stage.running():
        used = stage.use("help", by=person)
        (few,) = await stage.wait_for(lambda: used.messages)
        assert few.content.startswith("**To ask**")
        pressed = stage.press(".help-more", few, by=person)

        def shown() -> str:
            return "\n".join(one.content for one in (*pressed.messages, *stage.told(person)))

        await stage.wait_for(lambda: "show how to ask, and what else I can do" in shown())
        return shown()


async def test_only_an_organiser_adds_books_and_nothing_is_fetched_for_others(stage: Stage, house: Application) -> None:
    async with stage.settling():
        given = stage.share(None, "lamp.txt", LIGHTHOUSE.encode(), text="book add")
        await stage.wait_for(lambda: stage.emoji.failed in given.reactions)
    (told,) = [*stage.public(), *stage.told(stage.club.ada)]
    assert told.content.endswith("book add` is for organisers of this club.")
    assert stage.fetched() == 0
    assert await house.library.in_scope(scope=stage.place().scope) == []
