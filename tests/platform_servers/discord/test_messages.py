"""The real discord.py posts, edits and reacts, and is refused what Discord refuses."""

from datetime import UTC, datetime, timedelta

import discord
import pytest

from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import BOT_RIGHTS, Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import TrialBot, running
from tests.platform_servers.discord.world import MessageKind


def _place(bot: TrialBot, club: Club) -> discord.TextChannel:
    channel = bot.get_channel(club.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_reply_with_a_reaction_and_typing(discord_server: DiscordServer, club: Club) -> None:
    async def answer(message: discord.Message) -> None:
        await message.add_reaction("👀")
        async with message.channel.typing():
            reply = await message.reply("Hello, Ada", mention_author=False)
        await reply.edit(content="Hello again")
        assert bot.user is not None
        await message.remove_reaction("👀", bot.user)

    async with running(TrialBot(on=answer), discord_server) as bot:
        asked = discord_server.say(club.channel, club.ada, "hello")
        await discord_server.wait_for(lambda: asked.reactions)
        reply = await discord_server.answer_to(asked)
        await discord_server.wait_for(lambda: reply.is_edited and not asked.reactions)
    assert reply.contents == ["Hello, Ada", "Hello again"]
    assert reply.pings == set()
    assert discord_server.platform.typing == [club.channel]
    assert bot.heard[0].created_at - datetime.now(UTC) < timedelta(seconds=60)


async def test_the_client_hears_edits_deletions_reactions_and_link_previews(
    discord_server: DiscordServer, club: Club
) -> None:
    async with running(TrialBot(), discord_server) as bot:
        said = discord_server.say(club.channel, club.ada, "see https://example.org")
        discord_server.edit(said, "see there")
        discord_server.unfurl(said)
        discord_server.react(said, club.ben, "👍")
        discord_server.unreact(said, club.ben, "👍")
        discord_server.delete(said)
        await bot.until(lambda: "raw_message_delete" in bot.events)
    raw = [event for event in bot.events if event.startswith("raw_")]
    assert raw == [
        "raw_message_edit",
        "raw_message_edit",
        "raw_reaction_add",
        "raw_reaction_remove",
        "raw_message_delete",
    ]
    assert said.contents[0].startswith("see https")


async def test_the_same_nonce_gives_the_same_message(discord_server: DiscordServer, club: Club) -> None:
    async with running(TrialBot(), discord_server) as bot:
        first = await _place(bot, club).send("one", nonce="abc")
        second = await _place(bot, club).send("one", nonce="abc")
        third = await _place(bot, club).send("one", nonce="other")
    assert first.id == second.id != third.id
    assert club.channel.texts == ["one", "one"]
    assert len(discord_server.calls_of("POST", "/channels/{channel}/messages")) == 3


@pytest.mark.parametrize(
    ("text", "code"), [("x" * 2001, 50035), ("", 50006), (" \n ", 50006)], ids=["long", "empty", "blank"]
)
async def test_a_text_that_discord_refuses(discord_server: DiscordServer, club: Club, text: str, code: int) -> None:
    async with running(TrialBot(), discord_server) as bot:
        with pytest.raises(discord.HTTPException) as refused:
            await _place(bot, club).send(text)
    assert (refused.value.status, refused.value.code) == (400, code)
    assert club.channel.texts == []


async def test_a_nonce_of_26_characters_is_refused(discord_server: DiscordServer, club: Club) -> None:
    async with running(TrialBot(), discord_server) as bot:
        with pytest.raises(discord.HTTPException, match="25 or fewer"):
            await _place(bot, club).send("one", nonce="x" * 26)
        await _place(bot, club).send("x" * 2000, nonce="x" * 25)
    assert len(club.channel.messages) == 1


@pytest.mark.parametrize(
    ("allowed", "pinged"),
    [
        (None, {"everyone", "ada", "ben"}),
        (discord.AllowedMentions.none(), set()),
        (discord.AllowedMentions(everyone=False, roles=False, users=False, replied_user=True), {"ben"}),
        (discord.AllowedMentions(everyone=False, roles=False, users=True, replied_user=False), {"ada"}),
    ],
)
async def test_whom_a_message_pings(
    discord_server: DiscordServer, club: Club, allowed: discord.AllowedMentions | None, pinged: set[str]
) -> None:
    asked = discord_server.say(club.channel, club.ben, "?")
    async with running(TrialBot(), discord_server) as bot:
        target = _place(bot, club).get_partial_message(asked.id)
        text = f"@everyone {club.ada.mention}"
        if allowed is None:
            await target.reply(text)
        else:
            await target.reply(text, allowed_mentions=allowed)
    names = {club.ada.id: "ada", club.ben.id: "ben"}
    assert {
        names.get(one, one) if isinstance(one, int) else one for one in discord_server.replies_to(asked)[0].pings
    } == pinged


@pytest.mark.parametrize(
    ("text", "suppress", "unfurls"),
    [
        ("https://example.org", False, True),
        ("https://example.org", True, False),
        ("<https://example.org>", False, False),
        ("none", False, False),
    ],
)
async def test_whether_a_link_is_unfurled(
    discord_server: DiscordServer, club: Club, text: str, suppress: bool, unfurls: bool
) -> None:
    async with running(TrialBot(), discord_server) as bot:
        await _place(bot, club).send(text, suppress_embeds=suppress)
    assert (await discord_server.posted(club.channel))[0].unfurls is unfurls


async def test_a_reply_to_what_is_gone_is_refused(discord_server: DiscordServer, club: Club) -> None:
    asked = discord_server.say(club.channel, club.ada, "?")
    joined = discord_server.say(club.channel, club.ben, "", kind=MessageKind.JOINED)
    discord_server.delete(asked)
    async with running(TrialBot(), discord_server) as bot:
        for message in (asked, joined):
            with pytest.raises(discord.HTTPException) as refused:
                await _place(bot, club).get_partial_message(message.id).reply("!")
            assert refused.value.code == 50035
        with pytest.raises(discord.NotFound) as gone:
            await _place(bot, club).fetch_message(asked.id)
    assert gone.value.code == 10008


@pytest.mark.parametrize(
    ("missing", "code"),
    [
        (Right.SEND_MESSAGES, 50013),
        (Right.READ_MESSAGE_HISTORY, 160002),
        (Right.VIEW_CHANNEL, 50001),
    ],
)
async def test_a_reply_needs_its_rights(discord_server: DiscordServer, club: Club, missing: Right, code: int) -> None:
    asked = discord_server.say(club.channel, club.ada, "?")
    async with running(TrialBot(), discord_server) as bot:
        place = _place(bot, club)
        discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~missing)
        with pytest.raises(discord.Forbidden) as refused:
            await place.get_partial_message(asked.id).reply("!")
    assert refused.value.code == code
    assert discord_server.rest.invalid_calls == 1


async def test_reactions_end_at_twenty_kinds_and_need_a_right(discord_server: DiscordServer, club: Club) -> None:
    asked = discord_server.say(club.channel, club.ada, "?")
    for number in range(20):
        discord_server.react(asked, club.ben, chr(0x1F600 + number))
    async with running(TrialBot(), discord_server) as bot:
        message = _place(bot, club).get_partial_message(asked.id)
        with pytest.raises(discord.HTTPException) as full:
            await message.add_reaction("👀")
        with pytest.raises(discord.HTTPException) as unknown:
            await message.add_reaction("eyes")
        discord_server.deny(club.channel, Right.ADD_REACTIONS)
        await message.add_reaction(chr(0x1F600))
        discord_server.unreact(asked, club.ben, chr(0x1F601))
        with pytest.raises(discord.Forbidden) as forbidden:
            await message.add_reaction("👀")
    assert (full.value.code, unknown.value.code, forbidden.value.code) == (30010, 10014, 50013)
    assert asked.reactions[chr(0x1F600)] == [club.ben.id, discord_server.bot.id]
