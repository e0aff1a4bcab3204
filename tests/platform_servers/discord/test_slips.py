"""What fails a test on the loopback Discord: what the bot asked in vain, and what the test planned in vain."""

from contextlib import suppress

import discord
import pytest

from tests.platform_servers.discord.faults import broken
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.pointing import pointed_at
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import TrialBot, running

_POST = "/channels/{channel}/messages"


async def test_an_unknown_route_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="unknown route GET /guilds/1/emojis"):
        async with DiscordServer() as server:
            with pointed_at(server):
                async with running(TrialBot(), server) as bot:
                    with suppress(discord.NotFound):
                        await bot.http.get_all_custom_emojis(1)


async def test_a_fault_that_is_never_met_fails_the_test() -> None:
    with pytest.raises(AssertionError, match=r"1 faults for POST /channels/\{channel\}/messages.*4004 at IDENTIFY"):
        async with DiscordServer() as server:
            server.fail_next("POST", _POST, broken())
            server.gateway.close_at_identify(4004)


async def test_a_fault_for_no_route_and_a_wait_in_vain_are_told(discord_server: DiscordServer, club: Club) -> None:
    with pytest.raises(AssertionError, match="no such route"):
        discord_server.fail_next("POST", "/channels/messages", broken())
    discord_server.say(club.channel, club.ada, "said in vain")
    with pytest.raises(AssertionError, match="said in vain"):
        await discord_server.wait_for(lambda: False, within=0.01)
