"""A message from a thread becomes a reply; turns of one thread in order, threads side by side."""

import asyncio
from dataclasses import replace

import pytest

from adapters.persistence.tables import TurnRow
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent, TurnBegunEvent, TurnFailedEvent
from core.domain.conversation import TurnStatus
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.inbound import InboundEvent
from core.domain.messages import ASK_POSITION, describe
from core.domain.question import Reply
from tests.builders import ADA, BO, STORY, a_book_text, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import HeldRetrievalStrategy
from tests.unit.world import OTHER_THREAD, THREAD, World, incoming


async def test_an_unset_position_is_asked_for_and_no_model_is(world: World, scripted: Scripted) -> None:
    await world.reading(position=None)
    assert await world.answer_message(scripted()).execute(incoming("Who?")) == Reply(text=ASK_POSITION)
    assert await world.rows(TurnRow) == []


async def test_a_reply_has_its_text_position_sources_and_turn(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    provider = scripted(wants(an_invocation("brass compass", top_k=1)), says("Ada does (p. 1)."))
    reply = await world.answer_message(provider).execute(incoming("Who carries it?", author=BO))
    [turn] = await world.rows(TurnRow)
    assert (reply.text, reply.position, reply.failed) == ("Ada does (p. 1).", 2, False)
    assert [source.text for source in reply.sources] == [STORY[0]]
    assert reply.turn_id == turn.turn_id
    assert (turn.turn_number, turn.status, turn.user_query) == (1, TurnStatus.ANSWERED, "Who carries it?")
    question = (await world.stored(conversation))[0]
    assert (question.author, question.position) == (BO, 2)


@pytest.mark.parametrize("code", list(LLMErrorCode))
async def test_a_failing_model_becomes_a_friendly_sentence(
    world: World, scripted: Scripted, code: LLMErrorCode
) -> None:
    conversation, events = await world.reading(position=2), list[ChatEvent]()
    error = LLMError(code, "secret cause")
    reply = await world.answer_message(scripted(error)).execute(incoming("Who?"), events.append)
    assert reply == Reply(text=describe(error), position=2, failed=True)
    assert "secret cause" not in reply.text
    assert [type(event) for event in events[:3]] == [TurnBegunEvent, ToolInvocationEvent, ToolResultEvent]
    assert events[3:] == [TurnFailedEvent(code=code)]
    assert [role for role, _ in await world.said(conversation)] == ["user", "tool_result"]


async def test_the_cause_of_a_failure_goes_to_the_log(
    world: World, scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    await world.reading(position=2)
    await world.answer_message(scripted(LLMError(LLMErrorCode.AUTH, "401 from upstream"))).execute(incoming("Who?"))
    assert "401 from upstream" in caplog.text


async def test_a_public_answer_uses_the_threads_position_whoever_asks(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=1)
    await world.move(conversation.reading_id, 6)
    reply = await world.answer_message(scripted(says("Hm."))).execute(incoming("How does it end?", author=BO))
    assert reply.position == 1


async def test_turns_of_one_thread_run_in_order(world: World) -> None:
    conversation, held = await world.reading(), HeldRetrievalStrategy()
    answer = world.answer_message(ScriptedChatProvider(), strategy=held)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(answer.execute(incoming(text))) for text in ("one", "two", "three")]
        await held.until_began("one")
        held.release("three", "two")
        assert held.began == ["one"]
        held.release("one")
    assert held.began == held.ended == ["one", "two", "three"]
    assert [task.result().text for task in tasks] == ["You asked: one", "You asked: two", "You asked: three"]
    turns = await world.rows(TurnRow)
    assert [(turn.turn_number, turn.user_query) for turn in turns] == [(1, "one"), (2, "two"), (3, "three")]
    assert [text for role, text in await world.said(conversation) if role == "user"] == ["one", "two", "three"]


async def test_a_thread_whose_club_changes_its_book_is_answered_from_its_own(world: World) -> None:
    first = await world.reading(position=6)
    second = await world.add_book(a_book_text(["A new start.", "And an end."], title="Two Pages"))
    await world.threads.use(replace(THREAD, thread=""), book_id=second.book_id)
    page = world.quoting_page()
    for thread in (THREAD, THREAD.private_to(ADA.member_id)):
        await page.execute(incoming("Who hid the ledger?", thread=thread))
        state = await world.threads.state(thread)
        assert state is not None
        assert state.conversation.reading_id == first.reading_id
    assert "ledger" in (await page.execute(incoming("Who hid the ledger?"))).text
    for thread in (OTHER_THREAD, replace(THREAD, thread=""), replace(THREAD, thread="~m_ada")):
        assert (await page.execute(incoming("Hello?", thread=thread))).text == ASK_POSITION


async def test_where_the_model_fails_fitting_quotations_are_given_and_not_stored(
    world: World, scripted: Scripted
) -> None:
    conversation = await world.reading(position=2)
    error = LLMError(LLMErrorCode.UNAVAILABLE, "down")
    reply = await world.answer_message(scripted(error)).execute(incoming("Who carried the brass compass?"))
    assert reply.text.startswith(describe(error))
    assert "Ada Lindqvist carried a brass compass in her coat." in reply.text
    assert reply.failed
    assert [source.end_page for source in reply.sources] == [1, 2]
    assert [role for role, _ in await world.said(conversation)] == ["user", "tool_result"]


async def _left(world: World, ref: str) -> InboundEvent:
    event = InboundEvent(platform="discord", place="c1", message_id="1", ref=ref)
    await world.inbox.take_in(event)
    return event


@pytest.mark.parametrize("fails", [False, True])
async def test_what_is_posted_is_frozen_with_the_turn(world: World, scripted: Scripted, fails: bool) -> None:
    await world.reading(position=2)
    event = await _left(world, "discord:c1:1")
    error = LLMError(LLMErrorCode.TIMEOUT, "slow")
    reply = await world.answer_message(scripted(error if fails else says("Ada."))).execute(
        replace(incoming("Who?"), ref=event.ref)
    )
    (answered,) = await world.inbox.unfinished("discord")
    assert (answered.reply, reply.is_kept) == (reply, True)
    assert (reply.failed, reply.text) == ((True, describe(error)) if fails else (False, "Ada."))


@pytest.mark.parametrize("fails", [False, True])
async def test_what_was_frozen_is_posted_again_as_it_was_unless_the_thread_was_set_back(
    world: World, scripted: Scripted, fails: bool
) -> None:
    conversation = await world.reading(position=6)
    event = await _left(world, "discord:c1:1")
    error = LLMError(LLMErrorCode.TIMEOUT, "slow")
    answer = world.answer_message(scripted(error if fails else says("The magistrate (p. 5).")))
    asked = replace(incoming("Where is the brass compass?"), ref=event.ref)
    reply = await answer.execute(asked)
    assert await answer.again(asked, reply) == reply
    await world.stand(conversation, 1)
    now = await answer.again(asked, reply)
    assert "magistrate" not in now.text
    assert now.text == describe(error) if fails else now.position == 1
