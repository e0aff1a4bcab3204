"""Fixtures for the loopback Discord's own tests: the server, and a club in it."""

import pytest

from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

__all__ = ["discord_server"]


@pytest.fixture
def club(discord_server: DiscordServer) -> Club:
    return discord_server.add_club()
