"""The real SDK against OpenAI's API on loopback: requests, learning from refusals, and the check for `doctor`."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest

from adapters.llm.openai import OpenAIChatProvider
from core.answering.tools.search_book import DEFINITION
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage, StopReason, TokenUsage, ToolChoice
from tests.servers.openai_server import CHAT, OpenAIServer, answer, call, error_reply

KEY = "sk-proj-the-secret-of-this-test"
ASKED = [
    PromptMessage(role="system", content="You have read up to page 12."),
    PromptMessage(role="user", content="Who bought the lamp oil?"),
]
Made = Callable[..., OpenAIChatProvider]


@pytest.fixture
async def provider_for() -> AsyncIterator[Made]:
    """Make providers for a server that are closed at the end."""
    async with AsyncExitStack() as stack:

        def make(server: OpenAIServer, *, native: bool = True, key: str | None = KEY) -> OpenAIChatProvider:
            provider = OpenAIChatProvider(
                api_key=key, model="gpt-6-luna", base_url=server.base_url, max_tokens=600, native=native
            )
            stack.push_async_callback(provider.close)
            return provider

        yield make


async def test_an_answer_comes_with_usage_model_and_end_and_asks_with_openais_own_parameters(
    provider_for: Made,
) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 800}}
    async with OpenAIServer() as server:
        server.will_answer(CHAT, answer("Mrs Pell (p. 3).", usage=usage, model="gpt-6-luna-2026-09-22"))
        response = await provider_for(server).chat(ASKED)
        sent = server.requests[0]
    assert (response.text, response.stop_reason) == ("Mrs Pell (p. 3).", StopReason.END)
    assert response.usage == TokenUsage(input_tokens=900, output_tokens=9, cache_read_tokens=800)
    assert response.model == "gpt-6-luna-2026-09-22"
    assert set(sent.json()) == {"model", "messages", "max_completion_tokens", "prompt_cache_key"}
    assert (sent.json()["model"], sent.json()["max_completion_tokens"]) == ("gpt-6-luna", 600)
    assert sent.headers["Authorization"] == f"Bearer {KEY}"


async def test_a_compatible_server_is_asked_in_the_older_words_and_needs_no_key(
    provider_for: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "must-stay-home")
    async with OpenAIServer(strings_only=True, without=["max_completion_tokens", "prompt_cache_key"]) as server:
        server.will_answer(CHAT, answer("Mrs Pell.", usage={}))
        response = await provider_for(server, native=False, key=None).chat(ASKED, GenerationOptions(temperature=0.2))
        sent = server.requests[0]
    assert (response.text, response.usage) == ("Mrs Pell.", None)
    assert (sent.json()["max_tokens"], sent.json()["temperature"]) == (600, 0.2)
    assert not [value for value in sent.headers.values() if "must-stay-home" in value]


@pytest.mark.parametrize("status", [400, 500])
async def test_a_template_that_wants_turns_is_learnt_once(provider_for: Made, status: int) -> None:
    members = [
        PromptMessage(role="user", content=said, author=name) for name, said in (("Ada", "Who?"), ("Bo", "Why?"))
    ]
    async with OpenAIServer(strings_only=True, turns=status) as server:
        server.will_answer(CHAT, answer("Mrs Pell."), answer("Because."))
        provider = provider_for(server, native=False, key=None)
        said = [(await provider.chat(members)).text for _ in range(2)]
        sent = [[message["content"] for message in request.json()["messages"]] for request in server.requests]
    assert said == ["Mrs Pell.", "Because."]
    assert sent == [["Ada: Who?", "Bo: Why?"], *[["Ada: Who?\n\nBo: Why?"]] * 2]


async def test_the_environment_never_decides_which_server_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    provider = OpenAIChatProvider(api_key=KEY, model="m")
    async with provider._connection.calling() as (client, _):
        assert str(client.base_url) == "https://api.openai.com/v1/"
        assert client.max_retries == 0
    assert provider.native
    await provider.close()


@pytest.mark.parametrize(
    ("base_url", "native"),
    [
        (None, True),
        ("https://api.openai.com/v1", True),
        ("https://eu.api.openai.com/v1/", True),
        ("http://localhost:11434/v1", False),
        ("https://api.openai.com.example.org/v1", False),
        ("https://openai.example.org/v1", False),
        ("http://[nonsense", False),
    ],
)
def test_only_openais_own_hosts_are_taken_for_openai(base_url: str | None, *, native: bool) -> None:
    assert OpenAIChatProvider(api_key=None, model="m", base_url=base_url).native is native


@pytest.mark.parametrize(
    ("base_url", "asked"),
    [
        ("http://localhost:11434", "http://localhost:11434/v1/"),
        ("http://localhost:11434/ ", "http://localhost:11434/v1/"),
        ("HTTP://LOCALHOST:11434/v1", "http://localhost:11434/v1/"),
        ("https://gpu.example.org/openai/deployments", "https://gpu.example.org/openai/deployments/"),
    ],
)
async def test_a_base_url_without_a_path_gets_the_usual_one(base_url: str, asked: str) -> None:
    provider = OpenAIChatProvider(api_key=None, model="m", base_url=base_url)
    async with provider._connection.calling() as (client, _):
        assert str(client.base_url) == asked
    await provider.close()


async def test_the_beginning_of_a_prompt_is_the_same_bytes_from_call_to_call(provider_for: Made) -> None:
    async with OpenAIServer() as server:
        server.will_answer(CHAT, answer(None, calls=[call()]), answer())
        provider = provider_for(server)
        first = await provider.chat_with_tools(ASKED, [DEFINITION])
        grown = [
            *ASKED,
            PromptMessage(role="assistant", content="", tool_invocations=first.tool_invocations),
            PromptMessage(role="tool_result", content="[p. 3] Oil.", invocation_id="call_1"),
        ]
        await provider.chat_with_tools(grown, [DEFINITION], GenerationOptions(tool_choice=ToolChoice.NONE))
        one, two = (request.body for request in server.requests)
    beginning = json.dumps(json.loads(one)["messages"], ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    assert beginning in one
    assert beginning in two
    assert one.partition(b'"messages"')[0] == two.partition(b'"messages"')[0]
    tools = [body[body.index(b'"tools":') :].partition(b"]}}}]")[0] for body in (one, two)]
    assert tools[0] == tools[1]
    assert json.loads(one)["prompt_cache_key"] == json.loads(two)["prompt_cache_key"]
    assert json.loads(two)["tool_choice"] == "none"


async def test_a_temperature_that_the_model_does_not_take_is_left_out_at_once_and_from_then_on(
    provider_for: Made,
) -> None:
    options = GenerationOptions(temperature=0.2, deadline=Deadline(seconds=30, retries=0))
    async with OpenAIServer(without=["temperature"]) as server:
        server.will_answer(CHAT, answer("One."), answer("Two."))
        provider = provider_for(server)
        assert provider.dropped_options(options) == []
        assert (await provider.chat(ASKED, options)).text == "One."
        assert (await provider.chat(ASKED, options)).text == "Two."
        sent = [request.json() for request in server.requests]
    assert ["temperature" in body for body in sent] == [True, False, False]
    assert provider.dropped_options(options) == ["temperature"]
    assert provider.dropped_options(GenerationOptions()) == []


_FORM = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


async def test_an_output_schema_is_sent(provider_for: Made) -> None:
    async with OpenAIServer() as server:
        server.will_answer(CHAT, answer("{}"))
        await provider_for(server).chat(ASKED, GenerationOptions(answer_schema=_FORM))
        form = server.requests[0].json()["response_format"]
    assert (form["type"], form["json_schema"]["schema"], form["json_schema"]["strict"]) == ("json_schema", _FORM, True)


async def test_a_refused_output_schema_is_left_out_from_then_on(provider_for: Made) -> None:
    async with OpenAIServer() as server:
        refusal = error_reply(400, "Invalid parameter: 'response_format' of type 'json_schema' must not be set.")
        server.will_answer(CHAT, refusal, answer("1 NOT"), answer("1 NOT"))
        provider = provider_for(server)
        for _ in range(2):
            assert (await provider.chat(ASKED, GenerationOptions(answer_schema=_FORM))).text == "1 NOT"
        assert ["response_format" in request.json() for request in server.requests] == [True, False, False]


async def test_a_reasoning_model_is_asked_without_reasoning_while_tools_are_on_offer(provider_for: Made) -> None:
    async with OpenAIServer(reasons=True) as server:
        server.will_answer(CHAT, answer(None, calls=[call()]), answer("Again."), answer("Plain."))
        provider = provider_for(server)
        assert (await provider.chat_with_tools(ASKED, [DEFINITION])).tool_invocation is not None
        await provider.chat_with_tools(ASKED, [DEFINITION])
        await provider.chat(ASKED)
        sent = [request.json().get("reasoning_effort") for request in server.requests]
    assert sent == [None, "none", "none", None]
    assert provider.dropped_options(GenerationOptions()) == ["reasoning, while tools are on offer"]


@pytest.mark.parametrize(
    ("native", "refused", "taken"),
    [(True, "max_completion_tokens", "max_tokens"), (False, "max_tokens", "max_completion_tokens")],
)
async def test_the_token_limit_is_sent_under_the_name_that_the_server_knows(
    provider_for: Made, native: bool, refused: str, taken: str
) -> None:
    async with OpenAIServer(without=[refused]) as server:
        server.will_answer(CHAT, answer())
        await provider_for(server, native=native).chat(ASKED)
        assert server.requests[1].json()[taken] == 600
        assert refused not in server.requests[1].json()


async def test_the_check_is_one_cheap_call_and_returns_the_model_that_answered(provider_for: Made) -> None:
    async with OpenAIServer() as server:
        # A reasoning model may spend the few tokens before it says a word: it answers all the same.
        server.will_answer(CHAT, answer("", finish="length", model="gpt-6-luna-2026-09-22"))
        assert await provider_for(server).check() == "gpt-6-luna-2026-09-22"
        assert server.requests[0].json()["max_completion_tokens"] <= 512
        assert len(server.requests[0].json()["messages"]) == 1
