"""The whole agent loop over OpenAI's wire: several rounds, bad calls, both kinds of server, one budget a turn."""

import json
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from adapters.llm.openai import OpenAIChatProvider
from core.answering.strategies import ToolUseRetrievalStrategy
from core.answering.tools.search_book import search_tool
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.passage import SearchResult
from core.domain.tool_use import UNREADABLE_ARGUMENTS, Deadline, GenerationOptions, PromptMessage
from tests.builders import a_question
from tests.servers.openai_server import CHAT, OpenAIServer, answer, call, error_reply
from tests.servers.scripted import Reply

ASKED = [
    PromptMessage(role="system", content="You have read up to page 12."),
    PromptMessage(role="user", content="Who bought the lamp oil?"),
]
OIL = SearchResult(chunk_id=7, start_page=3, end_page=3, score=0.9, text="Mrs Pell bought lamp oil.")


class Bench:
    """One server, one provider, and the searches that were made."""

    def __init__(self, server: OpenAIServer, provider: OpenAIChatProvider) -> None:
        self.server = server
        self.provider = provider
        self.searched: list[tuple[str, int]] = []

    async def turn(self, *replies: Reply, retries: int = 0, max_iterations: int = 3) -> TurnOutcome:
        self.server.will_answer(CHAT, *replies)
        options = GenerationOptions(deadline=Deadline(seconds=30, retries=retries))
        strategy = ToolUseRetrievalStrategy(max_iterations=max_iterations, options=options)
        question = a_question("Who bought the lamp oil?", self._search)
        return await strategy.run(self.provider, question, ASKED, [search_tool(self._search)])

    def sent(self) -> Sequence[dict[str, Any]]:
        return [request.json() for request in self.server.requests]

    async def _search(self, query: str, top_k: int) -> list[SearchResult]:
        self.searched.append((query, top_k))
        return [OIL] if "oil" in query else []


@pytest.fixture(params=["openai", "compatible"])
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    native = request.param == "openai"
    async with OpenAIServer(
        reasons=native, strings_only=not native, without=["max_tokens"] if native else ["max_completion_tokens"]
    ) as server:
        provider = OpenAIChatProvider(api_key="k", model="m", base_url=server.base_url, native=native)
        provider._lessons["m"] = ["reasoning_effort"] if native else []
        yield Bench(server, provider)
        await provider.close()


async def test_the_text_of_arguments_that_cannot_be_read_is_neither_echoed_nor_kept(bench: Bench) -> None:
    outcome = await bench.turn(answer(None, calls=[call('{"query": "the drowned clerk')]), answer("Mrs Pell."))
    assert outcome.tool_calls[0].params == {UNREADABLE_ARGUMENTS: "no valid JSON"}
    assert "drowned" not in json.dumps(bench.sent())


async def test_one_budget_of_retries_rules_all_calls_of_a_turn(bench: Bench) -> None:
    fault = error_reply(503, "The engine is currently overloaded", headers={"retry-after-ms": "1"})
    with pytest.raises(LLMError) as caught:
        await bench.turn(
            fault, answer(None, calls=[call()]), fault, answer(None, calls=[call(call_id="b")]), fault, retries=2
        )
    assert caught.value.code is LLMErrorCode.OVERLOADED
    # Three calls and two retries: the third fault of the turn finds the budget empty.
    assert len(bench.sent()) == 5


async def test_every_call_of_a_turn_begins_with_the_bytes_of_the_one_before(bench: Bench) -> None:
    await bench.turn(
        answer(None, calls=[call(call_id="c"), call(call_id="c")]),
        answer("Once more.", calls=[call('{"top_k": 3, "query": "key"}', call_id="c")]),
        answer("Mrs Pell."),
    )
    texts = [json.dumps(body["messages"], ensure_ascii=False, separators=(",", ":")) for body in bench.sent()]
    assert len(texts) == 3
    for before, after in pairwise(texts):
        assert after.startswith(before[:-1])
    for text, request in zip(texts, bench.server.requests, strict=True):
        assert text.encode() in request.body
