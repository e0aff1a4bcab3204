"""The agent loop over Anthropic's wire: what only this wire has; tests/scenarios plays the loop over both."""

import pytest

from adapters.llm.anthropic import AnthropicChatProvider
from adapters.llm.anthropic_wire import EARLIER_LEFT_OUT
from core.answering.context import SummarisingContextStrategy
from core.answering.strategies import ToolUseRetrievalStrategy
from core.answering.tools.search_book import search_tool
from core.domain.conversation import ChatMessage, Role, TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import GenerationOptions, PromptMessage, TokenUsage
from tests.adapters.llm.on_anthropic import provider, server
from tests.builders import a_passage, a_question
from tests.fakes.strategies import CannedSearch
from tests.servers.anthropic_server import MODEL, AnthropicServer, message_reply, text, tool_use

__all__ = ["provider", "server"]

_PROMPT = [
    PromptMessage(role="system", content="You have read to page 3."),
    PromptMessage(role="user", content="Who hid the ledger?"),
]
_FOUND = a_passage("Tobias hid the ledger under the coal.", chunk_id=3, page=3)
_LOOKS = message_reply(text("Let me look."), tool_use("toolu_1", {"query": "ledger"}), stop_reason="tool_use")
_THINKING: dict[str, object] = {"type": "thinking", "thinking": "Which ledger?", "signature": "s1"}


async def _run(
    provider: AnthropicChatProvider,
    search: CannedSearch,
    prompt: list[PromptMessage] = _PROMPT,
    options: GenerationOptions | None = None,
) -> TurnOutcome:
    strategy = ToolUseRetrievalStrategy(options=options)
    return await strategy.run(provider, a_question("Who hid the ledger?", search), prompt, [search_tool(search)])


async def test_a_question_is_searched_for_and_answered(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    usage = {"input_tokens": 4, "output_tokens": 6, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 6}
    server.will_say(_LOOKS, message_reply(text("Tobias did (p. 3)."), usage=usage))
    search = CannedSearch(_FOUND)
    outcome = await _run(provider, search)
    assert (outcome.text, outcome.sources, outcome.iterations) == ("Tobias did (p. 3).", (_FOUND,), 2)
    assert (outcome.provider, outcome.model) == ("anthropic", f"{MODEL}-20261001")
    assert outcome.usage == TokenUsage(input_tokens=110, output_tokens=11, cache_read_tokens=90, cache_write_tokens=6)
    assert search.asked == [("ledger", 5)]
    result = server.requests[1].json()["messages"][2]["content"][0]
    assert result["content"] == "[p. 3]\nTobias hid the ledger under the coal."


async def test_several_calls_with_thinking_one_of_them_unknown_one_without_a_query(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    server.signatures.add("s1:Which ledger?")
    calls = [
        tool_use("toolu_1", {"query": "ledger", "top_k": "10000000000"}),
        tool_use("toolu_2", {"url": "http://x"}, name="fetch"),
        tool_use("toolu_3", ["ledger"]),
    ]
    server.will_say(message_reply(_THINKING, *calls, stop_reason="tool_use"), message_reply(text("Tobias did.")))
    outcome = await _run(provider, CannedSearch(_FOUND))
    assert outcome.text == "Tobias did."
    sent = server.requests[1].json()["messages"]
    assert [block["type"] for block in sent[1]["content"]] == ["thinking", "tool_use", "tool_use", "tool_use"]
    assert [(block["tool_use_id"], block.get("is_error", False)) for block in sent[2]["content"]] == [
        ("toolu_1", False),
        ("toolu_2", True),
        ("toolu_3", True),
    ]


async def test_the_next_turn_replays_what_was_stored_of_the_last(
    server: AnthropicServer, provider: AnthropicChatProvider
) -> None:
    server.signatures.add("s1:Which ledger?")
    calls = [tool_use("toolu_1", {"query": "ledger"}), tool_use("toolu_2", {"query": "coal"})]
    server.will_say(message_reply(_THINKING, *calls, stop_reason="tool_use"), message_reply(text("Tobias did.")))
    outcome = await _run(provider, CannedSearch(_FOUND))
    stored = [
        ChatMessage(role=Role.USER, content="Who hid the ledger?", position=3),
        *outcome.messages,
        ChatMessage(role=Role.ASSISTANT, content=outcome.text, position=3),
        ChatMessage(role=Role.USER, content="Why?", position=3),
    ]
    server.will_say(message_reply(text("A stranger asked for it.")), message_reply(text("As I said.")))
    for kept in (stored, stored[1:]):
        context = SummarisingContextStrategy().build_context(kept, "You have read to page 3.")
        await _run(provider, CannedSearch(_FOUND), context)
    whole, cut = (request.json()["messages"] for request in server.requests[2:])
    alternating = ["user", "assistant", "user", "assistant", "user", "assistant", "user"]
    assert [one["role"] for one in whole] == [one["role"] for one in cut] == alternating
    assert (whole[0]["content"][0]["text"], cut[0]["content"][0]["text"]) == ("Who hid the ledger?", EARLIER_LEFT_OUT)


@pytest.mark.parametrize(
    ("stop_reason", "code"), [("refusal", LLMErrorCode.REFUSED), ("end_turn", LLMErrorCode.BAD_RESPONSE)]
)
async def test_no_answer_ends_the_run(
    server: AnthropicServer, provider: AnthropicChatProvider, stop_reason: str, code: LLMErrorCode
) -> None:
    server.will_say(_LOOKS, message_reply(stop_reason=stop_reason))
    with pytest.raises(LLMError) as caught:
        await _run(provider, CannedSearch(_FOUND))
    assert caught.value.code is code
