"""What happens inside a turn, as values."""

from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from core.domain.chat_event import (
    ChatEvent,
    SpoilerBlockedEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnFailedEvent,
)
from core.domain.errors import LLMErrorCode
from tests.builders import a_passage


def test_ca_9_a_tool_invocation_event_holds_tool_and_arguments() -> None:
    event = ToolInvocationEvent(tool_name="search_book", arguments={"query": "test"})
    assert (event.tool_name, event.arguments) == ("search_book", {"query": "test"})


def test_ca_9_a_tool_result_event_holds_query_count_and_results() -> None:
    event = ToolResultEvent(query="test", result_count=1, results=[a_passage()])
    assert (event.query, event.result_count, event.results) == ("test", 1, [a_passage()])


def test_ca_9_a_token_usage_event_holds_both_counts() -> None:
    event = TokenUsageEvent(input_tokens=100, output_tokens=50)
    assert (event.input_tokens, event.output_tokens) == (100, 50)


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (ToolInvocationEvent(tool_name="search_book", arguments={}), "tool_name"),
        (ToolResultEvent(query="", result_count=0, results=[]), "query"),
        (TokenUsageEvent(input_tokens=1, output_tokens=1), "input_tokens"),
        (SpoilerBlockedEvent(rules={"name": 1}), "rules"),
        (TurnFailedEvent(code=LLMErrorCode.TIMEOUT), "code"),
    ],
)
def test_ca_9_events_are_frozen(event: ChatEvent, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(event, field, 0)


def test_ca_9_a_chat_event_is_any_of_them() -> None:
    seeds = {ToolInvocationEvent, ToolResultEvent, TokenUsageEvent}
    assert seeds | {SpoilerBlockedEvent, TurnAnsweredEvent, TurnFailedEvent} <= set(get_args(ChatEvent))
