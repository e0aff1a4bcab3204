"""Questions asked before a page is set are answered as soon as it is."""

import pytest

from bot.wiring import Application
from core.domain.errors import StorageError
from core.domain.question import IncomingMessage, Reply
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

_QUESTION = "Who lit the lamp?"


async def _asked_too_early(stage: Stage) -> Message:
    asked = stage.ask(_QUESTION)
    answer = await stage.answer_to(asked)
    assert "How far have you all read?" in answer.content
    return asked


def _answers(stage: Stage) -> list[str]:
    return [one.content for one in stage.public() if "Marrable" in one.content]


async def test_it_is_answered_in_its_thread_once_the_page_is_set_in_the_channel(
    stage: Stage, read_book: ReadBook
) -> None:
    await read_book(page=None)
    async with stage.settling() as bot:
        asked = await _asked_too_early(stage)
        stage.use("where")
        await bot.settled()
        assert _answers(stage) == []
        stage.use("setpage", "2", by=stage.club.ben)
        await stage.wait_for(lambda: len(stage.answers_to(asked)) == 2)
        await bot.settled()
        answer = stage.answers_to(asked)[-1]
        stage.use("setpage", "1", by=stage.club.ben)
    assert "Marrable" in answer.content
    assert "up to p. 2" in answer.content
    assert {"More here", "👍", "👎"} <= set(stage.labels(answer))
    assert len(_answers(stage)) == 1


async def test_the_page_can_be_set_in_the_thread_itself(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book(page=None)
    thread = stage.thread()
    async with stage.settling():
        asked = stage.say(thread, _QUESTION, mention=True)
        await stage.answer_to(asked)
        stage.say(thread, "we are on page 2", mention=True, by=stage.club.ben)
        await stage.wait_for(lambda: _answers(stage))
    assert len(_answers(stage)) == 1
    assert await stage.page_of(house, thread) == 2


async def test_a_question_deleted_in_the_meantime_is_not_answered(stage: Stage, read_book: ReadBook) -> None:
    await read_book(page=None)
    thread = stage.thread()
    async with stage.settling() as bot:
        asked = stage.say(thread, _QUESTION, mention=True)
        await stage.answer_to(asked)
        await bot.settled()
        stage.delete_and_forget(asked)
        stage.say(thread, "setpage 2", mention=True, by=stage.club.ben)
        await stage.wait_for(lambda: [one for one in stage.public() if "p. 2" in one.content])
    assert _answers(stage) == []


async def test_a_question_that_the_store_fails_at_waits_for_the_next_command(
    stage: Stage, read_book: ReadBook, house: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read_book(page=None)
    async with stage.settling() as bot:
        await _asked_too_early(stage)
        failed = []

        async def failing(message: IncomingMessage, on_event: object = None) -> Reply:
            failed.append(message)
            raise StorageError("The database is locked.")

        with monkeypatch.context() as patch:
            patch.setattr(house.answer_message, "execute", failing)
            stage.use("setpage", "2", by=stage.club.ben)
            await stage.wait_for(lambda: failed)
            await bot.settled()
        stage.use("where")
        await stage.wait_for(lambda: _answers(stage))
    assert len(_answers(stage)) == 1
