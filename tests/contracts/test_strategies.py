"""What every RetrievalStrategy and every ConversationContextStrategy does."""

import pytest

from core.agent.context import FullHistoryContextStrategy
from core.agent.strategies.always_retrieve import AlwaysRetrieveStrategy
from core.agent.strategies.quoting import QuotingRetrievalStrategy
from core.agent.strategies.tool_use import ToolUseRetrievalStrategy
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent
from core.domain.tool_use import ChatResponse, PromptMessage
from core.ports.strategies import ConversationContextStrategy, RetrievalStrategy
from tests.builders import STORY, a_message, a_passage, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.strategies import CannedSearch, HeldRetrievalStrategy, LastMessageContextStrategy

_QUESTION = "Who carried the brass compass?"
_PROMPT = [PromptMessage(role="system", content="Be kind."), PromptMessage(role="user", content=_QUESTION)]


def _held() -> HeldRetrievalStrategy:
    held = HeldRetrievalStrategy()
    held.release(_QUESTION)
    return held


_SEARCHING: list[tuple[RetrievalStrategy, list[ChatResponse]]] = [
    (ToolUseRetrievalStrategy(), [wants(an_invocation(_QUESTION)), says("Ada.")]),
    (AlwaysRetrieveStrategy(), [says("Ada.")]),
    (QuotingRetrievalStrategy(), []),
]
_ALL = [*_SEARCHING, (_held(), [])]


@pytest.mark.parametrize(("strategy", "script"), _SEARCHING)
@pytest.mark.parametrize("found", [1, 0])
async def test_every_strategy_that_searches_tells_of_it(
    strategy: RetrievalStrategy, script: list[ChatResponse], found: int
) -> None:
    events: list[ChatEvent] = []
    search = CannedSearch(*[a_passage(STORY[0])] * found)
    tools = strategy.build_tool_definitions()
    outcome = await strategy.run(ScriptedChatProvider(*script), _PROMPT, tools, search, events.append)
    kinds = [event for event in events if isinstance(event, ToolInvocationEvent | ToolResultEvent)]
    assert [type(event) for event in kinds] == [ToolInvocationEvent, ToolResultEvent]
    assert kinds[1] == ToolResultEvent(query=_QUESTION, result_count=found, results=list(outcome.sources))
    assert len(outcome.sources) == found
    assert [query for query, _ in search.asked] == [_QUESTION]


@pytest.mark.parametrize("context", [FullHistoryContextStrategy(), LastMessageContextStrategy()])
def test_a_context_begins_with_the_system_prompt_and_ends_with_the_question(
    context: ConversationContextStrategy,
) -> None:
    history = [a_message("Earlier."), a_message(_QUESTION)]
    prompt = context.build_context(history, "Be kind.")
    assert (prompt[0], prompt[-1]) == (_PROMPT[0], _PROMPT[1])
    assert history == [a_message("Earlier."), a_message(_QUESTION)]
