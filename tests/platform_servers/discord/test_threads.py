"""The real discord.py opens threads and writes in them: public, private, archived, locked and in forums."""

import discord
import pytest

from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import BOT_RIGHTS, Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import TrialBot, running
from tests.platform_servers.discord.world import ChannelKind, MessageKind


async def test_a_thread_at_a_message_has_its_id_and_begins_with_it(discord_server: DiscordServer, club: Club) -> None:
    async def open_thread(message: discord.Message) -> None:
        if message.type is discord.MessageType.default and message.guild and not message.flags.has_thread:
            thread = await message.create_thread(name="Chapter 1", auto_archive_duration=1440)
            await thread.send("Welcome")

    async with running(TrialBot(on=open_thread), discord_server):
        asked = discord_server.say(club.channel, club.ada, "shall we?")
        await discord_server.wait_for(lambda: asked.thread and discord_server.by_bot(asked.thread))
    assert asked.thread is not None
    assert asked.thread.id == asked.id
    assert asked.thread.name == "Chapter 1"
    assert [one.kind for one in asked.thread.history] == [MessageKind.THREAD_STARTER, MessageKind.DEFAULT]


async def test_a_second_thread_at_a_message_is_refused(discord_server: DiscordServer, club: Club) -> None:
    asked = discord_server.say(club.channel, club.ada, "?")
    discord_server.create_thread(club.channel, club.ada, "Hers", starter=asked)
    other = discord_server.say(club.channel, club.ada, "?")
    async with running(TrialBot(), discord_server) as bot:
        place = bot.get_channel(club.channel.id)
        assert isinstance(place, discord.TextChannel)
        with pytest.raises(discord.HTTPException) as second:
            await place.get_partial_message(asked.id).create_thread(name="Mine")
        with pytest.raises(discord.HTTPException) as long:
            await place.get_partial_message(other.id).create_thread(name="x" * 101)
        discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~Right.CREATE_PUBLIC_THREADS)
        with pytest.raises(discord.Forbidden) as forbidden:
            await place.get_partial_message(other.id).create_thread(name="Mine")
    assert (second.value.code, long.value.code, forbidden.value.code) == (160004, 50035, 50013)


async def test_threads_are_opened_in_channels_and_forums(discord_server: DiscordServer, club: Club) -> None:
    forum_place = discord_server.add_channel(club.guild, "forum", kind=ChannelKind.FORUM)
    async with running(TrialBot(), discord_server) as bot:
        place, forum = bot.get_channel(club.channel.id), bot.get_channel(forum_place.id)
        assert isinstance(place, discord.TextChannel)
        assert isinstance(forum, discord.ForumChannel)
        thread = await place.create_thread(name="Loose", type=discord.ChannelType.public_thread)
        post = await forum.create_thread(name="Post", content="First words")
        with pytest.raises(discord.Forbidden):
            await place.create_thread(name="Hidden", type=discord.ChannelType.private_thread)
        discord_server.create_post(forum_place, club.ada, "Her post", "Her words")
        await bot.until(lambda: bot.heard)
        assert isinstance(bot.heard[0].channel, discord.Thread)
        assert bot.heard[0].id == bot.heard[0].channel.id
    assert thread.parent_id == club.channel.id
    assert discord_server.platform.channels[post.thread.id].texts == ["First words"]


async def test_an_archived_thread_takes_a_post_and_nothing_else(discord_server: DiscordServer, club: Club) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Old")
    said = discord_server.say(thread, club.ada, "long ago")
    discord_server.archive(thread)
    async with running(TrialBot(), discord_server) as bot:
        assert bot.get_channel(thread.id) is None
        place = await bot.fetch_channel(thread.id)
        assert isinstance(place, discord.Thread)
        with pytest.raises(discord.HTTPException) as refused:
            await place.get_partial_message(said.id).add_reaction("👀")
        await place.send("back")
    assert refused.value.code == 50083
    assert not thread.archived


async def test_a_locked_thread_takes_nothing(discord_server: DiscordServer, club: Club) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Closed")
    async with running(TrialBot(), discord_server) as bot:
        place = bot.get_channel(thread.id)
        assert isinstance(place, discord.Thread)
        discord_server.lock(thread)
        await bot.until(lambda: "thread_update" in bot.events)
        assert place.locked
        with pytest.raises(discord.HTTPException) as refused:
            await place.send("anyone?")
    assert refused.value.code == 50083
    assert thread.texts == []


async def test_only_a_moderator_locks_and_the_opener_archives(discord_server: DiscordServer, club: Club) -> None:
    theirs = discord_server.create_thread(club.channel, club.ada, "Hers")
    async with running(TrialBot(), discord_server) as bot:
        place, other = bot.get_channel(club.channel.id), bot.get_channel(theirs.id)
        assert isinstance(place, discord.TextChannel)
        assert isinstance(other, discord.Thread)
        own = await place.create_thread(name="Own", type=discord.ChannelType.public_thread)
        with pytest.raises(discord.Forbidden):
            await other.edit(archived=True)
        with pytest.raises(discord.Forbidden):
            await own.edit(locked=True)
        await own.edit(archived=True)
        archived = [thread.id async for thread in place.archived_threads()]
        guild = bot.get_guild(club.guild.id)
        assert guild is not None
        active = [thread.id for thread in await guild.active_threads()]
    assert (archived, active) == ([own.id], [theirs.id])


async def test_the_rights_of_a_thread_are_its_own(discord_server: DiscordServer, club: Club) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Here")
    discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~Right.SEND_MESSAGES)
    async with running(TrialBot(), discord_server) as bot:
        place = bot.get_channel(thread.id)
        assert isinstance(place, discord.Thread)
        await place.send("here I may")
        discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~Right.SEND_MESSAGES_IN_THREADS)
        with pytest.raises(discord.Forbidden):
            await place.send("and now not")
    assert thread.texts == ["here I may"]


async def test_a_deleted_thread_is_gone(discord_server: DiscordServer, club: Club) -> None:
    thread = discord_server.create_thread(club.channel, club.ada, "Gone")
    async with running(TrialBot(), discord_server) as bot:
        discord_server.delete_thread(thread)
        await bot.until(lambda: "thread_delete" in bot.events)
        with pytest.raises(discord.NotFound) as gone:
            await bot.fetch_channel(thread.id)
    assert gone.value.code == 10003
