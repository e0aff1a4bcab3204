"""What the loopback Discord refuses of the commands that an application registers."""

from collections.abc import AsyncIterator

import discord
import pytest
import pytest_asyncio

from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import running
from tests.platform_servers.discord.trial_commands import CommandBot


@pytest_asyncio.fixture
async def bot(discord_server: DiscordServer) -> AsyncIterator[CommandBot]:
    commands = CommandBot()
    async with running(commands, discord_server):
        yield commands


@pytest.mark.parametrize(
    "command",
    [
        {"name": "Upper", "description": "x"},
        {"name": "long", "description": "x" * 101},
        {"name": "none", "description": ""},
        {"name": "a", "description": "x", "options": [{"name": "o", "description": "x", "type": 3}] * 2},
        {
            "name": "order",
            "description": "x",
            "options": [
                {"name": "o", "description": "x", "type": 3},
                {"name": "p", "description": "x", "type": 3, "required": True},
            ],
        },
        {
            "name": "both",
            "description": "x",
            "options": [{"name": "o", "description": "x", "type": 11, "autocomplete": True}],
        },
    ],
    ids=lambda command: str(command["name"]),
)
async def test_commands_that_discord_refuses(
    discord_server: DiscordServer, bot: CommandBot, command: dict[str, object]
) -> None:
    route = discord.http.Route("PUT", "/applications/{application_id}/commands", application_id=discord_server.bot.id)
    with pytest.raises(discord.HTTPException) as refused:
        await bot.http.request(route, json=[command])
    assert refused.value.code == 50035
    assert len(discord_server.platform.commands[None]) == 3
