"""The real discord.py reads back what stands in a channel: history, files, layouts, and who wrote it."""

from datetime import UTC, datetime, timedelta

import discord
import pytest

from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import TrialBot, running


def _place(bot: TrialBot, club: Club) -> discord.TextChannel:
    channel = bot.get_channel(club.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_history_is_read_after_before_and_in_pages(discord_server: DiscordServer, club: Club) -> None:
    yesterday = datetime.now(UTC) - timedelta(days=1)
    old = discord_server.say(club.channel, club.ada, "old", at=yesterday)
    said = [discord_server.say(club.channel, club.ada, str(number)) for number in range(120)]
    async with running(TrialBot(), discord_server) as bot:
        place = _place(bot, club)
        after = [m.content async for m in place.history(after=discord.Object(old.id), limit=None)]
        before = [m.content async for m in place.history(before=discord.Object(said[2].id))]
        since = [m.content async for m in place.history(after=datetime.now(UTC) - timedelta(hours=1), limit=2)]
    assert after == [str(number) for number in range(120)]
    assert before == ["1", "0", "old"]
    assert since == ["0", "1"]


async def test_only_its_own_messages_are_edited_and_deleted(discord_server: DiscordServer, club: Club) -> None:
    asked = discord_server.say(club.channel, club.ada, "?")
    async with running(TrialBot(), discord_server) as bot:
        theirs = _place(bot, club).get_partial_message(asked.id)
        with pytest.raises(discord.Forbidden) as edited:
            await theirs.edit(content="!")
        with pytest.raises(discord.Forbidden) as deleted:
            await theirs.delete()
        own = await _place(bot, club).send("mine")
        await own.delete()
    assert (edited.value.code, deleted.value.code) == (50005, 50013)
    assert club.channel.texts == ["?"]


async def test_attachments_go_both_ways(discord_server: DiscordServer, club: Club) -> None:
    async def send_back(message: discord.Message) -> None:
        data = await message.attachments[0].read()
        await message.reply("back", file=await message.attachments[0].to_file(filename=f"{len(data)}.txt"))

    async with running(TrialBot(on=send_back), discord_server):
        file = discord_server.upload("book.txt", "Ünï".encode())
        asked = discord_server.say(club.channel, club.ada, "here", attachments=[file])
        answer = await discord_server.answer_to(asked)
    assert [(one.filename, one.data) for one in answer.attachments] == [("5.txt", "Ünï".encode())]


async def test_webhooks_and_bots_are_told_apart(discord_server: DiscordServer, club: Club) -> None:
    robot = discord_server.add_person("Robot", club.guild, is_bot=True)
    async with running(TrialBot(), discord_server) as bot:
        discord_server.say(club.channel, robot, "beep")
        discord_server.say(club.channel, discord_server.add_person("Hook"), "ring", as_webhook=True)
        await bot.until(lambda: len(bot.heard) == 2)
    assert [(message.author.bot, message.webhook_id is not None) for message in bot.heard] == [
        (True, False),
        (False, True),
    ]


async def test_a_spoiler_container_is_a_message_of_version_2(discord_server: DiscordServer, club: Club) -> None:
    view = discord.ui.LayoutView()
    text: discord.ui.TextDisplay[discord.ui.LayoutView] = discord.ui.TextDisplay("p. 240: she did it")
    view.add_item(discord.ui.Container(text, spoiler=True))
    async with running(TrialBot(), discord_server) as bot:
        await _place(bot, club).send(view=view)
        sent = (await discord_server.posted(club.channel))[0].components
        with pytest.raises(discord.HTTPException, match="IS_COMPONENTS_V2"):
            await bot.http.request(
                discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=club.channel.id),
                json={"content": "no", "components": sent, "flags": 1 << 15},
            )
    assert sent[0]["spoiler"]
    assert sent[0]["components"][0]["content"] == "p. 240: she did it"
