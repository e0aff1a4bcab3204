"""Whatever happens in mid-turn, or to the platform, a question gets its answer once."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from typing_extensions import override

from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from core.club.hearing.addressing import AddressingService
from core.domain.conversation import AskedAs
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.domain.question import IncomingMessage
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
    """Core's own, over a store that is busy at first."""

    def __init__(self, addressing: AddressingService, *, failures: int) -> None:
        self._own = addressing
        self._left = failures
        self.is_over = asyncio.Event()

    @override
    async def hear(self, message: IncomingMessage, heard: Addressing) -> AskedAs:
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
    """The house's own; knows what was finished `alone`, and what `along` with something else."""

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


async def test_a_restart_in_mid_turn_answers_once(stage: Stage, services: PlatformServices) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    async with stage.running(answers.instead_of(services)) as bot:
        asked = stage.ask("Who?")
        await answers.was_asked()
        await bot.kill()
    assert stage.answers_to(asked) == []
    after = ScriptedAnswers()
    for _ in range(2):
        async with stage.running(after.instead_of(services)) as bot:
            await stage.answer_to(asked)
            await bot.settled()
    assert [message.ref for message in after.asked] == [message.ref for message in answers.asked]
    assert len(stage.answers_to(asked)) == 1


async def test_a_kill_in_the_middle_of_a_post_leaves_one_answer(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    stage.fail("post", stage.faults.held())
    async with stage.running() as bot:
        asked = stage.ask("Who lit the lamp?")
        await stage.wait_for(lambda: stage.count("post"))
        await bot.kill()
    async with stage.running() as bot:
        await stage.answer_to(asked)
        await bot.settled()
    assert len(stage.answers_to(asked)) == 1


@pytest.mark.parametrize("opens", [True, False], ids=["a new thread", "a thread"])
async def test_a_kill_after_the_post_and_before_the_note_of_it_leaves_one_answer(
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
    async with stage.running(answers.instead_of(services)) as bot:
        await bot.settled()
    assert len(answers.asked) == 1
    assert len(stage.answers_to(asked)) == 1
    assert await services.inbox.unfinished(stage.name) == []


async def test_that_all_is_done_is_noted_with_the_next_message_or_by_a_stop(
    stage: Stage, services: PlatformServices
) -> None:
    inbox, thread = FinishedInbox(services.inbox), stage.thread()
    async with stage.running(replace(ScriptedAnswers().instead_of(services), inbox=inbox)):
        for text in ("Who?", "And who?", "And then?"):
            await stage.answer_to(stage.say(thread, text, mention=True))
    assert (inbox.alone, len(inbox.along)) == ([], 3)
    assert await services.inbox.unfinished(stage.name) == []


@pytest.mark.parametrize("in_thread", [True, False])
async def test_what_was_deleted_or_edited_while_the_bot_was_down(
    stage: Stage, services: PlatformServices, in_thread: bool
) -> None:
    answers = ScriptedAnswers(held=["Gone?", "Edited?"])
    thread = stage.thread()
    async with stage.running(answers.instead_of(services)) as bot:
        gone, edited = (
            stage.say(thread, one, mention=True) if in_thread else stage.ask(one) for one in ("Gone?", "Edited?")
        )
        await answers.was_asked(1 if in_thread else 2)
        await stage.wait_for(lambda: not in_thread or stage.emoji.waiting in edited.reactions)
        await bot.kill()
    stage.delete_and_forget(gone)
    stage.edit(edited, "And now?")
    after = ScriptedAnswers("To {asked}")
    async with stage.running(after.instead_of(services)) as bot:
        await stage.answer_to(edited)
        await bot.settled()
    assert [one.text for one in after.asked] == ["And now?"]
    assert await services.inbox.unfinished(stage.name) == []


async def test_what_could_not_be_posted_at_all_is_taken_up_again_later(
    stage: Stage, services: PlatformServices
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    hasty = RetryPolicy(first=0.01, longest=0.02, total=0.1, later=0.05)
    thread = stage.thread()
    async with stage.running(answers.instead_of(services), retry=hasty) as bot:
        asked = stage.say(thread, "Who?")
        await answers.was_asked()
        with stage.down():
            before = len(stage.server.calls)
            answers.release("Who?")
            # More than one attempt makes in its tenth of a second.
            await stage.wait_for(lambda: len(stage.server.calls) > before + 15)
        await stage.answer_to(asked)
        await bot.settled()
    assert len(stage.answers_to(asked)) == 1


async def test_a_short_outage_is_waited_out(stage: Stage, services: PlatformServices) -> None:
    thread = stage.thread()
    async with stage.running(ScriptedAnswers().instead_of(services)) as bot:
        stage.fail("post", stage.faults.broken(503), times=2)
        asked = stage.say(thread, "Who?")
        await stage.answer_to(asked)
        await bot.settled()
    assert len(stage.answers_to(asked)) == 1


async def test_a_question_is_decided_about_once_more(stage: Stage, services: PlatformServices) -> None:
    busy = BusyHearMessage(services.addressing, failures=2)
    seen = replace(ScriptedAnswers().instead_of(services), addressing=busy)
    async with stage.running(seen, retry=replace(QUICK, later=0.05)) as bot:
        await stage.answer_to(stage.ask("Who?"))
        await bot.settled()
    assert await services.inbox.unfinished(stage.name) == []


async def test_what_never_can_be_decided_about_does_not_come_back_for_ever(
    stage: Stage, services: PlatformServices
) -> None:
    busy = BusyHearMessage(services.addressing, failures=3)
    answers = ScriptedAnswers()
    seen = replace(answers.instead_of(services), addressing=busy)
    thread = stage.thread()
    async with stage.running(seen, retry=replace(QUICK, later=0.05)) as bot:
        stage.say(thread, "Who?", mention=True)
        async with asyncio.timeout(PATIENCE_S):
            await busy.is_over.wait()
        await stage.answer_to(stage.say(thread, "And who?", mention=True))
        await bot.settled()
    assert await services.inbox.unfinished(stage.name) == []
