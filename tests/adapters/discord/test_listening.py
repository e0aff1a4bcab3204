"""When the bot speaks on Discord, and when it keeps still (ADR 22)."""

from collections.abc import Callable

import pytest

from adapters.platform.services import PlatformServices
from core.domain.thread import Thread
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.connection import Intent
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.platform import Draft
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel, ChannelKind, Message, MessageKind

Say = Callable[[DiscordServer, Club, Channel], Message]


@pytest.fixture
def answers() -> ScriptedAnswers:
    return ScriptedAnswers("To {asked}")


@pytest.fixture
def scripted(answers: ScriptedAnswers, services: PlatformServices) -> PlatformServices:
    return answers.instead_of(services, every_line=False)


def _opened_by_bot(server: DiscordServer, club: Club) -> Channel:
    return server.create_thread(club.channel, server.bot, "Its own")


def _opened_by_ada(server: DiscordServer, club: Club) -> Channel:
    return server.create_thread(club.channel, club.ada, "Hers")


def _private(server: DiscordServer, club: Club) -> Channel:
    return server.create_thread(club.channel, club.ada, "Secret", private=True, with_bot=True)


def _dm(server: DiscordServer, club: Club) -> Channel:
    return server.dm(club.ada)


def _plain(server: DiscordServer, club: Club, channel: Channel) -> Message:
    return server.say(channel, club.ada, "Who is it?")


def _mention(server: DiscordServer, club: Club, channel: Channel) -> Message:
    return server.say(channel, club.ada, f"{server.bot.mention} Who is it?")


def _role_mention(server: DiscordServer, club: Club, channel: Channel) -> Message:
    return server.say(channel, club.ada, f"<@&{club.guild.bot_role.id}> Who is it?")


def _reply(server: DiscordServer, club: Club, channel: Channel) -> Message:
    earlier = server.platform.post(channel, server.bot, Draft(content="An earlier answer"))
    return server.say(channel, club.ada, "Who is it?", reply_to=earlier, ping=False)


def _to_ben(server: DiscordServer, club: Club, channel: Channel) -> Message:
    return server.say(channel, club.ada, f"{club.ben.mention} Who is it?")


def _by_webhook(server: DiscordServer, club: Club, channel: Channel) -> Message:
    return server.say(channel, club.ada, f"{server.bot.mention} Who is it?", as_webhook=True)


def _by_other_bot(server: DiscordServer, club: Club, channel: Channel) -> Message:
    other = server.add_person("Robot", club.guild, is_bot=True)
    return server.say(channel, other, f"{server.bot.mention} Who is it?")


def _pinned(server: DiscordServer, club: Club, channel: Channel) -> Message:
    return server.say(channel, club.ada, "", kind=MessageKind.PINNED)


@pytest.mark.parametrize(
    ("place", "say"),
    [
        (_opened_by_bot, _plain),
        (_opened_by_bot, _mention),
        (_opened_by_ada, _mention),
        (_opened_by_ada, _role_mention),
        (_opened_by_ada, _reply),
        (_private, _mention),
        (_dm, _plain),
    ],
)
async def test_it_answers(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    answers: ScriptedAnswers,
    scripted: PlatformServices,
    place: Callable[[DiscordServer, Club], Channel],
    say: Say,
) -> None:
    channel = place(discord_server, club)
    async with running(services=scripted):
        asked = say(discord_server, club, channel)
        answer = await discord_server.answer_to(asked)
    assert answer.content.startswith("To Who is it?")
    assert [message.text for message in answers.asked] == ["Who is it?"]


@pytest.mark.parametrize(
    ("place", "say"),
    [
        (_opened_by_bot, _to_ben),
        (_opened_by_bot, _by_webhook),
        (_opened_by_bot, _by_other_bot),
        (_opened_by_bot, _pinned),
        (_opened_by_ada, _plain),
        (lambda _, club: club.channel, _plain),
        (lambda _, club: club.channel, _by_other_bot),
    ],
)
async def test_it_keeps_still(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    answers: ScriptedAnswers,
    scripted: PlatformServices,
    place: Callable[[DiscordServer, Club], Channel],
    say: Say,
) -> None:
    channel = place(discord_server, club)
    async with running(services=scripted) as client:
        say(discord_server, club, channel)
        # What is said after it in the same place is answered, so that silence before it was meant.
        last = discord_server.say(channel, club.ben, f"{discord_server.bot.mention} And now?")
        await discord_server.wait_for(
            lambda: "To And now?" in str([m.content for c in _all(discord_server) for m in c])
        )
        await client.intake.settled()
    assert [message.ref for message in answers.asked] == [f"discord:{channel.id}:{last.id}"]


