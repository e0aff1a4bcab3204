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
"""Sent where no key is set: the SDK demands one, and would else take OPENAI_API_KEY to a server it is not meant for."""

_CONNECT_S: Final = 5.0
_SHORTEST_SECRET: Final = 12


class OpenAIConnection:
    """Imports the SDK, makes its client and turns its faults into LLMErrors.

    Args:
        api_key: None where a compatible server needs none.
        base_url: of the API, with or without `/v1` where that is the whole path; None for OpenAI's own. Never left to
            the SDK, which would read the environment.
    """

    def __init__(self, *, api_key: str | None, base_url: str | None) -> None:
        self._api_key = api_key or NO_KEY
        self._base_url = _with_path(base_url or OPENAI_URL)
        self._openai: Any = None
        self._client: AsyncOpenAI | None = None
        self._connecting = asyncio.Lock()

    @property
    def host(self) -> str:
        """The server's name, without port, path and whatever the URL says of users; empty for what is no URL."""
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
        """Give the client and the SDK's module for one call. Raises LLMError in place of what the call raises."""
        async with self._connecting:
            if self._openai is None:
                # Loading the SDK takes more than a second: too long to stand still for the platforms' heartbeats.
                self._openai = await asyncio.to_thread(_loaded)
        if not self.host or not self._base_url.lower().startswith(("http://", "https://")):
            raise LastingLLMError(LLMErrorCode.UNAVAILABLE, "the base URL for openai is no http:// or https:// URL")
        provider = "OpenAI" if self.is_openai else f"the server at {self.host}"
        # Local servers are given keys like `x` or `ollama`, which are no secret but part of many words.
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
                # The SDK takes both from the environment and would name them to whatever server it talks with.
                client.organization = client.project = None
            self._client = client
        return self._client


def timeout_of(seconds: float) -> "Timeout":
    """Return the SDK's timeout: a connection that does not come about within seconds leaves time for another try."""
    from httpx2 import Timeout

    return Timeout(seconds, connect=min(seconds, _CONNECT_S))


async def posted(client: "AsyncOpenAI", path: str, body: object, *, seconds: float) -> "Response":
    """Send a body to the server as it is; return the answer as it came. Raises what the SDK raises."""
    from httpx2 import Response

    return await client.post(path, cast_to=Response, body=body, options={"timeout": timeout_of(seconds)})


def _with_path(base_url: str) -> str:
    """Return the URL, with the path that all these servers have where it has none; some give that of one call."""
    plain = base_url.strip().rstrip("/").removesuffix("/chat/completions")
    return plain if plain.count("/") > 2 else f"{plain}/v1"  # noqa: PLR2004 (those of `https://`)


def _loaded() -> ModuleType:
    openai = importlib.import_module("openai")
    # Loaded on first use otherwise.
    importlib.import_module("openai.resources.chat.completions")
    importlib.import_module("openai.resources.embeddings")
    return openai
