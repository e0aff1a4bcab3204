"""Own CPU time of one model call, beside the bare SDK call with the same payload in the same run: at most 1.5 times.

Run it with `python -m benchmarks.model_call`. The server is another process, so that its work is not counted; the two
calls take turns, so that a busy machine is unfair to neither. The bare call sends what the adapter was seen to send.
"""

import asyncio
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import Any
from urllib.request import urlopen

import anthropic
import openai
from aiohttp import web

from adapters.llm.anthropic import AnthropicChatProvider
from adapters.llm.openai import OpenAIChatProvider
from core.answering.tools.search_book import DEFINITION
from core.domain.tool_use import Deadline, GenerationOptions, PromptMessage, ToolInvocation

GOAL = 1.5
_ROUNDS = 40
_CALLS_A_ROUND = 10
_MODEL = "a-model"
_KEY = "no-key-needed"
_SENTENCE = "The ferry left Marrow Quay at dawn, and Ada Lindqvist carried a brass compass in her coat. "
_LARGEST_REQUEST = 1024 * 1024

Call = Callable[[], Awaitable[object]]
Payload = dict[str, Any]


def main() -> int:
    """Print medians and ratio of each wire; return 1 where one misses the goal."""
    parent, child = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(child,), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{parent.recv()}"
    print(f"CPU ms a call, medians of {_ROUNDS} rounds of {_CALLS_A_ROUND} calls; goal: a ratio of at most {GOAL}")
    ratios = [asyncio.run(wire(url)) for wire in (_anthropic, _openai)]
    server.terminate()
    return int(max(ratios) > GOAL)


async def _anthropic(url: str) -> float:
    provider = AnthropicChatProvider(api_key=_KEY, model=_MODEL, base_url=url)
    async with anthropic.AsyncAnthropic(api_key=_KEY, base_url=url, max_retries=0, open_telemetry=False) as client:

        async def bare(payload: Payload) -> object:
            return (await client.messages.create(**payload)).content[0]

        ratio = await _compare(provider, bare, url)
    await provider.close()
    return ratio


async def _openai(url: str) -> float:
    provider = OpenAIChatProvider(api_key=_KEY, model=_MODEL, base_url=f"{url}/v1")
    async with openai.AsyncOpenAI(api_key=_KEY, base_url=f"{url}/v1", max_retries=0) as client:

        async def bare(payload: Payload) -> object:
            return (await client.chat.completions.create(**payload)).choices[0]

        ratio = await _compare(provider, bare, url)
    await provider.close()
    return ratio


async def _compare(
    provider: AnthropicChatProvider | OpenAIChatProvider, bare: Callable[[Payload], Awaitable[object]], url: str
) -> float:
    prompt = _prompt()

    async def ours() -> object:
        options = GenerationOptions(deadline=Deadline(seconds=60.0, retries=2))
        return (await provider.chat_with_tools(prompt, [DEFINITION], options)).text

    await ours()
    payload = await asyncio.to_thread(_last_payload, url)
    own: list[float] = []
    floor: list[float] = []
    for _ in range(_ROUNDS + 1):
        own.append(await _cpu_a_call(ours))
        floor.append(await _cpu_a_call(lambda: bare(payload)))
    # The first round warms up.
    through, without = statistics.median(own[1:]), statistics.median(floor[1:])
    line = f"bare SDK {without * 1e3:.2f}, through the port {through * 1e3:.2f}, ratio {through / without:.2f}"
    print(f"  {provider.name}: {line}")
    return through / without


async def _cpu_a_call(call: Call) -> float:
    began = time.process_time()
    for _ in range(_CALLS_A_ROUND):
        await call()
    return (time.process_time() - began) / _CALLS_A_ROUND


def _prompt() -> list[PromptMessage]:
    """The second call of a turn in a long conversation: 4 kB of system prompt, 20 messages, 9 kB of passages found."""
    invocation = ToolInvocation(
        tool_name="search_book", arguments={"query": "brass compass", "top_k": 8}, invocation_id="toolu_01"
    )
    history = [PromptMessage(role="assistant" if number % 2 else "user", content=_SENTENCE * 5) for number in range(20)]
    return [
        PromptMessage(role="system", content=_SENTENCE * 45),
        *history,
        PromptMessage(role="user", content="Who carried the compass?"),
        PromptMessage(role="assistant", content="Let me look.", tool_invocations=(invocation,)),
        PromptMessage(role="tool_result", content=_SENTENCE * 96, invocation_id="toolu_01", tool_name="search_book"),
    ]


def _last_payload(url: str) -> Payload:
    with urlopen(f"{url}/last") as answer:  # noqa: S310 (our own server)
        payload: Payload = json.load(answer)
    return payload


def _serve(pipe: Connection) -> None:
    """Answer every request as each wire does, until the process is ended."""
    asyncio.run(_serve_forever(pipe))


async def _serve_forever(pipe: Connection) -> None:
    last = b"{}"

    def answering(payload: Payload) -> Callable[[web.Request], Awaitable[web.Response]]:
        body = json.dumps(payload).encode()

        async def answer(request: web.Request) -> web.Response:
            nonlocal last
            last = await request.read()
            return web.Response(body=body, content_type="application/json")

        return answer

    async def tell_last(_: web.Request) -> web.Response:
        return web.Response(body=last, content_type="application/json")

    application = web.Application(client_max_size=_LARGEST_REQUEST)
    application.router.add_post("/v1/messages", answering(_anthropic_answer()))
    application.router.add_post("/v1/chat/completions", answering(_openai_answer()))
    application.router.add_get("/last", tell_last)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    pipe.send(runner.addresses[0][1])
    await asyncio.Event().wait()


def _anthropic_answer() -> Payload:
    usage = {"input_tokens": 12, "output_tokens": 180, "cache_read_input_tokens": 5_000}
    return {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": _MODEL,
        "content": [{"type": "text", "text": _SENTENCE * 8}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {**usage, "cache_creation_input_tokens": 0},
    }


def _openai_answer() -> Payload:
    return {
        "id": "chatcmpl-01",
        "object": "chat.completion",
        "created": 1,
        "model": _MODEL,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": _SENTENCE * 8}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5_012, "completion_tokens": 180, "total_tokens": 5_192},
    }


if __name__ == "__main__":
    sys.exit(main())
