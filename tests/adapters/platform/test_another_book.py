"""A channel that changes its book: its threads keep theirs, also after a restart, and get no post."""

from pathlib import Path

from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import Application, build
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage

_COMET = "A comet stood over the harbour of Tranter."


async def _add_comet(house: Application, stage: Stage, folder: Path) -> None:
    other = folder / "comet.txt"
    other.write_text(_COMET, encoding="utf-8")
    await house.library.add(other, scope=stage.place().scope, title="The Comet")


async def _open_comet(stage: Stage) -> None:
    """Open the other book in the channel, and set its page."""
    for said, told in (("book use The Comet", "Olga opened The Comet"), ("setpage 1", "Olga set the club's page")):
        stage.ask(said, by=stage.club.organiser)
        await stage.wait_for(lambda: [one for one in stage.public() if told in one.content])  # noqa: B023


async def test_a_thread_keeps_its_book_and_its_page_and_gets_no_post(
    stage: Stage, read_book: ReadBook, house: Application, tmp_path: Path, own_home: Path
) -> None:
    await read_book(page="4")
    await _add_comet(house, stage, tmp_path)
    thread = stage.thread()
    async with stage.running() as bot:
        await stage.answer_to(stage.say(thread, "Who rowed out to the wreck?", mention=True))
        await stage.answer_to(stage.say(thread, "setpage 3", mention=True))
        await _open_comet(stage)
        await bot.settled()
        assert not [one for one in stage.public() if "This thread" in one.content]
    restarted = build(Settings(thusfar_home=own_home))
    try:
        async with stage.settling(platform_services(restarted)):
            again = await stage.answer_to(stage.say(thread, "Who rowed out to the wreck?", mention=True))
            assert "Ines" in again.content
            where = await stage.answer_to(stage.say(thread, "where", mention=True))
            assert where.content.endswith("The Lamp, 4 pages: up to p. 3.")
            pressed = stage.press(".around", again, by=stage.club.ben)
            (shown,) = await stage.wait_for(lambda: pressed.messages or stage.told(stage.club.ben))
            assert "Ines" in shown.content
            new = await stage.answer_to(stage.ask("What stood over the harbour?"))
            assert "comet" in new.content
    finally:
        await restarted.close()


async def test_a_book_that_is_opened_in_an_old_thread_is_read_in_the_channel(
    stage: Stage, read_book: ReadBook, house: Application, tmp_path: Path
) -> None:
    await read_book(page="2")
    await _add_comet(house, stage, tmp_path)
    thread = stage.thread()
    async with stage.running() as bot:
        await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
        line = await stage.answer_to(stage.say(thread, "book use The Comet", by=stage.club.organiser, mention=True))
        await bot.settled()
        assert line.content.endswith("This thread stays with its own book.")
        told = [one for one in stage.public() if "opened The Comet" in one.content and not stage.is_in(one, thread)]
        assert len(told) == 1
        where = await stage.answer_to(stage.say(thread, "where", mention=True))
        assert "The Lamp" in where.content
    assert (await house.threads.place(stage.place())).book.title == "The Comet"  # type: ignore[union-attr]


async def test_a_question_that_waits_for_a_page_is_answered_in_its_book_or_not_at_all(
    stage: Stage, read_book: ReadBook, house: Application, tmp_path: Path
) -> None:
    await read_book(page=None)
    await _add_comet(house, stage, tmp_path)
    thread, organiser = stage.thread(), stage.club.organiser
    async with stage.settling() as bot:
        asked = await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
        assert "How far" in asked.content
        await _open_comet(stage)
        await bot.settled()
        assert not [one for one in stage.public() if "lamp" in one.content and one.content != asked.content]
        await stage.answer_to(stage.say(thread, "setpage 2", by=organiser, mention=True))
        (late,) = await stage.wait_for(lambda: [one for one in stage.public() if "> " in one.content])
    assert stage.is_in(late, thread)
    assert "comet" not in late.content


async def test_a_thread_whose_book_was_removed_names_that_book(
    stage: Stage, read_book: ReadBook, house: Application, tmp_path: Path
) -> None:
    book = await read_book(page="2")
    await _add_comet(house, stage, tmp_path)
    thread, gone = stage.thread(), "We talked about The Lamp here, but that book has been removed."
    async with stage.settling():
        await stage.answer_to(stage.say(thread, "Who lit the lamp?", mention=True))
        await _open_comet(stage)
        await house.library.remove(book.book_id)
        for said in ("Who lit the lamp?", "where"):
            before = len(stage.told(stage.club.ada)) + len(stage.public())
            stage.say(thread, said, mention=True)
            await stage.wait_for(lambda: len(stage.told(stage.club.ada)) + len(stage.public()) > before)  # noqa: B023
    heard = [one.content for one in (*stage.told(stage.club.ada), *stage.public())]
    assert heard.count(gone) == 2
