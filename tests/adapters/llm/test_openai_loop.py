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
    """One server, one provider, and what was searched for."""

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


async def test_a_search_and_an_answer_with_its_source_and_all_tokens_counted(bench: Bench) -> None:
    outcome = await bench.turn(answer("I look.", calls=[call()]), answer("Mrs Pell (p. 3)."))
    assert outcome.text == "Mrs Pell (p. 3)."
    assert outcome.sources == (OIL,)
    assert bench.searched == [("lamp oil", 5)]
    assert (outcome.usage.input_tokens, outcome.usage.output_tokens, outcome.iterations) == (40, 10, 2)
    assert (outcome.provider, outcome.model) == ("openai", "gpt-6-luna")
    assistant, tool = bench.sent()[1]["messages"][2:]
    assert (assistant["content"], assistant["tool_calls"][0]["id"]) == ("I look.", "call_1")
    assert tool == {"role": "tool", "tool_call_id": "call_1", "content": "[p. 3]\nMrs Pell bought lamp oil."}


async def test_several_calls_at_once_are_all_answered_though_ids_are_missing_or_doubled(bench: Bench) -> None:
    calls = [call(call_id=""), call('{"query": "the key"}', call_id="c"), call('{"query": "oil can"}', call_id="c")]
    outcome = await bench.turn(answer(None, calls=calls, finish="stop"), answer("Mrs Pell."))
    assert [query for query, _ in bench.searched] == ["lamp oil", "the key", "oil can"]
    results = [message for message in bench.sent()[1]["messages"] if message["role"] == "tool"]
    assert [message["content"] for message in results] == [
        "[p. 3]\nMrs Pell bought lamp oil.",
        "No relevant passages found.",
        "[p. 3]\nMrs Pell bought lamp oil.",
    ]
    assert len({message["tool_call_id"] for message in results}) == 3
    assert outcome.text == "Mrs Pell."


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (call('{"query": "lamp'), "needs `query`"),
        (call('["lamp oil"]'), "needs `query`"),
        (call('{"query": "' + "x" * 20_001 + '"}'), "needs `query`"),
        (call('{"query": 7}'), "needs `query`"),
        (call(name="delete everything!"), "There is no tool"),
        (call(name=""), "There is no tool"),
    ],
    ids=["broken", "a list", "too long", "a number", "unknown tool", "no name"],
)
async def test_a_call_that_cannot_be_run_is_answered_with_an_error_and_the_loop_goes_on(
    bench: Bench, bad: dict[str, Any], said: str
) -> None:
    outcome = await bench.turn(answer(None, calls=[bad, call(call_id="good")]), answer("Mrs Pell."))
    assert outcome.text == "Mrs Pell."
    assert bench.searched == [("lamp oil", 5)]
    first, second = [message["content"] for message in bench.sent()[1]["messages"] if message["role"] == "tool"]
    assert first.startswith("Error: ")
    assert said in first
    assert second.startswith("[p. 3]")
    assert [message.is_error for message in outcome.messages] == [True, False]


async def test_the_text_of_arguments_that_cannot_be_read_is_neither_echoed_nor_kept(bench: Bench) -> None:
    outcome = await bench.turn(answer(None, calls=[call('{"query": "the drowned clerk')]), answer("Mrs Pell."))
    assert outcome.tool_calls[0].params == {UNREADABLE_ARGUMENTS: "no valid JSON"}
    assert "drowned" not in json.dumps(bench.sent())


@pytest.mark.parametrize(
    ("top_k", "used"), [("1000000000000000", 20), ('"7"', 7), ("-3", 1), ('"many"', 5), ("null", 5), ("1e400", 5)]
)
async def test_whatever_number_of_passages_a_model_wants_it_gets_a_sane_one(
    bench: Bench, top_k: str, used: int
) -> None:
    await bench.turn(answer(None, calls=[call(f'{{"query": "oil", "top_k": {top_k}}}')]), answer("Mrs Pell."))
    assert bench.searched == [("oil", used)]


async def test_the_last_call_keeps_the_tools_and_forbids_them(bench: Bench) -> None:
    outcome = await bench.turn(
        answer(None, calls=[call(call_id="a")]),
        answer(None, calls=[call(call_id="b")]),
        answer("Mrs Pell."),
        max_iterations=2,
    )
    assert outcome.max_iterations_reached
    assert [body.get("tool_choice") for body in bench.sent()] == [None, None, "none"]
    assert all(body["tools"] == bench.sent()[0]["tools"] for body in bench.sent())


async def test_a_model_that_still_uses_tools_then_has_come_to_no_answer(bench: Bench) -> None:
    with pytest.raises(LLMError) as caught:
        await bench.turn(answer(None, calls=[call()]), answer(None, calls=[call(call_id="b")]), max_iterations=1)
    assert caught.value.code is LLMErrorCode.ITERATION_LIMIT


async def test_a_call_that_was_cut_off_is_never_run(bench: Bench) -> None:
    with pytest.raises(LLMError) as caught:
        await bench.turn(answer(None, calls=[call('{"query": "lamp oil"}')], finish="length"))
    assert caught.value.code is LLMErrorCode.BAD_RESPONSE
    assert not bench.searched


async def test_text_that_was_cut_off_ends_with_its_last_whole_sentence(bench: Bench) -> None:
    outcome = await bench.turn(answer("Mrs Pell bought it. She paid with a", finish="length"))
    assert outcome.text.startswith("Mrs Pell bought it.\n\n")
    assert "She paid" not in outcome.text


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
