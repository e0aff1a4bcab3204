"""What every strategy does, and every context."""

import pytest

from core.answering.strategies import (
    AlwaysRetrieveStrategy,
    PrefetchStrategy,
    RetrievalStrategy,
    ToolUseRetrievalStrategy,
)
from core.answering.tools.search_book import search_tool
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent
from core.domain.conversation import TurnOutcome
from core.domain.question import TurnLog
from core.domain.tool_use import ChatResponse, PromptMessage
from tests.builders import STORY, a_passage, a_question, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.strategies import CannedSearch, HeldRetrievalStrategy

_QUESTION = "Who carried the brass compass?"
_PROMPT = [PromptMessage(role="system", content="Be kind."), PromptMessage(role="user", content=_QUESTION)]
_SEARCH = CannedSearch(a_passage(STORY[0]))


async def _answered(
    strategy: RetrievalStrategy, provider: ScriptedChatProvider, prompt: list[PromptMessage]
) -> TurnOutcome:
    return await strategy.run(provider, a_question(_QUESTION, _SEARCH), prompt, [search_tool(_SEARCH)])


def _held() -> HeldRetrievalStrategy:
    held = HeldRetrievalStrategy()
    held.release(_QUESTION)
    return held


_SEARCHING: list[tuple[RetrievalStrategy, list[ChatResponse]]] = [
    (PrefetchStrategy(), [says("Ada.")]),
    (ToolUseRetrievalStrategy(), [wants(an_invocation(_QUESTION)), says("Ada.")]),
    (AlwaysRetrieveStrategy(), [says("Ada.")]),
]
_ALL = [*_SEARCHING, (_held(), [])]


@pytest.mark.parametrize(("strategy", "script"), _ALL)
async def test_every_strategy_answers_and_leaves_the_prompt_as_it_was(
    strategy: RetrievalStrategy, script: list[ChatResponse]
) -> None:
    prompt, provider = [*_PROMPT], ScriptedChatProvider(*script)
    outcome = await _answered(strategy, provider, prompt)
    provider.done()
    assert outcome.text
    assert prompt == _PROMPT


@pytest.mark.parametrize(("strategy", "script"), _SEARCHING)
@pytest.mark.parametrize("found", [1, 0])
async def test_every_strategy_that_searches_tells_of_it(
    strategy: RetrievalStrategy, script: list[ChatResponse], found: int
) -> None:
    events: list[ChatEvent] = []
    search = CannedSearch(*[a_passage(STORY[0])] * found)
    question = a_question(_QUESTION, search, log=TurnLog(on_event=events.append))
    outcome = await strategy.run(ScriptedChatProvider(*script), question, _PROMPT, [search_tool(search)])
    kinds = [event for event in events if isinstance(event, ToolInvocationEvent | ToolResultEvent)]
    assert [type(event) for event in kinds] == [ToolInvocationEvent, ToolResultEvent]
    assert kinds[1] == ToolResultEvent(query=_QUESTION, result_count=found, results=list(outcome.sources))
    assert len(outcome.sources) == found
    assert [query for query, _ in search.asked] == [_QUESTION]
