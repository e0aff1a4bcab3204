"""What happens inside a turn, as values."""

from core.domain.chat_event import (
    TokenUsageEvent,
    ToolInvocationEvent,
)


def test_ca_9_a_tool_invocation_event_holds_tool_and_arguments() -> None:
    event = ToolInvocationEvent(tool_name="search_book", arguments={"query": "test"})
    assert (event.tool_name, event.arguments) == ("search_book", {"query": "test"})


def test_ca_9_a_token_usage_event_holds_both_counts() -> None:
    event = TokenUsageEvent(input_tokens=100, output_tokens=50)
    assert (event.input_tokens, event.output_tokens) == (100, 50)
