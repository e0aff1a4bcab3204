"""*Quote this* in the message menu: posts a read line for everyone, and reveals nothing about unread ones."""

from typing import Any

from adapters.persistence.sealed_items import SqlSealedItemRepository
from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.domain.sealed_item import SealedItem, SealedItemKind
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.killed import killed_over, left_behind
from tests.adapters.platform.stages import Message, Stage

_QUOTE_THIS = "Quote this"
_READ = "Listen to this: “The storm broke the window of the tower.” I love it"
_AHEAD = "Ines gave the whistle to the harbour master, who had lost it years ago. What a line!"


async def _kept(stage: Stage, house: Application) -> list[SealedItem]:
    club = await house.threads.club(stage.place())
    return await SqlSealedItemRepository(house.database).of_reading(club.reading_id, SealedItemKind.QUOTE)


async def _chosen(stage: Stage) -> Message:
    return (await stage.wait_for(lambda: [one for one in stage.public() if "chosen by" in one.content]))[-1]


async def _told(stage: Stage, used: Any) -> str:
    return str((await stage.wait_for(lambda: [one for one in used.messages if one.content]))[-1].content)


async def test_the_line_in_a_message_is_posted_under_the_choosers_name(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        stage.choose(_QUOTE_THIS, stage.chat(_READ, by=stage.club.ben), by=stage.club.ada)
        chosen = await _chosen(stage)
    assert chosen.content.replace("&gt;", ">") == ("> The storm broke the window of the tower (p. 2)\nchosen by Ada")
    assert chosen.pings == set()
    assert len(stage.public()) == 1


async def test_unread_lines_and_unknown_text_get_the_same_private_reply(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with stage.settling():
        told = [
            await _told(stage, stage.choose(_QUOTE_THIS, stage.chat(text, by=stage.club.ben), by=stage.club.ada))
            for text in (_AHEAD, "Who brings the cake on Sunday?", "🎉")
        ]
    assert len(set(told)) == 1
    assert told[0].startswith("I don't find these words in the pages you've read.")
    assert stage.public() == []
    kept, *never = await _kept(stage, house)
    assert (kept.opens_at, kept.told) == (4, False)
    assert len(never) == 2


async def test_in_a_thread_it_is_posted_there_up_to_its_page(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        thread = stage.thread()
        said = stage.say(thread, _READ, by=stage.club.ben)
        stage.choose(_QUOTE_THIS, said, by=stage.club.ada)
        chosen = await _chosen(stage)
    assert stage.is_in(chosen, thread)


async def test_it_runs_once_despite_a_kill(
    stage: Stage, services: PlatformServices, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    said = stage.chat(_READ, by=stage.club.ben)
    await killed_over(stage, services, ".quote-this", lambda: stage.choose(_QUOTE_THIS, said, by=stage.club.ada))
    for _ in range(2):
        async with stage.settling():
            await stage.wait_for(lambda: [one for one in stage.public() if "chosen by Ada" in one.content])
    assert len(stage.public()) == 1
    assert len(await _kept(stage, house)) == 1
    assert await left_behind(stage, services) == []


async def test_before_a_page_is_set_it_asks_for_it(stage: Stage, read_book: ReadBook) -> None:
    await read_book(page=None)
    async with stage.settling():
        told = await _told(stage, stage.choose(_QUOTE_THIS, stage.chat(_READ, by=stage.club.ben), by=stage.club.ada))
    assert told.startswith("How far have you all read?")
