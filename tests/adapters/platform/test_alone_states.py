"""The states of a question, where one person talks with the bot alone."""

import pytest

from adapters.platform.solo import STATES, state_of
from core.domain.chat_event import (
    ChatEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnFailedEvent,
)
from core.domain.errors import LLMErrorCode


@pytest.mark.parametrize(
    ("event", "reaction"),
    [
        (ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"}), "🔍"),
        (ToolResultEvent(query="lamp", result_count=2, results=[]), "📖"),
        (ToolResultEvent(query="lamp", result_count=0, results=[]), "🤷"),
        (TurnAnsweredEvent(), "✅"),
        (TurnFailedEvent(code=LLMErrorCode.TIMEOUT), "⚠️"),
        (TokenUsageEvent(input_tokens=1, output_tokens=1), None),
    ],
)
def test_each_event_has_its_reaction(event: ChatEvent, reaction: str | None) -> None:
    state = state_of(event)
    assert (state and STATES[state]) == reaction
