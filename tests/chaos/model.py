"""A model behind OpenAI's wire that answers in the book's words, and now and then with a fault instead."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from types import TracebackType
from typing import Any, Final, Self

from aiohttp import web

from tests.chaos.signs import MODEL_ANSWERED, MODEL_CALLED
from tests.fakes.chat_provider import agreed

ANSWERS: Final = {
    "Who lit the lamp?": "The lighthouse keeper lit the lamp (p. 1).",
    "What broke the window?": "The storm broke the window of the tower (p. 2).",
    "Who rowed out to the wreck?": "The keeper's daughter rowed out to the wreck (p. 3).",
}
_CHECKS, _JUDGES = "You check an answer", "You decide whether a message"
"""How the prompts begin that ask for something else than an answer."""
_FAULTY: Final = {"model 429": 0.04, "model 500": 0.04, "model hangs": 0.03, "model hangs up": 0.03}
_THINKS_S: Final = (0.05, 0.5)


class FaultyModel:
    """Serves while its block is open; `signs` counts what it has seen of turns, `faults` what it did to them.

    Args:
        chance: what decides which call meets which fault.
        changed: called when something has come in or gone out.
    """

    possible = tuple(_FAULTY)
    """The faults, by the names under which they are counted."""

    def __init__(self, chance: Random, changed: Callable[[], None]) -> None:
        self.signs: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.under_way = 0
        self._chance = chance
        self._changed = changed
        self._closing = asyncio.Event()
        application = web.Application()
        application.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0, handler_cancellation=True)

    def settings(self) -> dict[str, str]:
        """Return the settings that point the program at it."""
        url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return {"THUSFAR_PROVIDER": "openai", "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "no-real-key"}

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        await self._runner.cleanup()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.signs[MODEL_CALLED] += 1
        self.under_way += 1
        self._changed()
        try:
            await asyncio.sleep(self._chance.uniform(*_THINKS_S))  # it thinks: a kill may come meanwhile
            return await self._answer(request, body)
        finally:
            self.under_way -= 1
            self.signs[MODEL_ANSWERED] += 1
            self._changed()

    async def _answer(self, request: web.Request, body: Mapping[str, Any]) -> web.StreamResponse:
        fault = self._fault()
        match fault:
            case "model 429" | "model 500":
                error = {"error": {"message": fault, "type": "server_error", "code": None}}
                return web.json_response(error, status=int(fault[-3:]))
            case "model hangs":
                await self._closing.wait()
            case "model hangs up":
                assert request.transport is not None
                request.transport.abort()
        message = {"role": "assistant", "content": _said(body["messages"])}
        return web.json_response(
            {
                "id": f"chatcmpl-{self.signs[MODEL_CALLED]}",
                "object": "chat.completion",
                "created": 1,
                "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
            }
        )

    def _fault(self) -> str | None:
        drawn = self._chance.random()
        for fault, share in _FAULTY.items():
            if drawn < share:
                self.faults[fault] += 1
                return fault
            drawn -= share
        return None


def _said(messages: list[Mapping[str, Any]]) -> str:
    system, last = str(messages[0]["content"]), str(messages[-1]["content"])
    if system.startswith(_CHECKS):
        return agreed(last)
    if system.startswith(_JUDGES):
        return "90 about the book"
    asked = max(ANSWERS, key=lambda question: max(str(one["content"]).rfind(question) for one in messages[-2:]))
    return ANSWERS[asked]
