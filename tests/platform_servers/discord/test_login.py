"""The real discord.py logs in, and sees of the loopback Discord what its intents and rights let it see."""

import asyncio
from contextlib import suppress

import discord
import pytest

from tests.patience import PATIENCE_S
from tests.platform_servers.discord.connection import Intent
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.pointing import dialled, pointed_at
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import INTENTS, TrialBot, running
from tests.platform_servers.discord.world import ChannelKind


async def test_the_client_logs_in_and_knows_its_guilds(discord_server: DiscordServer, club: Club) -> None:
    forum = discord_server.add_channel(club.guild, "forum", kind=ChannelKind.FORUM)
    thread = discord_server.create_thread(club.channel, club.ada, "Chapter 1")
    async with running(TrialBot(), discord_server) as bot:
        guild = bot.get_guild(club.guild.id)
        assert guild is not None
        assert bot.user is not None
        assert bot.user.id == discord_server.bot.id
        assert {channel.id for channel in guild.channels} == {club.channel.id, forum.id}
        assert [one.id for one in guild.threads] == [thread.id]
        assert guild.me.guild_permissions.add_reactions
        assert bot.application_flags.gateway_message_content
        assert discord_server.gateway.identifies[0]["intents"] == INTENTS.value


async def test_the_bot_is_told_of_a_guild_a_channel_and_rights_that_come_later(discord_server: DiscordServer) -> None:
    async with running(TrialBot(), discord_server) as bot:
        club = discord_server.add_club()
        await bot.until(lambda: "guild_join" in bot.events)
        await bot.until(lambda: bot.get_channel(club.channel.id))
        discord_server.set_bot_rights(club.guild, Right.VIEW_CHANNEL)
        await bot.until(lambda: "guild_role_update" in bot.events)
        guild = bot.get_guild(club.guild.id)
        assert guild is not None
        assert not guild.me.guild_permissions.add_reactions
        discord_server.remove_guild(club.guild)
        await bot.until(lambda: "guild_remove" in bot.events)


async def test_a_channel_that_the_bot_may_not_see_is_not_there(discord_server: DiscordServer, club: Club) -> None:
    hidden = discord_server.add_channel(club.guild, "hidden")
    discord_server.deny(hidden, Right.VIEW_CHANNEL)
    secret = discord_server.create_thread(club.channel, club.ada, "Secret", private=True)
    async with running(TrialBot(), discord_server) as bot:
        assert bot.get_channel(hidden.id) is None
        assert bot.get_channel(secret.id) is None
        with pytest.raises(discord.Forbidden) as refused:
            await bot.fetch_channel(hidden.id)
        discord_server.say(secret, club.ada, "psst")
        discord_server.add_bot_to(secret)
        discord_server.say(secret, club.ada, "hello")
        await bot.until(lambda: bot.heard)
    assert refused.value.code == 50001
    assert [message.content for message in bot.heard] == ["hello"]


async def test_a_wrong_token_is_told_at_login(discord_server: DiscordServer) -> None:
    bot = TrialBot()
    with pytest.raises(discord.LoginFailure):
        await bot.start("of.somebody.else")
    await bot.close()
    assert discord_server.calls[0].status == 401


async def test_an_intent_that_is_not_granted_closes_with_4014() -> None:
    async with DiscordServer(privileged=Intent.GUILD_MEMBERS) as server, asyncio.timeout(PATIENCE_S):
        with pointed_at(server), pytest.raises(discord.PrivilegedIntentsRequired):
            async with running(TrialBot(), server):
                pass
        assert server.gateway.closed_with == [4014]


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013])
async def test_any_close_code_at_identify_reaches_the_client(discord_server: DiscordServer, code: int) -> None:
    discord_server.gateway.close_at_identify(code)
    with pytest.raises(discord.ConnectionClosed) as closed:
        async with running(TrialBot(), discord_server):
            pass
    assert closed.value.code == code


async def test_without_message_content_only_some_texts_are_shown(discord_server: DiscordServer, club: Club) -> None:
    intents = discord.Intents(guilds=True, messages=True)
    async with running(TrialBot(intents=intents), discord_server) as bot:
        discord_server.say(club.channel, club.ada, "for the others")
        discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} for the bot")
        discord_server.say(discord_server.dm(club.ada), club.ada, "between us")
        await bot.until(lambda: len(bot.heard) == 3)
    assert [message.content for message in bot.heard] == [
        "",
        f"{discord_server.bot.mention} for the bot",
        "between us",
    ]
    assert [bot.user in message.mentions for message in bot.heard] == [False, True, False]
    assert isinstance(bot.heard[2].channel, discord.DMChannel)


async def test_events_that_no_intent_asked_for_do_not_come(discord_server: DiscordServer, club: Club) -> None:
    intents = discord.Intents(guilds=True, dm_messages=True)
    async with running(TrialBot(intents=intents), discord_server) as bot:
        discord_server.say(club.channel, club.ada, "in the guild")
        discord_server.say(discord_server.dm(club.ada), club.ada, "in the DM")
        await bot.until(lambda: bot.heard)
    assert [message.content for message in bot.heard] == ["in the DM"]


async def test_no_other_host_is_dialled(discord_server: DiscordServer, club: Club) -> None:
    async def answer(message: discord.Message) -> None:
        await message.attachments[0].read()
        await message.reply("read")

    with dialled() as hosts:
        async with running(TrialBot(on=answer), discord_server):
            file = discord_server.upload("book.txt", b"text")
            await discord_server.answer_to(discord_server.say(club.channel, club.ada, "read this", attachments=[file]))
            discord_server.gateway.abort()
            await discord_server.wait_for(lambda: discord_server.gateway.resumes)
    assert hosts == {"127.0.0.1"}


async def test_a_dialled_name_is_noticed_even_though_it_is_refused() -> None:
    with dialled() as hosts, pytest.raises(OSError, match=r".*"):
        await asyncio.get_running_loop().getaddrinfo("nowhere.invalid", 443)
    assert hosts == {"nowhere.invalid"}


async def test_an_unknown_route_fails_the_test() -> None:
    async def ask_for_emojis() -> None:
        async with DiscordServer() as server:
            with pointed_at(server):
                async with running(TrialBot(), server) as bot:
                    with suppress(discord.NotFound):
                        await bot.http.get_all_custom_emojis(1)

    with pytest.raises(AssertionError, match="unknown route GET /guilds/1/emojis"):
        await ask_for_emojis()


async def test_pointing_away_is_undone(discord_server: DiscordServer) -> None:
    before = str(discord.http.Route.BASE)
    assert before == discord_server.api_base
    async with DiscordServer() as other:
        with pointed_at(other):
            assert other.api_base == discord.http.Route.BASE
    assert before == discord.http.Route.BASE
