"""The client against a third-party server (llmock): its faults, and its verdict on how they were handled."""

from collections.abc import AsyncIterator

import pytest
from llmock.pytest_plugin import LLMock

from adapters.llm.openai import OpenAIChatProvider
from core.answering.strategies import ToolUseRetrievalStrategy
from core.answering.tools.search_book import search_tool
from core.domain.errors import LLMError
from core.domain.passage import SearchResult
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage
from tests.builders import a_question

ASKED = [PromptMessage(role="user", content="Search the book: who bought the lamp oil?")]


@pytest.fixture
async def provider(llmock: LLMock) -> AsyncIterator[OpenAIChatProvider]:
    provider = OpenAIChatProvider(api_key="k", model="gpt-5.4-mini", base_url=llmock.base_url("openai"))
    yield provider
    await provider.close()


def within(seconds: float = 30, retries: int = 2) -> GenerationOptions:
    return GenerationOptions(deadline=Deadline(seconds=seconds, retries=retries))


async def test_rate_limits_that_end_in_time_are_waited_out(llmock: LLMock, provider: OpenAIChatProvider) -> None:
    llmock.rate_limit(times=2, retry_after=0.05).reply("Mrs Pell.")
    assert (await provider.chat(ASKED, within())).text == "Mrs Pell."
    llmock.assert_resilient(strict=True)


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "bad_response"), (401, "auth"), (403, "auth"), (404, "unavailable"), (422, "bad_response")],
)
async def test_a_refusal_is_not_repeated(llmock: LLMock, provider: OpenAIChatProvider, status: int, code: str) -> None:
    llmock.fail(status, times=None)
    with pytest.raises(LLMError) as caught:
        await provider.chat(ASKED, within())
    assert caught.value.code == code
    llmock.assert_resilient()


async def test_a_prompt_that_is_too_long_is_recognised(llmock: LLMock, provider: OpenAIChatProvider) -> None:
    llmock.context_overflow()
    with pytest.raises(LLMError) as caught:
        await provider.chat(ASKED, within())
    assert caught.value.code == "context_too_long"
    llmock.assert_resilient()


@pytest.mark.parametrize("fault", ["malformed_arguments", "unknown_tool"])
async def test_a_broken_tool_call_is_answered_and_the_turn_goes_on(
    llmock: LLMock, provider: OpenAIChatProvider, fault: str
) -> None:
    searched: list[tuple[str, int]] = []

    async def search(query: str, top_k: int) -> list[SearchResult]:
        searched.append((query, top_k))
        return []

    llmock.break_tool_call(fault)
    strategy = ToolUseRetrievalStrategy(options=within())
    outcome = await strategy.run(provider, a_question("Who?", search), ASKED, [search_tool(search)])
    assert outcome.text
    assert [message.is_error for message in outcome.messages] == [True]
    assert not searched
    llmock.assert_resilient()
