"""One client of OpenAI's SDK for one server, made at first use; shared by the chat and the embedding adapter."""

import asyncio
import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from adapters.llm.faults import LastingLLMError, refuse_huge, translated_faults
from core.domain.errors import LLMErrorCode

if TYPE_CHECKING:
    from httpx2 import Response, Timeout
    from openai import AsyncOpenAI

OPENAI_URL: Final = "https://api.openai.com/v1"
NO_KEY: Final = "no-key-needed"
"""Sent if no key is set: the SDK requires one, and would otherwise send OPENAI_API_KEY to the wrong server."""

_CONNECT_S: Final = 5.0
_SHORTEST_SECRET: Final = 12


class OpenAIConnection:
    """Imports the SDK, makes its client and turns its errors into LLMErrors.

    Args:
        api_key: None if a compatible server needs none.
        base_url: the API's address; `/v1` may be left out if that is the whole path. None for OpenAI's own, never the
            SDK's default, which comes from the environment.
    """

    def __init__(self, *, api_key: str | None, base_url: str | None) -> None:
        self._api_key = api_key or NO_KEY
        self._base_url = _with_path(base_url or OPENAI_URL)
        self._openai: Any = None
        self._client: AsyncOpenAI | None = None
        self._connecting = asyncio.Lock()

    @property
    def host(self) -> str:
        """The server's name, without port, path and user; "" for an invalid URL."""
        try:
            return urlsplit(self._base_url).hostname or ""
        except ValueError:
            return ""

    @property
    def is_openai(self) -> bool:
        """Whether the server is OpenAI's own, regional hosts included; all others are compatible servers."""
        return self.host == "api.openai.com" or self.host.endswith(".api.openai.com")

    @asynccontextmanager
    async def calling(self) -> AsyncIterator[tuple["AsyncOpenAI", Any]]:
        """Give the client and the SDK's module for one call. Raises LLMError in place of the call's exceptions."""
        async with self._connecting:
            if self._openai is None:
                # Loading the SDK takes more than a second, which would block the platforms' heartbeats.
                self._openai = await asyncio.to_thread(_loaded)
        if not self.host or not self._base_url.lower().startswith(("http://", "https://")):
            raise LastingLLMError(LLMErrorCode.UNAVAILABLE, "the base URL for openai is no http:// or https:// URL")
        provider = "OpenAI" if self.is_openai else f"the server at {self.host}"
        # Keys of local servers, such as `x` or `ollama`, are no secret and occur in many words.
        secrets = [self._api_key] if len(self._api_key) >= _SHORTEST_SECRET else []
        with translated_faults(self._openai, provider=provider, secrets=secrets):
            yield self._connected(), self._openai

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _connected(self) -> "AsyncOpenAI":
        if self._client is None:
            client: AsyncOpenAI = self._openai.AsyncOpenAI(
                api_key=self._api_key,
                base_url=self._base_url,
                max_retries=0,
                http_client=self._openai.DefaultAsyncHttpxClient(event_hooks={"response": [refuse_huge]}),
            )
            if not self.is_openai:
                # The SDK takes both from the environment, and would send them to any server.
                client.organization = client.project = None
            self._client = client
        return self._client


def timeout_of(seconds: float) -> "Timeout":
    """Return the SDK's timeout, with a short connect timeout that leaves time for another try."""
    from httpx2 import Timeout

    return Timeout(seconds, connect=min(seconds, _CONNECT_S))


async def posted(client: "AsyncOpenAI", path: str, body: object, *, seconds: float) -> "Response":
    """Post a body unchanged; return the response. Raises what the SDK raises."""
    from httpx2 import Response

    return await client.post(path, cast_to=Response, body=body, options={"timeout": timeout_of(seconds)})


def _with_path(base_url: str) -> str:
    """Return the URL with the common path if it has none, and without the path of a single call."""
    plain = base_url.strip().rstrip("/").removesuffix("/chat/completions")
    return plain if plain.count("/") > 2 else f"{plain}/v1"  # noqa: PLR2004 (those of `https://`)


def _loaded() -> ModuleType:
    openai = importlib.import_module("openai")
    # These are otherwise loaded on first use.
    importlib.import_module("openai.resources.chat.completions")
    importlib.import_module("openai.resources.embeddings")
    return openai
