"""What an earlier process left behind: stored answers and failures, reactions, and questions that crashed it."""

import asyncio
from dataclasses import replace

import pytest

from adapters.platform.services import PlatformServices
from core.answering.answer_message import AnswerMessage
from core.domain.chat_event import EventSink, ToolInvocationEvent
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.inbound import EventState
from core.domain.messages import GIVEN_UP
from core.domain.question import IncomingMessage, Reply
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.killing import Killed, KilledBeforeFinishing
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage
from tests.adapters.platforms import QUICK_TO_LOOK
from tests.patience import PATIENCE_S


async def _killed_before_finishing(stage: Stage, services: PlatformServices, text: str) -> Message:
    """Ask; the process ends after showing the outcome, before recording it."""
    inbox = KilledBeforeFinishing(services.inbox)
    async with stage.running(replace(services, inbox=inbox), retry=QUICK_TO_LOOK) as bot:
        asked = stage.ask(text)
        async with asyncio.timeout(PATIENCE_S):
            await inbox.finishing.wait()
        await bot.kill()
    return asked


async def test_a_question_whose_failure_was_reported_is_not_answered_later(
    stage: Stage, services: PlatformServices
) -> None:
    failing, after = ScriptedAnswers(), ScriptedAnswers()
    failing.fail_with(LLMError(LLMErrorCode.OVERLOADED, "503"))
    asked = await _killed_before_finishing(stage, failing.instead_of(services), "Who?")
    async with stage.running(after) as bot:
        await bot.settled()
    (told,) = stage.answers_to(asked)
    assert "wrong" in told.content
    assert after.asked == []
    assert list(asked.reactions) == [stage.emoji.failed]


async def test_a_stored_answer_is_posted_unchanged(
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
    async with stage.settling():
        await stage.answer_to(asked)
    assert set(asked.reactions) <= {stage.emoji.found}  # if it was put before the kill
    (answer,) = stage.answers_to(asked)
    assert left.reply.text.partition("\n")[0].strip("*") in answer.content


async def test_a_posted_answer_is_never_generated_again(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    asked = await _killed_before_finishing(stage, services, "Who lit the lamp?")
    (left,) = await services.inbox.unfinished(stage.name)
    assert left.state is EventState.POSTED
    (answer,) = stage.answers_to(asked)
    posts = stage.count("post")
    async with stage.running() as bot:
        await bot.settled()
    assert stage.answers_to(asked) == [answer]
    assert stage.count("post") == posts
    assert set(asked.reactions) <= {stage.emoji.found}
    assert await services.inbox.unfinished(stage.name) == []


class _LongSearch(AnswerMessage):
    """Core's service, whose search step is shown before it ends."""

    def __init__(self, own: AnswerMessage) -> None:
        self._own = own
        self.ends = asyncio.Event()

    async def execute(self, message: IncomingMessage, on_event: EventSink | None = None) -> Reply:
        assert on_event is not None
        on_event(ToolInvocationEvent(tool_name="search_book", arguments={"query": message.text}))
        await self.ends.wait()
        return await self._own.execute(message, on_event)


async def test_a_reaction_left_by_a_kill_is_removed_after_the_answer(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    slow = stage.fail("unreact", stage.faults.held(), times=100)
    searching = _LongSearch(services.answer_message)
    async with stage.running(replace(services, answer_message=searching)) as bot:
        asked = stage.ask("Who lit the lamp?")
        await stage.wait_for(lambda: stage.emoji.searching in asked.reactions)
        searching.ends.set()
        await stage.answer_to(asked)
        await stage.wait_for(lambda: stage.count("unreact"))
        await bot.kill()
    slow.release()
    stage.forget_plans()
    assert set(asked.reactions) == {stage.emoji.searching, stage.emoji.found}
    async with stage.running() as bot:
        await bot.settled()
    assert list(asked.reactions) == [stage.emoji.found]
    assert len(stage.answers_to(asked)) == 1
    assert await services.inbox.unfinished(stage.name) == []


async def test_the_waiting_reaction_of_a_dead_process_is_removed_with_the_answer(stage: Stage) -> None:
    answers = ScriptedAnswers(held=["First?"])
    thread = stage.thread()
    async with stage.running(answers) as bot:
        stage.say(thread, "First?")
        second = stage.say(thread, "Second?")
        await stage.wait_for(lambda: stage.emoji.waiting in second.reactions)
        await bot.kill()
    async with stage.settling(ScriptedAnswers("To {asked}")):
        await stage.wait_for(lambda: [one for one in stage.public() if one.content.startswith("To Second?")])
    assert stage.emoji.waiting not in second.reactions


@pytest.mark.parametrize(("crashed", "deaths"), [(True, 2), (False, 4)])
async def test_a_question_that_crashes_the_process_is_tried_without_the_index_and_then_given_up(
    stage: Stage, services: PlatformServices, read_book: ReadBook, crashed: bool, deaths: int
) -> None:
    """A question that crashed the process twice is given up; a kill from outside counts for less."""
    await read_book()
    set_aside: list[str] = []
    seen = replace(
        services, inbox=Killed(services.inbox), crashed=crashed, set_aside_index=lambda: set_aside.append("once")
    )
    thread = stage.thread()
    asked = None
    for number in range(deaths):
        mortal = ScriptedAnswers(held=["Who?"])
        async with stage.running(mortal.instead_of(seen)) as bot:
            asked = asked or stage.say(thread, "Who?")
            await mortal.was_asked()
            if number == 0:
                (event,) = await services.inbox.unfinished(stage.name)
                await services.inbox.begin(event)  # as the record of turns does for a question
            await bot.kill()
    assert asked is not None
    assert len(set_aside) == deaths - 1
    last = ScriptedAnswers()
    async with stage.settling(last.instead_of(seen)):
        after = stage.say(thread, "And then?")
        await stage.answer_to(after)
    assert [GIVEN_UP in one.content for one in stage.public()].count(True) == 1
    assert last.texts == ["And then?"]
    assert stage.emoji.failed in asked.reactions
    assert await services.inbox.unfinished(stage.name) == []


async def test_a_question_cut_off_by_a_stop_does_not_count_as_a_crash(stage: Stage, services: PlatformServices) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    async with stage.running(answers) as bot:
        stage.ask("Who?")
        await answers.was_asked()
        (event,) = await services.inbox.unfinished(stage.name)
        await services.inbox.begin(event)
        await bot.kill()
    (left,) = await services.inbox.unfinished(stage.name)
    assert (left.state, left.attempts, left.blame) == (EventState.RECEIVED, 0, 0)
