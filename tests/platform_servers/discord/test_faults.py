"""REST goes wrong on demand, and the real discord.py sees each fault as it would see Discord's."""

import asyncio
import time

import aiohttp
import discord
import pytest

from tests.platform_servers.discord.faults import Fault, broken, held, rate_limited, refused, reset
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import TrialBot, running

_POST = "/channels/{channel}/messages"
_REACT = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"


def _place(bot: TrialBot, club: Club) -> discord.TextChannel:
    channel = bot.get_channel(club.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_rate_limit_is_waited_for(discord_server: DiscordServer, club: Club) -> None:
    discord_server.fail_next("POST", _POST, rate_limited(0.05), times=2)
    async with running(TrialBot(), discord_server) as bot:
        began = time.monotonic()
        await _place(bot, club).send("patience")
    assert time.monotonic() - began >= 0.1
    assert [call.status for call in discord_server.calls_of("POST", _POST)] == [429, 429, 200]
    assert club.channel.texts == ["patience"]


async def test_a_rate_limit_without_via_is_not_retried(discord_server: DiscordServer, club: Club) -> None:
    discord_server.fail_next("POST", _POST, rate_limited(via=False))
    async with running(TrialBot(), discord_server) as bot:
        with pytest.raises(discord.HTTPException) as limited:
            await _place(bot, club).send("no patience")
    assert limited.value.status == 429
    assert club.channel.texts == []


async def test_a_503_is_told_at_once(discord_server: DiscordServer, club: Club) -> None:
    discord_server.fail_next("POST", _POST, broken(503))
    async with running(TrialBot(), discord_server) as bot:
        with pytest.raises(discord.DiscordServerError):
            await _place(bot, club).send("?")
    assert len(discord_server.calls_of("POST", _POST)) == 1


async def test_an_error_of_the_tests_own_choice(discord_server: DiscordServer, club: Club) -> None:
    discord_server.fail_next("POST", _POST, refused(403, 30046, "Edits of old messages"))
    async with running(TrialBot(), discord_server) as bot:
        with pytest.raises(discord.Forbidden) as forbidden:
            await _place(bot, club).send("?")
    assert forbidden.value.code == 30046


@pytest.mark.parametrize("accepted", [True, False])
async def test_after_a_reset_the_nonce_tells_whether_it_was_posted(
    discord_server: DiscordServer, club: Club, accepted: bool
) -> None:
    discord_server.fail_next("POST", _POST, reset(accepted=accepted))
    async with running(TrialBot(), discord_server) as bot:
        with pytest.raises(aiohttp.ClientError):
            await _place(bot, club).send("once", nonce="turn-1")
        assert club.channel.texts == ["once"] * accepted
        await _place(bot, club).send("once", nonce="turn-1")
    assert club.channel.texts == ["once"]


async def test_a_held_call_waits_and_the_others_do_not(discord_server: DiscordServer, club: Club) -> None:
    asked = discord_server.say(club.channel, club.ada, "?")
    slow = discord_server.fail_next("PUT", _REACT, held())
    async with running(TrialBot(), discord_server) as bot:
        message = _place(bot, club).get_partial_message(asked.id)
        reaction = asyncio.create_task(message.add_reaction("👀"))
        await discord_server.wait_for(lambda: discord_server.calls_of("PUT", _REACT))
        await message.reply("!")
        assert (asked.reactions, club.channel.texts) == ({}, ["?", "!"])
        slow.release()
        await reaction
    assert list(asked.reactions) == ["👀"]


@pytest.mark.parametrize(
    ("fault", "seen"), [(reset(accepted=False), aiohttp.ClientError), (broken(503), discord.DiscordServerError)]
)
async def test_rest_can_be_down_while_the_gateway_goes_on(
    discord_server: DiscordServer, club: Club, fault: Fault, seen: type[Exception]
) -> None:
    async with running(TrialBot(), discord_server) as bot:
        with discord_server.rest_down(fault):
            discord_server.say(club.channel, club.ada, "are you there?")
            await bot.until(lambda: bot.heard)
            with pytest.raises(seen):
                await _place(bot, club).send("no")
        await _place(bot, club).send("yes")
    assert club.channel.texts == ["are you there?", "yes"]


async def test_a_download_can_fail_too(discord_server: DiscordServer, club: Club) -> None:
    file = discord_server.upload("book.txt", b"text")
    discord_server.fail_next("GET", "/attachments", refused(404))
    async with running(TrialBot(), discord_server) as bot:
        discord_server.say(club.channel, club.ada, "here", attachments=[file])
        await bot.until(lambda: bot.heard)
        with pytest.raises(discord.NotFound):
            await bot.heard[0].attachments[0].read()
        assert await bot.heard[0].attachments[0].read() == b"text"


async def test_a_fault_that_is_never_met_fails_the_test() -> None:
    server = DiscordServer()
    with pytest.raises(AssertionError, match=r"1 faults for POST /channels/\{channel\}/messages"):
        async with server:
            server.fail_next("POST", _POST, broken())


async def test_a_fault_for_a_route_that_is_not_there_is_refused(discord_server: DiscordServer) -> None:
    with pytest.raises(AssertionError, match="no such route"):
        discord_server.fail_next("POST", "/channels/messages", broken())


async def test_every_answer_is_json_of_exactly_that_type_with_rate_limits(discord_server: DiscordServer) -> None:
    async with aiohttp.ClientSession() as session, session.get(f"{discord_server.api_base}/users/@me") as answer:
        assert answer.status == 401
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["X-RateLimit-Limit"] == "1000"
        assert {"X-RateLimit-Remaining", "X-RateLimit-Reset-After", "X-RateLimit-Bucket"} <= set(answer.headers)
