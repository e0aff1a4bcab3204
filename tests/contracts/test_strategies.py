"""What every RetrievalStrategy and every ConversationContextStrategy does."""

import pytest

from core.answering.context import SummarisingContextStrategy
from core.answering.strategies.always_retrieve import AlwaysRetrieveStrategy
from core.answering.strategies.quoting import QuotingRetrievalStrategy
from core.answering.strategies.tool_use import PrefetchStrategy, ToolUseRetrievalStrategy
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent
from core.domain.conversation import Role
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ChatResponse, PromptMessage, TurnLimits
from core.ports.strategies import ConversationContextStrategy, RetrievalStrategy
from tests.builders import STORY, a_message, a_passage, a_tool_result, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.strategies import CannedSearch, HeldRetrievalStrategy, LastMessageContextStrategy

_QUESTION = "Who carried the brass compass?"
_PROMPT = [PromptMessage(role="system", content="Be kind."), PromptMessage(role="user", content=_QUESTION)]


def _held() -> HeldRetrievalStrategy:
    held = HeldRetrievalStrategy()
    held.release(_QUESTION)
    return held


_SEARCHING: list[tuple[RetrievalStrategy, list[ChatResponse]]] = [
    (PrefetchStrategy(), [says("Ada.")]),
    (ToolUseRetrievalStrategy(), [wants(an_invocation(_QUESTION)), says("Ada.")]),
    (AlwaysRetrieveStrategy(), [says("Ada.")]),
    (QuotingRetrievalStrategy(), []),
]
_ALL = [*_SEARCHING, (_held(), [])]
_ASKING = [each for each in _SEARCHING if each[1]]
_CONTEXTS = [SummarisingContextStrategy(), LastMessageContextStrategy()]


@pytest.mark.parametrize(("strategy", "script"), _ALL)
async def test_every_strategy_answers_and_leaves_the_prompt_as_it_was(
    strategy: RetrievalStrategy, script: list[ChatResponse]
) -> None:
    prompt, provider = [*_PROMPT], ScriptedChatProvider(*script)
    tools = strategy.build_tool_definitions()
    outcome = await strategy.run(provider, prompt, tools, CannedSearch(a_passage(STORY[0])))
    provider.done()
    assert outcome.text
    assert prompt == _PROMPT


@pytest.mark.parametrize("strategy", [strategy for strategy, _ in _ASKING])
async def test_a_model_that_fails_is_the_callers_to_tell(strategy: RetrievalStrategy) -> None:
    provider = ScriptedChatProvider(LLMError(LLMErrorCode.OVERLOADED, "busy"))
    with pytest.raises(LLMError):
        await strategy.run(provider, _PROMPT, strategy.build_tool_definitions(), CannedSearch(a_passage(STORY[0])))


@pytest.mark.parametrize(("strategy", "script"), _ASKING)
async def test_all_calls_share_the_turns_deadline(strategy: RetrievalStrategy, script: list[ChatResponse]) -> None:
    provider, deadline = ScriptedChatProvider(*script), TurnLimits().deadline()
    tools, search = strategy.build_tool_definitions(), CannedSearch(a_passage(STORY[0]))
    await strategy.run(provider, _PROMPT, tools, search, deadline=deadline)
    assert len(provider.asked) == len(script)
    assert all(asked.options is not None and asked.options.deadline is deadline for asked in provider.asked)


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


@pytest.mark.parametrize("context", _CONTEXTS)
@pytest.mark.parametrize("turns", [0, 1, 50])
def test_a_context_begins_with_the_system_prompt_and_ends_with_the_question(
    context: ConversationContextStrategy, turns: int
) -> None:
    earlier = [a_message("Earlier."), a_tool_result(), a_message("So.", role=Role.ASSISTANT)]
    history = [*earlier * turns, a_message(_QUESTION)]
    given = [*history]
    prompt = context.build_context(given, "Be kind.")
    assert (prompt[0], prompt[-1]) == (_PROMPT[0], _PROMPT[1])
    assert given == history
