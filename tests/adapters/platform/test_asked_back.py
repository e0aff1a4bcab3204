"""A member who is behind the thread is asked first: a private answer up to their page, or one in the thread?"""

from collections.abc import Sequence
from pathlib import Path

from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import build
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

ASKED = "This thread is at p. 4."
QUESTION = "Who rowed out to the wreck?"
AGAIN = "Who was it that rowed out to the wreck?"


async def _behind(stage: Stage, read_book: ReadBook) -> Message:
    """Set Ada's page behind the club's; return a thread."""
    await read_book(page="4")
    async with stage.settling() as bot:
        await stage.over(stage.use("mypage", "2", by=stage.club.ada), bot)
    return stage.thread()


def _told(stage: Stage, said: str) -> Sequence[Message]:
    """Return what Ada sees with some words, in place or in private."""
    return [one for one in (*stage.told(stage.club.ada), *stage.public()) if said in one.content]


async def _asked(stage: Stage, thread: Message, text: str) -> Message:
    stage.say(thread, text, mention=True)
    (asked,) = await stage.wait_for(lambda: _told(stage, ASKED))
    assert stage.labels(asked) == ["For me alone", "Here"]
    return asked


def _answers(stage: Stage) -> Sequence[Message]:
    return [one for one in stage.public() if "Ines" in one.content]


async def test_the_private_answer_is_at_the_askers_own_page(stage: Stage, read_book: ReadBook) -> None:
    thread = await _behind(stage, read_book)
    async with stage.settling() as bot:
        asked = await _asked(stage, thread, QUESTION)
        await stage.answer_to(stage.say(thread, QUESTION, by=stage.club.ben, mention=True))
        pressed = stage.press(".alone", asked, by=stage.club.ada)
        alone = await stage.wait_for(
            lambda: [one for one in (*pressed.messages, *stage.told(stage.club.ada)) if "(up to p. 2)" in one.content]
        )
        await bot.settled()
        before = list(stage.told(stage.club.ada))
        stage.say(thread, AGAIN, mention=True)
        (again,) = await stage.wait_for(lambda: [one for one in stage.told(stage.club.ada) if one not in before])
    assert "`" in alone[0].content
    assert "(up to p. 2)" in again.content
    assert not [one for one in (*alone, again) if "Ines" in one.content]
    assert len(_answers(stage)) == 1  # Ben's


async def test_the_asker_can_choose_answers_here_and_no_one_else_can(stage: Stage, read_book: ReadBook) -> None:
    thread, ada, ben = await _behind(stage, read_book), stage.club.ada, stage.club.ben
    async with stage.settling() as bot:
        asked = await _asked(stage, thread, QUESTION)
        if stage.name == "discord":  # in Slack no one else sees it
            refused = stage.press(".here", asked, by=ben)
            await stage.wait_for(lambda: "Only the person who asked" in str(refused.messages))
            await bot.settled()
        assert not _answers(stage)
        stage.press(".here", asked, by=ada)
        (answer,) = await stage.wait_for(lambda: _answers(stage))
        assert stage.is_in(answer, thread)
        assert "More here" in stage.labels(answer)
        again = await stage.answer_to(stage.say(thread, AGAIN, mention=True))
        assert "Ines" in again.content
        posts = len(stage.public())
        stage.say(thread, "ask alone", mention=True)
        await stage.wait_for(lambda: _told(stage, "I answer just you"))
        before = list(stage.told(ada))
        stage.say(thread, QUESTION, mention=True)
        await stage.wait_for(lambda: [one for one in stage.told(ada) if one not in before])
    assert len(_answers(stage)) == 2
    assert len(stage.public()) <= posts + 1


async def test_the_question_survives_a_restart(stage: Stage, read_book: ReadBook, own_home: Path) -> None:
    thread = await _behind(stage, read_book)
    async with stage.settling():
        asked = await _asked(stage, thread, QUESTION)
    restarted = build(Settings(thusfar_home=own_home))
    try:
        async with stage.settling(platform_services(restarted)):
            stage.press(".here", asked, by=stage.club.ada)
            (answer,) = await stage.wait_for(lambda: _answers(stage))
    finally:
        await restarted.close()
    assert stage.is_in(answer, thread)


async def test_a_deleted_question_gets_a_friendly_sentence(stage: Stage, read_book: ReadBook) -> None:
    thread = await _behind(stage, read_book)
    async with stage.settling() as bot:
        stage.say(thread, "Good evening!", by=stage.club.ben)
        said = stage.say(thread, QUESTION, mention=True)
        (asked,) = await stage.wait_for(lambda: _told(stage, ASKED))
        stage.server.delete(said)
        await bot.settled()
        pressed = stage.press(".here", asked, by=stage.club.ada)
        await stage.wait_for(
            lambda: [
                one for one in (*pressed.messages, *stage.told(stage.club.ada)) if "Please ask again" in one.content
            ]
        )
    assert not _answers(stage)


async def test_a_command_with_here_asks_first_too(stage: Stage, read_book: ReadBook) -> None:
    thread = await _behind(stage, read_book)
    async with stage.settling():
        asked = await _asked(stage, thread, "recap here")
        pressed = stage.press(".alone", asked, by=stage.club.ada)
        await stage.wait_for(
            lambda: [one for one in (*pressed.messages, *stage.told(stage.club.ada)) if "(up to p. 2)" in one.content]
        )
    assert not [one for one in stage.public() if "up to p." in one.content]


async def test_a_mention_in_the_channel_asks_in_the_thread_that_it_opens(stage: Stage, read_book: ReadBook) -> None:
    await _behind(stage, read_book)
    async with stage.settling():
        said = stage.ask(QUESTION)
        (asked,) = await stage.wait_for(lambda: _told(stage, ASKED))
        stage.press(".here", asked, by=stage.club.ada)
        (answer,) = await stage.wait_for(lambda: _answers(stage))
    assert answer in stage.answers_to(said)
