"""A scripted model behind OpenAI's wire, in a process of its own, with the delays and the prompt cache of a real one.

It answers a labelled question in the book's words from the passages that it is shown, wherever they stand in the
request; shown none that answer, it searches once if it may, and then says that it cannot say. What it cannot place is
an error. What it takes is what small hosted models were seen to take (0.4 s to the first token, 80 tokens a second
out, 8,000 fresh tokens a second in); its cache is as OpenAI documents it (the longest prefix seen before, from 1,024
tokens on, in steps of 128). A token is four characters.
"""

import asyncio
import json
import multiprocessing
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from aiohttp import web

FIRST_TOKEN_S = 0.4
OUT_A_SECOND = 80
IN_A_SECOND = 8_000
_LEAST_CACHED, _STEP = 1_024, 128
_CHARACTERS_A_TOKEN = 4
_MOST_REQUEST = 4_000_000
_SPACE = re.compile(r"\s+")
_CANNOT = "The pages read so far do not say."
_CHECKS, _JUDGES, _REWRITES = "You check an answer", "You decide whether a message", "A search in a novel"
"""How the prompts of Thusfar begin that ask for something else than an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A question, and the words of the book that answer it, with their page."""

    question: str
    evidence: tuple[str, ...]
    page: int


@dataclass(slots=True, kw_only=True)
class Spent:
    """What the calls since the last look took."""

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


class ModelServer:
    """The process; `url` is its API's base."""

    def __init__(self, known: Sequence[Known]) -> None:
        self._pipe, child = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=_serve, args=(child, known), daemon=True)
        self._process.start()
        child.close()  # so that a process that dies ends the wait for it
        self.url = f"http://127.0.0.1:{self._pipe.recv()}/v1"

    def spent(self, *, forget: bool = False) -> Spent:
        """Return what was spent since this was asked last; the cache is kept unless it is to `forget`."""
        self._pipe.send(forget)
        spent: Spent = self._pipe.recv()
        return spent

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()


class _Model:
    def __init__(self, known: Sequence[Known]) -> None:
        self._known = known
        self._seen: list[str] = []
        self._calls = 0
        self.spent = Spent()

    async def complete(self, request: web.Request) -> web.Response:
        body = await request.json()
        began = time.monotonic()
        message = self._message(body)
        if message is None:
            return web.json_response({"error": {"message": "nothing is scripted for this"}}, status=400)
        self._calls += 1
        cached, fresh = self._cache(body)
        out = len(json.dumps(message)) // _CHARACTERS_A_TOKEN
        self.spent.calls += 1
        self.spent.input_tokens += cached + fresh
        self.spent.cached_tokens += cached
        self.spent.output_tokens += out
        takes = FIRST_TOKEN_S + fresh / IN_A_SECOND + out / OUT_A_SECOND
        await asyncio.sleep(max(0.0, takes - (time.monotonic() - began)))
        return web.json_response(
            {
                "id": f"chatcmpl-{self._calls}",
                "object": "chat.completion",
                "created": 1,
                "model": body["model"],
                "choices": [
                    {
                        "index": 0,
                        "message": {"role": "assistant", "content": None} | message,
                        "finish_reason": "tool_calls" if "tool_calls" in message else "stop",
                    }
                ],
                "usage": {
                    "prompt_tokens": cached + fresh,
                    "completion_tokens": out,
                    "total_tokens": cached + fresh + out,
                    "prompt_tokens_details": {"cached_tokens": cached},
                },
            }
        )

    def _message(self, body: Mapping[str, Any]) -> dict[str, Any] | None:
        messages = body["messages"]
        system = str(messages[0]["content"])
        if system.startswith(_CHECKS):
            return {"content": "\n".join(_support(messages))}
        if system.startswith(_JUDGES):
            return {"content": "90 about the book"}
        if system.startswith(_REWRITES):
            return {"content": str(messages[-1]["content"])}
        asked = [(at, known) for at, each in enumerate(messages) if each["role"] == "user" for known in self._in(each)]
        return self._answer(body, *asked[-1]) if asked else None

    def _answer(self, body: Mapping[str, Any], at: int, known: Known) -> dict[str, Any]:
        messages = body["messages"]
        shown = _SPACE.sub(" ", " ".join(str(message.get("content") or "") for message in messages[1:]))
        found = next((words for words in known.evidence if words in shown), None)
        if found is not None:
            return {"content": f'The book says: "{found}" (p. {known.page}).'}
        searched = any(message["role"] == "tool" for message in messages[at:])
        if body.get("tools") and not searched and body.get("tool_choice") != "none":
            offered = [tool["function"] for tool in body["tools"]]
            name = next(each["name"] for each in offered if "query" in each["parameters"]["properties"])
            arguments = json.dumps({"query": known.question})
            call = {"id": f"call_{self._calls}", "type": "function"}
            return {"tool_calls": [call | {"function": {"name": name, "arguments": arguments}}]}
        return {"content": _CANNOT}

    def _in(self, message: Mapping[str, Any]) -> list[Known]:
        """Return the questions that stand in a message, in their order."""
        content = str(message.get("content"))
        return sorted(
            (known for known in self._known if known.question in content),
            key=lambda known: content.rindex(known.question),
        )

    def _cache(self, body: Mapping[str, Any]) -> tuple[int, int]:
        text = json.dumps([body.get("tools"), body["messages"]], ensure_ascii=False)
        shared = max((_common(text, seen) for seen in self._seen), default=0) // _CHARACTERS_A_TOKEN
        cached = shared // _STEP * _STEP if shared >= _LEAST_CACHED else 0
        self._seen = [*self._seen[-20:], text]
        return cached, len(text) // _CHARACTERS_A_TOKEN - cached

    def take(self, *, forget: bool) -> Spent:
        spent, self.spent = self.spent, Spent()
        self._seen = [] if forget else self._seen
        return spent


def _support(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Give a verifier's line for each sentence: one that cannot say needs no support."""
    pages, _, asked = str(messages[-1]["content"]).rpartition("Sentences:")
    shown = re.search(r"^\[p\. (\d+)\]$", pages, re.MULTILINE)
    supported = f"SUPPORTED p{shown[1]}" if shown else "OPINION"
    for number, sentence in re.findall(r"^(\d+)\. (.*)", asked, re.MULTILINE):
        yield f"{number} {'ABSTAIN' if sentence == _CANNOT else supported}"


def _common(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _serve(pipe: Connection, known: Sequence[Known]) -> None:
    asyncio.run(_serving(pipe, known))


async def _serving(pipe: Connection, known: Sequence[Known]) -> None:
    model = _Model(known)
    application = web.Application(client_max_size=_MOST_REQUEST)
    application.router.add_post("/v1/chat/completions", model.complete)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    pipe.send(runner.addresses[0][1])
    while True:
        pipe.send(model.take(forget=await asyncio.to_thread(pipe.recv)))
