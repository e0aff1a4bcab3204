"""The fixtures of the loopback Discord, for a conftest to import."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.platform_servers.discord.pointing import pointed_at
from tests.platform_servers.discord.server import DiscordServer


@pytest_asyncio.fixture
async def discord_server() -> AsyncIterator[DiscordServer]:
    """A started server that discord.py is pointed at; the test fails where the bot asked for what it does not have."""
    async with DiscordServer() as server:
        with pointed_at(server):
            yield server
