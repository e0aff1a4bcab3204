"""The agent loop over Anthropic's API: only its peculiarities; tests/scenarios runs the loop over both APIs."""

from adapters.llm.anthropic import AnthropicChatProvider
from adapters.llm.anthropic_wire import EARLIER_LEFT_OUT
from core.answering.context import SummarisingContextStrategy
from core.answering.strategies import ToolUseRetrievalStrategy
from core.answering.tools.search_book import search_tool
from core.domain.conversation import ChatMessage, Role, TurnOutcome
from core.domain.tool_use import GenerationOptions, PromptMessage
from tests.adapters.llm.on_anthropic import provider, server
from tests.builders import a_passage, a_question
from tests.fakes.strategies import CannedSearch
from tests.servers.anthropic_server import AnthropicServer, message_reply, text, tool_use

__all__ = ["provider", "server"]

_PROMPT = [
    PromptMessage(role="system", content="You have read to page 3."),
    PromptMessage(role="user", content="Who hid the ledger?"),
]
_FOUND = a_passage("Tobias hid the ledger under the coal.", chunk_id=3, page=3)
_THINKING: dict[str, object] = {"type": "thinking", "thinking": "Which ledger?", "signature": "s1"}


async def _run(
    provider: AnthropicChatProvider,
    search: CannedSearch,
    prompt: list[PromptMessage] = _PROMPT,
    options: GenerationOptions | None = None,
) -> TurnOutcome:
    strategy = ToolUseRetrievalStrategy(options=options)
    return await strategy.run(provider, a_question("Who hid the ledger?", search), prompt, [search_tool(search)])


async def test_the_next_turn_replays_the_stored_messages_of_the_last(
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
