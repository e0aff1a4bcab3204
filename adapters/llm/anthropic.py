"""Anthropic's models behind the ChatProvider port.

`anthropic_wire.py` builds the requests, `anthropic_answer.py` reads the responses.
"""

import asyncio
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from adapters.llm.anthropic_answer import Json, read_answer, read_model
from adapters.llm.anthropic_wire import request_body
from adapters.llm.faults import refuse_huge, translated_faults
from adapters.llm.retrying import with_retries
from core.domain.tool_use import ChatResponse, Deadline, GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

DEFAULT_MAX_TOKENS: Final = 4_096
MOST_MAX_TOKENS: Final = 21_000
"""A longer answer must be streamed."""

_DEFAULT_HOST: Final = "https://api.anthropic.com"
_CONNECT_S: Final = 5.0
_CHECK_S: Final = 20.0
_CHECK_MAX_TOKENS: Final = 16
_ANSWER_FORM: Final = "output_config"
_OF_THE_FORM: Final = re.compile(r"output_config|output_format|json_schema|structured output", re.IGNORECASE)


class AnthropicChatProvider(ChatProvider):
    """One of Anthropic's models. The first call loads the SDK and makes its client.

    Args:
        api_key: the key; it appears in no error.
        model: the model that answers unless the options name another.
        base_url: the host's root, with or without `/v1`; None for Anthropic's own.
        max_tokens: the default limit of an answer; at most 21,000.
        native: whether the host supports Anthropic's newest parameters; None: only Anthropic's own host does.
    """

    def __init__(
        self,
        *,
        api_key: str,
        model: str,
        base_url: str | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        native: bool | None = None,
    ) -> None:
        self._api_key = api_key
        self._model = model
        self._base_url = (base_url or _DEFAULT_HOST).rstrip("/").removesuffix("/v1")
        self._native = self._base_url == _DEFAULT_HOST if native is None else native
        self._max_tokens = max_tokens
        self._client: AsyncAnthropic | None = None
        self._formless: set[str] = set()
        self._connecting = asyncio.Lock()

    @property
    def name(self) -> str:
        """The provider's name in settings and records."""
        return "anthropic"

    @property
    def model(self) -> str:
        """The model that answers unless the options name another."""
        return self._model

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        """Ask without tools. Raises LLMError."""
        return await self.chat_with_tools(messages, (), options)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        """Ask with tools on offer. Raises LLMError."""
        options = options or GenerationOptions()
        max_tokens = self._max_tokens if options.max_tokens is None else options.max_tokens
        body: Json = {
            "model": options.model or self._model,
            "max_tokens": min(max(max_tokens, 1), MOST_MAX_TOKENS),
            **request_body(messages, tools, options.tool_choice),
        }
        if self._native and options.answer_schema is not None:
            body[_ANSWER_FORM] = {"format": {"type": "json_schema", "schema": dict(options.answer_schema)}}
        return read_answer(await self._post(body, options.deadline), tools_offered=bool(tools))

    async def check(self, *, tools: Sequence[ToolDefinition] = (), options: GenerationOptions | None = None) -> str:
        """Make one cheap call without retries; return the model that answered.

        Pass the tools and options that will be used, so that the API can refuse them here.

        Raises:
            LLMError: it did not answer.
        """
        body = {
            "model": (options and options.model) or self._model,
            "max_tokens": _CHECK_MAX_TOKENS,
            **request_body([PromptMessage(role="user", content="Say OK.")], tools),
        }
        return read_model(await self._post(body, Deadline(seconds=_CHECK_S, retries=0)))

    def dropped_options(self, options: GenerationOptions) -> list[str]:
        """Return, for `doctor`, the names of the options that are set but not sent unchanged."""
        dropped = []
        if options.temperature is not None:
            dropped.append("temperature")
        if options.max_tokens is not None and not 1 <= options.max_tokens <= MOST_MAX_TOKENS:
            dropped.append("max_tokens")
        return dropped

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _post(self, body: Json, deadline: Deadline | None) -> object:
        return await with_retries(lambda remaining: self._post_once(body, remaining), deadline=deadline)

    async def _post_once(self, body: Json, remaining: float) -> object:
        """Send a request and return the raw body: the SDK's models accept values of any type."""
        client = await self._connected()
        import anthropic
        import httpx2

        # A short connect timeout leaves time for another try.
        timeout = httpx2.Timeout(remaining, connect=min(remaining, _CONNECT_S))
        if body["model"] in self._formless:
            body = _without_form(body)
        with translated_faults(anthropic, provider=self.name, secrets=[self._api_key]):
            try:
                # `extra_body` is sent unchanged; in its own arguments the SDK searches every value for keys to rename.
                response = await client.messages.with_raw_response.create(
                    model=body["model"], max_tokens=body["max_tokens"], messages=[], extra_body=body, timeout=timeout
                )
            except anthropic.BadRequestError as error:
                # A model without structured output answers in its own form, and is asked without a schema from then on.
                if _ANSWER_FORM not in body or not _OF_THE_FORM.search(str(error)):
                    raise
                self._formless.add(body["model"])
                return await self._post_once(body, remaining)
            payload: object = json.loads(response.http_response.content)
        return payload

    async def _connected(self) -> "AsyncAnthropic":
        async with self._connecting:
            if self._client is None:
                # Loading the SDK takes more than a second, which would block the platforms' heartbeats.
                self._client = await asyncio.to_thread(self._make_client)
            return self._client

    def _make_client(self) -> "AsyncAnthropic":
        import anthropic

        with translated_faults(anthropic, provider=self.name, secrets=[self._api_key]):
            client = anthropic.AsyncAnthropic(
                api_key=self._api_key,
                base_url=self._base_url,
                max_retries=0,
                open_telemetry=False,
                http_client=anthropic.DefaultAsyncHttpxClient(event_hooks={"response": [refuse_huge]}),
            )
            _ = client.messages  # its types are loaded on first use
            return client


def _without_form(body: Json) -> Json:
    return {name: value for name, value in body.items() if name != _ANSWER_FORM}
