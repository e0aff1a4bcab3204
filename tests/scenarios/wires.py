"""Both model wires: a loopback server each, told in that wire's own words what a dialogue's model does."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from core.answering.tools.search_book import DEFINITION
from tests.scenarios.dialogues import Fault, ModelStep
from tests.servers import anthropic_server, openai_server
from tests.servers.anthropic_server import AnthropicServer
from tests.servers.checks import Checker, Checks
from tests.servers.openai_server import OpenAIServer
from tests.servers.scripted import HANG, HANG_UP, ReceivedRequest, Reply, ScriptedServer, json_reply

AT_ONCE = {"retry-after-ms": "1"}
_CUT_OFF_AFTER = 30


class Wire(Protocol):
    """What a player needs of one wire; `provider` is its name in settings and records."""

    provider: str

    checks: Checks
    """What the model says where an answer or a message is checked; where nothing is scripted it agrees, uncounted."""

    @property
    def server(self) -> ScriptedServer:
        """The loopback server, to be entered before anything is said."""

    def environment(self) -> dict[str, str]:
        """The settings with which the house uses this wire."""

    def script(self, step: ModelStep, checker: Checker | None = None) -> None:
        """Let the server answer the next call so, or the next one that checks."""

    def offered(self, request: ReceivedRequest) -> list[dict[str, Any]]:
        """The tools of a request, each with name, description and parameters."""

    def choice(self, request: ReceivedRequest) -> str:
        """Whether a request lets the model use tools: auto or none."""


class AnthropicWire(Wire):
    """The Messages API."""

    provider = "anthropic"

    def __init__(self) -> None:
        self._server = AnthropicServer()
        self.checks = Checks(self._server, lambda words: self._said(ModelStep(text=words, uncounted=True)))

    @property
    def server(self) -> AnthropicServer:
        return self._server

    def environment(self) -> dict[str, str]:
        return {
            "ANTHROPIC_API_KEY": anthropic_server.KEY,
            "ANTHROPIC_BASE_URL": self.server.url,
            "THUSFAR_MODEL": anthropic_server.MODEL,
        }

    def script(self, step: ModelStep, checker: Checker | None = None) -> None:
        reply = _faulty(step.fault, self._said(step), _ANTHROPIC_FAULTS, anthropic_server.error_reply)
        if checker is None:
            self.server.will_say(reply)
        else:
            self.checks.will_say(checker, reply)

    def offered(self, request: ReceivedRequest) -> list[dict[str, Any]]:
        return [
            {"name": tool["name"], "description": tool["description"], "parameters": tool["input_schema"]}
            for tool in request.json()["tools"]
        ]

    def choice(self, request: ReceivedRequest) -> str:
        return str(request.json()["tool_choice"]["type"])

    def _said(self, step: ModelStep) -> Reply:
        blocks: list[dict[str, object]] = []
        if step.thinking is not None:
            signature = f"signed-{len(self.server.signatures)}"
            self.server.signatures.add(f"{signature}:{step.thinking}")
            blocks.append({"type": "thinking", "thinking": step.thinking, "signature": signature})
        if words := step.refusal or step.text:
            blocks.append(anthropic_server.text(words))
        blocks += [anthropic_server.tool_use(tool.id, tool.arguments, tool.name) for tool in step.tools]
        stop = "refusal" if step.refusal is not None else "max_tokens" if step.cut else None
        body = anthropic_server.message(*blocks, stop_reason=stop or ("tool_use" if step.tools else "end_turn"))
        if step.uncounted:
            del body["usage"]
        elif tokens := step.tokens:
            body["usage"] = {
                "input_tokens": tokens.input - tokens.read - tokens.written,
                "output_tokens": tokens.output,
                "cache_read_input_tokens": tokens.read,
                "cache_creation_input_tokens": tokens.written,
            }
        return json_reply(body)


class OpenAIWire(Wire):
    """Chat Completions, of a server that takes what local ones take."""

    provider = "openai"

    def __init__(self) -> None:
        self._server = OpenAIServer(strings_only=True, without=["max_completion_tokens"])
        self.checks = Checks(self._server, lambda words: self._said(ModelStep(text=words, uncounted=True)))

    @property
    def server(self) -> OpenAIServer:
        return self._server

    def environment(self) -> dict[str, str]:
        return {"OPENAI_API_KEY": "a-key", "OPENAI_BASE_URL": self.server.base_url, "THUSFAR_MODEL": "a-model"}

    def script(self, step: ModelStep, checker: Checker | None = None) -> None:
        reply = _faulty(step.fault, self._said(step), _OPENAI_FAULTS, openai_server.error_reply)
        if checker is None:
            self.server.will_answer(openai_server.CHAT, reply)
        else:
            self.checks.will_say(checker, reply)

    def offered(self, request: ReceivedRequest) -> list[dict[str, Any]]:
        return [tool["function"] for tool in request.json()["tools"]]

    def choice(self, request: ReceivedRequest) -> str:
        return str(request.json().get("tool_choice", "auto"))

    def _said(self, step: ModelStep) -> Reply:
        calls = [
            openai_server.call(
                tool.arguments if isinstance(tool.arguments, str) else json.dumps(tool.arguments),
                call_id=tool.id,
                name=tool.name,
            )
            for tool in step.tools
        ]
        usage: dict[str, object] = {}
        if (tokens := step.tokens) and not step.uncounted:
            usage = {
                "prompt_tokens": tokens.input,
                "completion_tokens": tokens.output,
                "prompt_tokens_details": {"cached_tokens": tokens.read, "cache_write_tokens": tokens.written},
            }
        refused = {} if step.refusal is None else {"refusal": step.refusal}
        finish = "length" if step.cut else None
        return openai_server.answer(step.text, calls=calls or None, finish=finish, usage=usage, **refused)


WIRES: Mapping[str, Callable[[], Wire]] = {"anthropic": AnthropicWire, "openai": OpenAIWire}
THE_TOOL = {"name": DEFINITION.name, "description": DEFINITION.description, "parameters": DEFINITION.parameters}

_ANTHROPIC_FAULTS = {
    "overloaded": (529, "Overloaded"),
    "rate_limited": (429, "This request would exceed your organization's rate limit"),
    "broken": (500, "Internal server error"),
    "wrong_key": (401, "invalid bearer token"),
    "no_such_model": (404, "model: a-model"),
    "too_long": (400, "prompt is too long: 210000 tokens > 200000 maximum"),
    "too_large": (413, "Request exceeds the maximum size"),
}
_OPENAI_FAULTS = {
    "overloaded": (503, "The engine is currently overloaded, please try again later"),
    "rate_limited": (429, "Rate limit reached"),
    "broken": (500, "The server had an error while processing your request"),
    "wrong_key": (401, "Incorrect API key provided"),
    "no_such_model": (404, "The model `a-model` does not exist"),
    "too_long": (400, "This model's maximum context length is 8192 tokens"),
    "too_large": (413, "Request too large"),
}


def _faulty(
    fault: Fault | None, said: Reply, statuses: Mapping[str, tuple[int, str]], error_reply: Callable[..., Reply]
) -> Reply:
    if fault is None:
        return said
    if fault in statuses:
        return error_reply(*statuses[fault], headers=AT_ONCE)
    return {
        "hang": HANG,
        "hang_up": HANG_UP,
        "cut_off": Reply(body=said.body, hang_up_after=_CUT_OFF_AFTER),
        "no_json": Reply(body=said.body[:_CUT_OFF_AFTER]),
    }[fault]