def _all(server: DiscordServer) -> list[list[Message]]:
    return [channel.history for channel in server.platform.channels.values()]


async def test_a_forum_post_is_a_thread_of_its_forum(
    discord_server: DiscordServer, club: Club, running: Running, answers: ScriptedAnswers, scripted: PlatformServices
) -> None:
    forum = discord_server.add_channel(club.guild, "forum", kind=ChannelKind.FORUM)
    async with running(services=scripted):
        post = discord_server.create_post(forum, club.ada, "Chapter 1", f"{discord_server.bot.mention} Who is it?")
        answer = await discord_server.answer_to(post)
    assert answer.channel is post.channel
    assert answers.asked[0].thread == Thread(
        scope=f"discord:{club.guild.id}", place=str(forum.id), thread=str(post.channel.id)
    )


async def test_an_archived_thread_comes_back_with_the_post(
    discord_server: DiscordServer, club: Club, running: Running, answers: ScriptedAnswers, scripted: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Old")
    discord_server.archive(thread)
    async with running(services=scripted):
        asked = discord_server.say(thread, club.ada, "Who is it?")
        answer = await discord_server.answer_to(asked)
    assert answer.content.startswith("To Who is it?")
    assert not thread.archived


async def test_a_locked_thread_gets_silence_and_one_line_in_the_log(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    answers: ScriptedAnswers,
    scripted: PlatformServices,
    caplog: pytest.LogCaptureFixture,
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Closed")
    async with running(services=scripted) as client:
        thread.locked = True
        discord_server.platform.tell_thread("THREAD_UPDATE", thread)
        for _ in range(2):
            discord_server.say(thread, club.organiser, "Who is it?")
        marked = discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} Here?")
        await discord_server.wait_for(lambda: marked.thread and discord_server.by_bot(marked.thread))
        await client.intake.settled()
    assert discord_server.by_bot(thread) == []
    assert [message.text for message in answers.asked] == ["Here?"]
    assert len([one for one in caplog.records if "is locked" in one.getMessage()]) == 1


@pytest.mark.parametrize("listed", ["guild", "channel"])
async def test_only_where_the_operator_lets_it(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    answers: ScriptedAnswers,
    scripted: PlatformServices,
    listed: str,
) -> None:
    other = discord_server.add_club("Other") if listed == "guild" else club
    elsewhere = other.channel if listed == "guild" else discord_server.add_channel(club.guild, "off-topic")
    lists = {"allowed_guilds": frozenset({club.guild.id})}
    if listed == "channel":
        lists = {"allowed_channels": frozenset({club.channel.id})}
    async with running(services=scripted, **lists) as client:
        discord_server.say(elsewhere, other.ada, f"{discord_server.bot.mention} Who is it?")
        asked = discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} Who is it?")
        await discord_server.wait_for(lambda: asked.thread and discord_server.by_bot(asked.thread))
        in_thread = discord_server.say(asked.thread, club.ben, "And then?")  # type: ignore[arg-type]
        await discord_server.answer_to(in_thread)
        await client.intake.settled()
    assert [message.ref for message in answers.asked] == [
        f"discord:{club.channel.id}:{asked.id}",
        f"discord:{asked.id}:{in_thread.id}",
    ]


async def test_without_message_content_mentions_and_dms_are_heard(
    discord_server: DiscordServer, club: Club, running: Running, answers: ScriptedAnswers, scripted: PlatformServices
) -> None:
    discord_server.gateway.allowed = Intent(0)
    thread = _opened_by_bot(discord_server, club)
    async with running(services=scripted, message_content=False) as client:
        discord_server.say(thread, club.ada, "Nobody hears this")
        asked = discord_server.say(thread, club.ada, f"{discord_server.bot.mention} Who is it?")
        await discord_server.answer_to(asked)
        direct = discord_server.say(discord_server.dm(club.ada), club.ada, "And here?")
        await discord_server.answer_to(direct)
        await client.intake.settled()
    assert [message.text for message in answers.asked] == ["Who is it?", "And here?"]
    assert (
        discord_server.gateway.identifies[0]["intents"]
        == Intent.GUILDS | Intent.GUILD_MESSAGES | Intent.DIRECT_MESSAGES
    )


async def test_it_asks_for_few_intents(discord_server: DiscordServer, club: Club, running: Running) -> None:
    async with running():
        pass
    assert discord_server.gateway.identifies[0]["intents"] == (
        Intent.GUILDS | Intent.GUILD_MESSAGES | Intent.DIRECT_MESSAGES | Intent.MESSAGE_CONTENT
    )
