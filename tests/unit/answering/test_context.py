"""What of a conversation a model sees (ADR 18), and that the cap never leaves half a pair."""

from hypothesis import given
from hypothesis import strategies as st

from core.answering.context import SummarisingContextStrategy
from core.domain.conversation import ChatMessage, Role
from core.domain.tool_use import PromptMessage
from tests.builders import a_message, a_tool_result, an_invocation

_SYSTEM = "Be kind."


def _history(count: int) -> list[ChatMessage]:
    roles = (Role.USER, Role.ASSISTANT)
    return [a_message(f"message {number}", role=roles[number % 2]) for number in range(count)]


def test_ca_5_the_context_starts_with_the_system_prompt() -> None:
    context = SummarisingContextStrategy().build_context([a_message("Who?")], _SYSTEM)
    assert context == [PromptMessage(role="system", content=_SYSTEM), PromptMessage(role="user", content="Who?")]


def test_ca_6_a_history_within_the_limit_is_kept_whole() -> None:
    context = SummarisingContextStrategy(max_messages=20).build_context(_history(5), _SYSTEM)
    assert [message.content for message in context[1:]] == [f"message {number}" for number in range(5)]
    assert [message.role for message in context[1:]] == ["user", "assistant", "user", "assistant", "user"]


def test_ca_6_of_a_longer_history_the_newest_are_kept_behind_a_summary() -> None:
    context = SummarisingContextStrategy(max_messages=20, max_turns=100).build_context(_history(30), _SYSTEM)
    assert context[1].is_reminder
    assert [message.content for message in context[2:]] == [f"message {number}" for number in range(10, 30)]


def test_ca_6_ca_8_a_stored_tool_result_is_replayed_with_its_invocation() -> None:
    invocation = an_invocation("compass", invocation_id="call_9")
    history = [a_message("Who?"), a_tool_result("[p. 1]\nAda.", invocation=invocation)]
    _, _, assistant, result = SummarisingContextStrategy().build_context(history, _SYSTEM)
    assert assistant == PromptMessage(role="assistant", content="", tool_invocations=(invocation,))
    assert result == PromptMessage(
        role="tool_result", content='[searched "compass": p. 1]', invocation_id="call_9", tool_name="search_book"
    )


_MESSAGES = st.lists(
    st.sampled_from(["user", "assistant", "tool"]).map(
        lambda kind: a_tool_result() if kind == "tool" else a_message(role=Role(kind))
    ),
    max_size=40,
)


@given(_MESSAGES, st.integers(min_value=0, max_value=25))
def test_whatever_the_cap_every_tool_result_follows_its_invocation(messages: list[ChatMessage], cap: int) -> None:
    numbered = [
        a_tool_result(invocation=an_invocation(invocation_id=f"call_{at}")) if m.invocation else m
        for at, m in enumerate(messages)
    ]
    context = SummarisingContextStrategy(max_messages=cap).build_context(numbered, _SYSTEM)
    asked = [(at, i.invocation_id) for at, m in enumerate(context) for i in m.tool_invocations]
    answered = [(at, m.invocation_id) for at, m in enumerate(context) if m.role == "tool_result"]
    assert answered == [(at + 1, invocation_id) for at, invocation_id in asked]
