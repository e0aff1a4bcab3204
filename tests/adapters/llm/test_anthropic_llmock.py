"""The adapter against a third-party server (llmock): its faults, and its verdict on how they were handled."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

from adapters.llm.anthropic import AnthropicChatProvider
from core.answering.strategies import ToolUseRetrievalStrategy
from core.answering.tools.search_book import search_tool
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage
from tests.builders import a_passage, a_question
from tests.fakes.strategies import CannedSearch
from tests.servers.anthropic_server import KEY, MODEL

if TYPE_CHECKING:
    from llmock.pytest_plugin import LLMock

_WHO = [PromptMessage(role="user", content="Who hid the ledger?")]


@pytest.fixture
async def provider(llmock: "LLMock") -> AsyncIterator[AnthropicChatProvider]:
    provider = AnthropicChatProvider(api_key=KEY, model=MODEL, base_url=llmock.base_url("anthropic"))
    yield provider
    await provider.close()


def _within(*, retries: int) -> GenerationOptions:
    return GenerationOptions(deadline=Deadline(seconds=30.0, retries=retries))


async def test_rate_limits_are_waited_out_as_long_as_the_server_asks(
    llmock: "LLMock", provider: AnthropicChatProvider
) -> None:
    llmock.rate_limit(times=2, retry_after=0.05).reply("Tobias did.")
    assert (await provider.chat(_WHO, _within(retries=2))).text == "Tobias did."
    assert [record.status for record in llmock.requests] == [429, 429, 200]
    llmock.assert_resilient(strict=True)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, LLMErrorCode.BAD_RESPONSE),
        (401, LLMErrorCode.AUTH),
        (402, LLMErrorCode.AUTH),
        (403, LLMErrorCode.AUTH),
        (404, LLMErrorCode.UNAVAILABLE),
        (413, LLMErrorCode.CONTEXT_TOO_LONG),
        (422, LLMErrorCode.BAD_RESPONSE),
    ],
)
async def test_an_error_that_no_retry_can_fix_is_not_retried(
    llmock: "LLMock", provider: AnthropicChatProvider, status: int, code: LLMErrorCode
) -> None:
    llmock.fail(status, times=None)
    with pytest.raises(LLMError) as caught:
        await provider.chat(_WHO, _within(retries=2))
    assert (caught.value.code, len(llmock.requests)) == (code, 1)
    llmock.assert_resilient()


async def test_a_context_overflow_is_recognised(llmock: "LLMock", provider: AnthropicChatProvider) -> None:
    llmock.context_overflow()
    with pytest.raises(LLMError) as caught:
        await provider.chat(_WHO, _within(retries=2))
    assert caught.value.code is LLMErrorCode.CONTEXT_TOO_LONG


@pytest.mark.parametrize("kind", ["unknown_tool", "malformed_arguments"])
async def test_the_loop_gets_over_its_broken_tool_calls(
    llmock: "LLMock", provider: AnthropicChatProvider, kind: str
) -> None:
    llmock.break_tool_call(kind)
    strategy = ToolUseRetrievalStrategy(options=_within(retries=0))
    search = CannedSearch(a_passage())
    outcome = await strategy.run(provider, a_question("Who?", search), _WHO, [search_tool(search)])
    assert [call.result.startswith("Error: ") for call in outcome.tool_calls] == [True]
    assert (outcome.text != "", outcome.iterations) == (True, 2)
