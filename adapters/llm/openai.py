"""Calls OpenAI, and servers with its Chat Completions API (Ollama, llama.cpp, vLLM), through its SDK.

Chosen by `bot/providers.py`. The SDK sends and receives; `openai_wire.py` and `openai_answer.py` translate.
"""

from collections.abc import Sequence
from typing import Any, Final

from adapters.llm.openai_answer import read_answer, read_choice, read_json, read_model
from adapters.llm.openai_connection import OpenAIConnection, posted
from adapters.llm.openai_wire import REASONING, TURNS, Dialect, adapted, refused_parameter
from adapters.llm.retrying import with_retries
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ChatResponse, Deadline, GenerationOptions, PromptMessage, ToolDefinition
from core.ports.chat_provider import ChatProvider

DEFAULT_MAX_TOKENS: Final = 2_048

_CHECK_SECONDS = 20.0
_LOCAL_CHECK_SECONDS = 90.0
"""A local server may load its model at the first call."""
_CHECK_TOKENS = 512
_NO_OPTIONS = GenerationOptions()


class OpenAIChatProvider(ChatProvider):
    """One model behind Chat Completions.

    OpenAI's models support different parameters. If a server refuses one with a 400 as unsupported, it is left out or
    rewritten, the call is repeated at once, and this is remembered for the model: once per parameter at most, within
    the turn's time but without using up its retries.
    """

    def __init__(
        self,
        *,
        api_key: str | None,
        model: str,
        base_url: str | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        native: bool | None = None,
    ) -> None:
        """Store the settings; nothing is imported or connected before the first call.

        Args:
            api_key: None if a compatible server needs none.
            model: the server's name for the model.
            base_url: the API's address, such as `http://localhost:11434/v1`; None for OpenAI's own.
            max_tokens: the default limit of an answer.
            native: whether the server supports OpenAI's newest parameters; None: only OpenAI's own hosts do.
        """
        self._connection = OpenAIConnection(api_key=api_key, base_url=base_url)
        self._model = model
        self._native = self._connection.is_openai if native is None else native
        self._dialect = Dialect(native=self._native, default_max_tokens=max_tokens)
        self._lessons: dict[str, list[str]] = {}

    @property
    def name(self) -> str:
        """`openai`, for compatible servers too."""
        return "openai"

    @property
    def model(self) -> str:
        """The model that answers unless the options name another."""
        return self._model

    @property
    def native(self) -> bool:
        """Whether this is OpenAI itself, so that its list prices apply."""
        return self._native

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        """Ask without tools. Raises LLMError."""
        return await self.chat_with_tools(messages, [], options)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        """Ask with tools on offer. Raises LLMError."""
        options = options or _NO_OPTIONS
        body = await self._complete(messages, tools, options)
        return read_answer(body, tools_offered=bool(tools))

    async def check(self, *, tools: Sequence[ToolDefinition] = (), options: GenerationOptions | None = None) -> str:
        """Make one cheap call; return the model that answered.

        Pass the tools and options that will be used: some models take no tools over Chat Completions, and
        `dropped_options` knows only what a server has refused. Raises LLMError.
        """
        given = options or _NO_OPTIONS
        cheap = GenerationOptions(
            model=given.model,
            max_tokens=_CHECK_TOKENS,
            temperature=given.temperature,
            deadline=Deadline(seconds=_CHECK_SECONDS if self._native else _LOCAL_CHECK_SECONDS, retries=1),
        )
        body = await self._complete([PromptMessage(role="user", content="Say OK.")], tools, cheap)
        read_choice(body)
        return read_model(body) or given.model or self._model

    def dropped_options(self, options: GenerationOptions) -> list[str]:
        """Return, for `doctor`, the options that the model has refused so far; call `check` first."""
        lessons = self._lessons.get(options.model or self._model, [])
        dropped = ["temperature"] if options.temperature is not None and "temperature" in lessons else []
        return dropped + (["reasoning, while tools are on offer"] if REASONING in lessons else [])

    async def close(self) -> None:
        """Close the connections."""
        await self._connection.close()

    async def _complete(
        self, messages: Sequence[PromptMessage], tools: Sequence[ToolDefinition], options: GenerationOptions
    ) -> object:
        model = options.model or self._model
        request = self._dialect.request(model=model, messages=messages, tools=tools, options=options)
        return await with_retries(lambda seconds: self._attempt(request, seconds), deadline=options.deadline)

    async def _attempt(self, request: dict[str, Any], seconds: float) -> object:
        """Send a request, repeated without parameters that the server refuses as unsupported; return the body."""
        lessons = self._lessons.setdefault(request["model"], [])
        async with self._connection.calling() as (client, openai):
            while True:
                # Parallel calls learn from each other, so note what was known when this one was sent.
                known = tuple(lessons)
                sent = adapted(request, known)
                try:
                    # The SDK's chat method searches every value for keys to rename, though there are none: in a long
                    # thread that is two thirds of a call's work. A posted body is sent unchanged.
                    raw = await posted(client, "/chat/completions", sent, seconds=seconds)
                except (openai.BadRequestError, openai.UnprocessableEntityError, openai.InternalServerError) as error:
                    refused = refused_parameter(error.body, sent)
                    # A 500 says nothing about parameters, except llama.cpp's when a model's template refuses the
                    # prompt.
                    is_trouble = isinstance(error, openai.InternalServerError) and refused != TURNS
                    if refused is None or refused in known or is_trouble:
                        raise _no_tools(request["model"]) if refused == REASONING else error from None
                    lessons.extend({refused}.difference(lessons))
                    continue
                return read_json(raw.content)


def _no_tools(model: str) -> LLMError:
    cause = f"{model} takes no tools over Chat Completions, not even without reasoning: choose a model that does"
    return LLMError(LLMErrorCode.BAD_RESPONSE, cause)
