"""A provider of Anthropic's models, by the real SDK, and the server that it talks to."""

from collections.abc import AsyncIterator

import pytest

from adapters.llm.anthropic import AnthropicChatProvider
from tests.servers.anthropic_server import KEY, MODEL, AnthropicServer


@pytest.fixture
async def server() -> AsyncIterator[AnthropicServer]:
    async with AnthropicServer() as server:
        yield server


@pytest.fixture
async def provider(server: AnthropicServer) -> AsyncIterator[AnthropicChatProvider]:
    provider = AnthropicChatProvider(api_key=KEY, model=MODEL, base_url=server.url)
    yield provider
    await provider.close()
