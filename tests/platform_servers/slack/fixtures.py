"""The fixtures of the loopback Slack, for a conftest to import."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.platform_servers.slack.server import SlackServer


@pytest_asyncio.fixture
async def slack_server() -> AsyncIterator[SlackServer]:
    """A started server; the test fails where the app asked for what it does not have."""
    async with SlackServer() as server:
        yield server
