"""Good manners: a thread's opener counts as present, pages are set at once, deleted questions get no answer."""

import asyncio
from dataclasses import replace

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.club.hearing.addressing import AddressingService
from core.domain.position import Pace
from core.domain.question import IncomingMessage
from core.domain.understanding import Understanding
from core.understanding.listening import Addressing
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage
from tests.patience import PATIENCE_S


class HeardDeletion(AddressingService):
    """Core's service, which reports when it has handled a deletion."""

    def __init__(self, own: AddressingService) -> None:
        self._own = own
        self.deletion = asyncio.Event()

    async def hear(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        return await self._own.hear(message, heard)

    def answered(self, message: IncomingMessage, text: str) -> None:
        self._own.answered(message, text)

    async def deleted(self, ref: str) -> None:
        await self._own.deleted(ref)
        self.deletion.set()


async def test_the_opener_of_a_thread_counts_as_present(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book(page="4")
    organiser = stage.club.organiser
    async with stage.settling() as bot:
        stage.ask("pace slowest", by=organiser)
        await stage.wait_for(stage.public)
        stage.ask("mypage 1", by=stage.club.ben)
        await stage.wait_for(lambda: stage.told(stage.club.ben))
        await bot.settled()
        assert (await house.threads.club(stage.place())).page_of_all == 4
        said = len(stage.public())
        stage.use("chat", by=stage.club.ben)
        await stage.wait_for(lambda: len(stage.public()) >= said + 2)
    assert (await house.threads.club(stage.place())).page_of_all == 1
    assert (await house.threads.place(stage.place())).standing.reading.pace is Pace.SLOWEST  # type: ignore[union-attr]


async def test_setting_a_page_does_not_wait_for_an_answer(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    thread = stage.thread()
    answers = ScriptedAnswers(held=["Who?"])
    async with stage.settling(answers):
        asked = stage.say(thread, "Who?", mention=True)
        await answers.was_asked()
        line = await stage.answer_to(stage.say(thread, "setpage 1", mention=True))
        assert "p. 1" in line.content
        assert await stage.page_of(house, thread) == 1
        assert answers.answered == []
        answers.release("Who?")
        await stage.answer_to(asked)


async def test_a_question_that_is_deleted_while_it_is_answered_gets_no_answer(
    stage: Stage, services: PlatformServices
) -> None:
    thread = stage.thread()
    answers = ScriptedAnswers("To {asked}", held=["Who?"])
    heard = HeardDeletion(services.addressing)
    async with stage.settling(replace(answers.instead_of(services), addressing=heard)):
        gone = stage.say(thread, "Who?", mention=True)
        await answers.was_asked()
        stage.server.delete(gone)
        async with asyncio.timeout(PATIENCE_S):
            await heard.deletion.wait()
        stage.say(thread, "And who?", mention=True)
        answers.release("Who?")
        await stage.wait_for(lambda: any("And who?" in one.content for one in stage.public()))
    assert not [one for one in stage.public() if one.content.startswith("To Who?")]
