"""The record of a turn: begun before the agent runs, ended with or without an answer, and whole either way."""

from contextlib import suppress
from datetime import datetime

import pytest

from adapters.persistence.tables import MessageRow, TurnRow
from core.domain.chat_event import (
    ChatEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnBegunEvent,
    TurnFailedEvent,
)
from core.domain.conversation import Turn, TurnStatus
from core.domain.errors import LLMError, LLMErrorCode, TakenOverError
from core.domain.position import Position
from core.domain.tool_use import ChatResponse, TokenUsage
from core.ports.turn_record import TurnEnd
from tests.builders import STORY, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import HeldRetrievalStrategy
from tests.unit.world import World

_USAGE = TokenUsage(input_tokens=10, output_tokens=2)
_TWICE = _USAGE + _USAGE


async def test_an_answered_turn_keeps_what_was_learned_on_the_way(world: World, scripted: Scripted) -> None:
    conversation, events = await world.reading(position=2), list[ChatEvent]()
    provider = scripted(wants(an_invocation("brass compass", top_k=1), usage=_USAGE), says("Ada (p. 1).", usage=_USAGE))
    outcome = await world.chat(provider).run(conversation.conversation_id, "Who?", position=2, on_event=events.append)
    [turn] = await world.rows(TurnRow)
    assert (turn.turn_number, turn.status, turn.position) == (1, TurnStatus.ANSWERED, 2)
    assert (turn.user_query, turn.agent_response) == ("Who?", "Ada (p. 1).")
    steps = ["0: search_book", "1: search_book", f"{outcome.iterations}: judged SUPPORTED"]
    assert (turn.reasoning_steps, turn.error_code, turn.guardrail_score) == (steps, None, outcome.guardrail_score)
    assert (turn.provider, turn.model, turn.retrieval_attempts) == (
        "scripted",
        "scripted-1",
        outcome.retrieval_attempts,
    )
    assert (outcome.usage, turn.input_tokens, turn.output_tokens, turn.cost_micro_usd) == (_TWICE, 20, 4, 28)
    assert (turn.duration_ms or 0) >= 0
    assert [each.turn_id for each in await world.rows(MessageRow)] == [turn.turn_id] * 4
    assert events[-1] == TurnAnsweredEvent()


@pytest.mark.parametrize("code", list(LLMErrorCode))
async def test_a_failed_turn_keeps_why(world: World, scripted: Scripted, code: LLMErrorCode) -> None:
    conversation, events = await world.reading(), list[ChatEvent]()
    with pytest.raises(LLMError):
        await world.chat(scripted(LLMError(code, "x"))).run(
            conversation.conversation_id, "Who?", position=2, on_event=events.append
        )
    [turn] = await world.rows(TurnRow)
    assert (turn.status, turn.agent_response) == (TurnStatus.FAILED, None)
    assert turn.error_code == code
    assert turn.max_iterations_reached == (code is LLMErrorCode.ITERATION_LIMIT)
    assert turn.guardrail_score is not None
    assert [type(event) for event in events[:3]] == [TurnBegunEvent, ToolInvocationEvent, ToolResultEvent]
    assert events[3:] == [TurnFailedEvent(code=code)]


@pytest.mark.parametrize("said", [says("Ada (p. 1)."), LLMError(LLMErrorCode.TIMEOUT, "x")])
async def test_what_another_process_has_by_now_is_told_by_that_one(
    world: World, scripted: Scripted, monkeypatch: pytest.MonkeyPatch, said: ChatResponse | LLMError
) -> None:
    conversation, events = await world.reading(position=2), list[ChatEvent]()

    async def taken_over(turn: Turn, end: TurnEnd, *, now: datetime) -> Position:
        raise TakenOverError("Another process has it.")

    monkeypatch.setattr(world.record, "end", taken_over)
    with suppress(LLMError):
        await world.chat(scripted(said)).run(conversation.conversation_id, "Who?", position=2, on_event=events.append)
    assert not [event for event in events if isinstance(event, TurnAnsweredEvent | TurnFailedEvent)]


async def test_a_failed_turn_keeps_what_was_found_and_what_it_cost(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    failed = LLMError(LLMErrorCode.BAD_RESPONSE, "empty")
    failed.usage = _USAGE
    provider = scripted(wants(an_invocation("brass compass", top_k=1), usage=_USAGE), failed)
    with pytest.raises(LLMError):
        await world.chat(provider).run(conversation.conversation_id, "Who?", position=2)
    [turn] = await world.rows(TurnRow)
    assert [source["end_page"] for source in turn.sources] == [1]
    assert (turn.reasoning_steps, turn.retrieval_attempts) == (["0: search_book", "1: search_book"], 2)
    assert (turn.provider, turn.model) == ("scripted", "scripted-1")
    assert (turn.input_tokens, turn.output_tokens, turn.cost_micro_usd) == (20, 4, 28)
    kept = await world.stored(conversation)
    along, found = "[p. 1]\n[p. 2]", f"[p. 1]\n{STORY[0]}"
    assert [(each.content, each.position) for each in kept] == [("Who?", 2), (along, 2), (found, 2)]


async def test_a_turn_that_breaks_on_something_else_does_not_stay_open(world: World) -> None:
    conversation, held = await world.reading(position=2), HeldRetrievalStrategy()
    held.fail_with(RuntimeError("a fault of ours"))
    held.release("Who?")
    with pytest.raises(RuntimeError, match="a fault of ours"):
        await world.chat(ScriptedChatProvider(), strategy=held).run(conversation.conversation_id, "Who?", position=2)
    [turn] = await world.rows(TurnRow)
    assert turn.status == TurnStatus.FAILED
