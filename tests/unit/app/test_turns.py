"""The record of a turn: opened before the agent runs, answered or failed after it."""

import asyncio

import pytest

from core.domain.chat_event import ChatEvent, TurnAnsweredEvent, TurnFailedEvent
from core.domain.conversation import TurnStatus
from core.domain.errors import BookError, LLMError, LLMErrorCode
from core.domain.tool_use import TokenUsage
from tests.builders import ADA, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import HeldRetrievalStrategy
from tests.unit.app.world import THREAD, World


async def test_an_answered_turn_keeps_what_was_learned_on_the_way(world: World, scripted: Scripted) -> None:
    conversation, events = await world.reading(position=2), list[ChatEvent]()
    usage = TokenUsage(input_tokens=10, output_tokens=2)
    provider = scripted(wants(an_invocation("brass compass", top_k=1), usage=usage), says("Ada (p. 1).", usage=usage))
    recorded = await world.record_turn(provider).execute(
        conversation.conversation_id, "Who?", thread=THREAD, position=2, author=ADA, on_event=events.append
    )
    [turn] = await world.turns.history(conversation.conversation_id, limit=9)
    assert (turn.turn_id, turn.turn_number) == (recorded.turn_id, recorded.turn_number) == (turn.turn_id, 1)
    assert (turn.status, turn.position) == (TurnStatus.ANSWERED, 2)
    assert (turn.user_query, turn.agent_response) == ("Who?", "Ada (p. 1).")
    assert world.turns.outcomes[turn.turn_id] == recorded.outcome
    assert recorded.outcome.usage == TokenUsage(input_tokens=20, output_tokens=4)
    assert world.turns.durations[turn.turn_id] >= 0
    assert world.messages.turn_ids == [turn.turn_id] * 3
    assert events[-1] == TurnAnsweredEvent()


@pytest.mark.parametrize("code", list(LLMErrorCode))
async def test_a_failed_turn_keeps_why(world: World, scripted: Scripted, code: LLMErrorCode) -> None:
    conversation, events = await world.reading(), list[ChatEvent]()
    with pytest.raises(LLMError):
        await world.record_turn(scripted(LLMError(code, "x"))).execute(
            conversation.conversation_id, "Who?", thread=THREAD, position=2, on_event=events.append
        )
    [turn] = await world.turns.history(conversation.conversation_id, limit=9)
    assert (turn.status, turn.agent_response) == (TurnStatus.FAILED, None)
    assert (world.turns.failures, world.turns.outcomes) == ({turn.turn_id: code}, {})
    assert events == [TurnFailedEvent(code=code)]


async def test_numbers_go_on_after_a_failed_turn(world: World, scripted: Scripted) -> None:
    conversation = await world.reading()
    record_turn = world.record_turn(scripted(LLMError(LLMErrorCode.TIMEOUT, "slow"), says("Ada.")))
    with pytest.raises(LLMError):
        await record_turn.execute(conversation.conversation_id, "Who?", thread=THREAD, position=2)
    assert (await record_turn.execute(conversation.conversation_id, "Who?", thread=THREAD, position=2)).turn_number == 2


async def test_without_a_sink_a_turn_is_recorded_all_the_same(world: World, scripted: Scripted) -> None:
    conversation = await world.reading()
    await world.record_turn(scripted(wants(), says("Ada."))).execute(
        conversation.conversation_id, "Who?", thread=THREAD, position=2
    )
    assert len(world.turns.outcomes) == 1


async def test_while_the_agent_runs_the_turn_is_open(world: World) -> None:
    conversation, held = await world.reading(), HeldRetrievalStrategy()
    record_turn = world.record_turn(ScriptedChatProvider(), strategy=held)
    task = asyncio.create_task(record_turn.execute(conversation.conversation_id, "Who?", thread=THREAD, position=2))
    await held.until_began("Who?")
    [turn] = await world.turns.history(conversation.conversation_id, limit=9)
    held.release("Who?")
    assert (turn.status, turn.user_query, turn.agent_response) == (TurnStatus.OPEN, "Who?", None)
    assert (await task).turn_id == turn.turn_id


async def test_a_reaction_that_fails_never_breaks_an_answer(world: World, scripted: Scripted) -> None:
    conversation = await world.reading()

    def broken(event: ChatEvent) -> None:
        raise RuntimeError(f"no permission to react to {type(event).__name__}")

    recorded = await world.record_turn(scripted(says("Ada."))).execute(
        conversation.conversation_id, "Who?", thread=THREAD, position=2, on_event=broken
    )
    assert recorded.outcome.text == "Ada."


async def test_a_turn_that_breaks_on_something_else_does_not_stay_open(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    with pytest.raises(BookError):  # beyond the last page: what a search raises is no LLMError
        await world.record_turn(scripted()).execute(conversation.conversation_id, "Who?", thread=THREAD, position=99)
    [turn] = await world.turns.history(conversation.conversation_id, limit=9)
    assert turn.status is TurnStatus.FAILED
