"""A question is answered exactly once, whatever happens during the turn or to the platform."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from typing_extensions import override

from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from core.club.hearing.addressing import AddressingService
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.domain.question import IncomingMessage
from core.domain.understanding import Understanding
from core.ports.inbox import Inbox
from core.understanding.listening import Addressing
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.killing import KilledBeforeFinishing
from tests.adapters.passing_on import PassingOn
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage
from tests.adapters.platforms import QUICK, QUICK_TO_LOOK
from tests.patience import PATIENCE_S


class BusyHearMessage(AddressingService):
    """Core's service, over a store that is busy at first."""

    def __init__(self, addressing: AddressingService, *, failures: int) -> None:
        self._own = addressing
        self._left = failures
        self.is_over = asyncio.Event()

    @override
    async def hear(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        if not self._left:
            return await self._own.hear(message, heard)
        self._left -= 1
        if not self._left:
            self.is_over.set()
        raise StorageError("The database is locked.")

    @override
    def answered(self, message: IncomingMessage, text: str) -> None:
        self._own.answered(message, text)


class FinishedInbox(PassingOn):
    """The application's inbox; records what was finished `alone`, and what `along` with other events."""

    def __init__(self, inbox: Inbox) -> None:
        super().__init__(inbox)
        self.alone: list[str] = []
        self.along: set[str] = set()

    @override
    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        self.along |= {one.message_id for one in finished}
        return await super().take_in(event, finished=finished)

    @override
    async def finish(self, event: InboundEvent) -> None:
        self.alone.append(event.message_id)
        await super().finish(event)

    @override
    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        self.along |= {one.message_id for one in events}
        await super().finish_posted(events)


async def test_a_restart_in_mid_turn_answers_once(stage: Stage) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    async with stage.running(answers) as bot:
        asked = stage.ask("Who?")
        await answers.was_asked()
        await bot.kill()
    assert stage.answers_to(asked) == []
    after = ScriptedAnswers()
    for _ in range(2):
        async with stage.settling(after):
            await stage.answer_to(asked)
    assert [message.ref for message in after.asked] == [message.ref for message in answers.asked]
    assert len(stage.answers_to(asked)) == 1


async def test_a_kill_in_the_middle_of_a_post_leaves_one_answer(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    stage.fail("post", stage.faults.held())
    async with stage.running() as bot:
        asked = stage.ask("Who lit the lamp?")
        await stage.wait_for(lambda: stage.count("post"))
        await bot.kill()
    async with stage.settling():
        await stage.answer_to(asked)
    assert len(stage.answers_to(asked)) == 1


@pytest.mark.parametrize("opens", [True, False], ids=["a new thread", "a thread"])
async def test_a_kill_between_the_post_and_its_record_leaves_one_answer(
    stage: Stage, services: PlatformServices, opens: bool
) -> None:
    answers = ScriptedAnswers()
    inbox = KilledBeforeFinishing(services.inbox)
    thread = None if opens else stage.thread()
    async with stage.running(replace(answers.instead_of(services), inbox=inbox), retry=QUICK_TO_LOOK) as bot:
        asked = stage.ask("Who?") if thread is None else stage.say(thread, "Who?")
        async with asyncio.timeout(PATIENCE_S):
            await inbox.finishing.wait()
        await bot.kill()
    async with stage.running(answers) as bot:
        await bot.settled()
    assert len(answers.asked) == 1
    assert len(stage.answers_to(asked)) == 1
    assert await services.inbox.unfinished(stage.name) == []


async def test_completion_is_recorded_with_the_next_message_or_by_a_stop(
    stage: Stage, services: PlatformServices
) -> None:
    inbox, thread = FinishedInbox(services.inbox), stage.thread()
    async with stage.running(replace(ScriptedAnswers().instead_of(services), inbox=inbox)):
        for text in ("Who?", "And who?", "And then?"):
            await stage.answer_to(stage.say(thread, text, mention=True))
    assert (inbox.alone, len(inbox.along)) == ([], 3)
    assert await services.inbox.unfinished(stage.name) == []


@pytest.mark.parametrize("in_thread", [True, False])
async def test_deletions_and_edits_while_the_bot_was_down(
    stage: Stage, services: PlatformServices, in_thread: bool
) -> None:
    answers = ScriptedAnswers(held=["Gone?", "Edited?"])
    thread = stage.thread()
    async with stage.running(answers) as bot:
        gone, edited = (
            stage.say(thread, one, mention=True) if in_thread else stage.ask(one) for one in ("Gone?", "Edited?")
        )
        await answers.was_asked(1 if in_thread else 2)
        await stage.wait_for(lambda: not in_thread or stage.emoji.waiting in edited.reactions)
        await bot.kill()
    stage.delete_and_forget(gone)
    stage.edit(edited, "And now?")
    after = ScriptedAnswers("To {asked}")
    async with stage.settling(after):
        await stage.answer_to(edited)
    assert after.texts == ["And now?"]
    assert await services.inbox.unfinished(stage.name) == []


async def test_an_answer_that_could_not_be_posted_is_retried_later(stage: Stage) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    hasty = RetryPolicy(first=0.01, longest=0.02, total=0.1, later=0.05)
    thread = stage.thread()
    async with stage.settling(answers, retry=hasty):
        asked = stage.say(thread, "Who?")
        await answers.was_asked()
        with stage.down():
            before = len(stage.server.calls)
            answers.release("Who?")
            # More failures than one attempt has retries in its tenth of a second.
            await stage.wait_for(lambda: len(stage.server.calls) > before + 15)
        await stage.answer_to(asked)
    assert len(stage.answers_to(asked)) == 1


async def test_a_message_that_cannot_be_decided_about_is_given_up(stage: Stage, services: PlatformServices) -> None:
    busy = BusyHearMessage(services.addressing, failures=3)
    answers = ScriptedAnswers()
    seen = replace(answers.instead_of(services), addressing=busy)
    thread = stage.thread()
    async with stage.settling(seen, retry=replace(QUICK, later=0.05)):
        stage.say(thread, "Who?", mention=True)
        async with asyncio.timeout(PATIENCE_S):
            await busy.is_over.wait()
        await stage.answer_to(stage.say(thread, "And who?", mention=True))
    assert await services.inbox.unfinished(stage.name) == []
