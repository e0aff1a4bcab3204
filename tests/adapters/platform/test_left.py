"""What an earlier process left behind: frozen answers and failures, reactions, and what it may have died of."""

import asyncio
from dataclasses import replace

import pytest

from adapters.platform.services import PlatformServices
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.words import GIVEN_UP
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.killing import KilledBeforeFinishing
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage


async def _killed_before_finishing(stage: Stage, services: PlatformServices, text: str) -> Message:
    """Ask; the process ends when all is shown, and before that is noted."""
    inbox = KilledBeforeFinishing(services.inbox)
    async with stage.running(replace(services, inbox=inbox)) as bot:
        asked = stage.ask(text)
        async with asyncio.timeout(10):
            await inbox.finishing.wait()
        await bot.kill()
    return asked


async def test_a_failure_that_was_told_is_not_answered_after_all(stage: Stage, services: PlatformServices) -> None:
    failing, after = ScriptedAnswers(), ScriptedAnswers()
    failing.fail_with(LLMError(LLMErrorCode.OVERLOADED, "503"))
    asked = await _killed_before_finishing(stage, failing.instead_of(services), "Who?")
    async with stage.running(after.instead_of(services)) as bot:
        await bot.settled()
    (told,) = stage.answers_to(asked)
    assert "wrong" in told.content
    assert after.asked == []
    assert list(asked.reactions) == [stage.emoji.failed]


async def test_a_recorded_answer_is_posted_as_it_was_frozen(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    stage.fail("post", stage.faults.held())
    async with stage.running() as bot:
        asked = stage.ask("Who lit the lamp?")
        await stage.wait_for(lambda: stage.count("post"))
        await bot.kill()
    (left,) = await services.inbox.unfinished(stage.name)
    assert left.reply is not None
    async with stage.running() as bot:
        await stage.answer_to(asked)
        await bot.settled()
    assert asked.reactions == {}
    (answer,) = stage.answers_to(asked)
    assert left.reply.text.partition("\n")[0].strip("*") in answer.content


async def test_a_reaction_that_a_kill_left_behind_goes_though_the_answer_stands(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    slow = stage.fail("unreact", stage.faults.held(), times=100)
    async with stage.running() as bot:
        asked = stage.ask("Who lit the lamp?")
        await stage.answer_to(asked)
        await stage.wait_for(lambda: stage.count("unreact"))
        await bot.kill()
    slow.release()
    stage.forget_plans()
    assert asked.reactions != {}
    async with stage.running() as bot:
        await bot.settled()
    assert asked.reactions == {}
    assert len(stage.answers_to(asked)) == 1
    assert await services.inbox.unfinished(stage.name) == []


async def test_a_question_that_waited_in_a_process_that_died_waits_no_longer_when_it_is_answered(
    stage: Stage, services: PlatformServices
) -> None:
    answers = ScriptedAnswers(held=["First?"])
    thread = stage.thread()
    async with stage.running(answers.instead_of(services)) as bot:
        stage.say(thread, "First?")
        second = stage.say(thread, "Second?")
        await stage.wait_for(lambda: stage.emoji.waiting in second.reactions)
        await bot.kill()
    async with stage.running(ScriptedAnswers("To {asked}").instead_of(services)) as bot:
        await stage.wait_for(lambda: [one for one in stage.public() if one.content.startswith("To Second?")])
        await bot.settled()
    assert stage.emoji.waiting not in second.reactions


@pytest.mark.parametrize("deaths", [1, 2])
async def test_what_ends_the_process_is_tried_once_without_the_index_and_then_given_up(
    stage: Stage, services: PlatformServices, read_book: ReadBook, deaths: int
) -> None:
    """A process that dies of a question dies when work on it has begun."""
    await read_book()
    set_aside: list[str] = []
    seen = replace(services, set_aside_index=lambda: set_aside.append("once"))
    asked = None
    for attempt in range(deaths):
        mortal = ScriptedAnswers(held=["Who?"])
        async with stage.running(mortal.instead_of(seen)) as bot:
            asked = asked or stage.ask("Who?")
            await mortal.was_asked()
            if attempt == 0:
                (event,) = await services.inbox.unfinished(stage.name)
                await services.inbox.begin(event)  # as the record of turns does for a question
            await bot.kill()
    assert asked is not None
    last = ScriptedAnswers()
    async with stage.running(last.instead_of(seen)) as bot:
        await stage.answer_to(asked)
        await bot.settled()
    (answer,) = stage.answers_to(asked)
    assert set_aside == ["once"]
    assert (len(last.asked), GIVEN_UP in answer.content) == ((1, False) if deaths == 1 else (0, True))
    assert (stage.emoji.failed in asked.reactions) == (deaths == 2)
    assert await services.inbox.unfinished(stage.name) == []
