"""When the bot answers on Discord, and when it stays silent (ADR 49)."""

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


def _in_channel(_: DiscordServer, club: Club) -> Channel:
    return club.channel


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


async def test_it_answers(
    discord_server: DiscordServer, club: Club, running: Running, answers: ScriptedAnswers, scripted: PlatformServices
) -> None:
    spoken = [
        (_opened_by_bot, _plain),
        (_opened_by_bot, _mention),
        (_opened_by_ada, _mention),
        (_opened_by_ada, _role_mention),
        (_opened_by_ada, _reply),
        (_private, _mention),
        (_dm, _plain),
    ]
    async with running(services=scripted):
        for place, say in spoken:
            asked = say(discord_server, club, place(discord_server, club))
            assert (await discord_server.answer_to(asked)).content.startswith("To Who is it?")
    assert answers.texts == ["Who is it?"] * len(spoken)


async def test_it_stays_silent(
    discord_server: DiscordServer, club: Club, running: Running, answers: ScriptedAnswers, scripted: PlatformServices
) -> None:
    ignored = [
        (_opened_by_bot, _to_ben),
        (_opened_by_bot, _by_webhook),
        (_opened_by_bot, _by_other_bot),
        (_opened_by_bot, _pinned),
        (_opened_by_ada, _plain),
        (_in_channel, _plain),
        (_in_channel, _by_other_bot),
    ]
    async with running(services=scripted) as client:
        for number, (place, say) in enumerate(ignored, start=1):
            channel = place(discord_server, club)
            say(discord_server, club, channel)
            # A later message in the same place is answered, so the silence before it was intended.
            last = discord_server.mention(channel, club.ben, "Who lit the lamp?")
            await answers.was_asked(number)
            await client.intake.settled()
            assert len(answers.asked) == number
            assert answers.asked[-1].ref == f"discord:{channel.id}:{last.id}"


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


async def test_a_locked_thread_gets_silence_and_one_line_in_the_log(
    discord_server: DiscordServer,
    club: Club,
    settling: Running,
    answers: ScriptedAnswers,
    scripted: PlatformServices,
    caplog: pytest.LogCaptureFixture,
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Closed")
    async with settling(services=scripted):
        thread.locked = True
        discord_server.platform.tell_thread("THREAD_UPDATE", thread)
        for _ in range(2):
            discord_server.say(thread, club.organiser, "Who is it?")
        marked = discord_server.mention(club.channel, club.ada, "Who lit the lamp?")
        await discord_server.wait_for(lambda: marked.thread and discord_server.by_bot(marked.thread))
    assert discord_server.by_bot(thread) == []
    assert answers.texts == ["Who lit the lamp?"]
    assert len([one for one in caplog.records if "is locked" in one.getMessage()]) == 1


@pytest.mark.parametrize("listed", ["guild", "channel"])
async def test_it_answers_only_where_the_operator_allows_it(
    discord_server: DiscordServer,
    club: Club,
    settling: Running,
    answers: ScriptedAnswers,
    scripted: PlatformServices,
    listed: str,
) -> None:
    other = discord_server.add_club("Other") if listed == "guild" else club
    elsewhere = other.channel if listed == "guild" else discord_server.add_channel(club.guild, "off-topic")
    lists = {"allowed_guilds": frozenset({club.guild.id})}
    if listed == "channel":
        lists = {"allowed_channels": frozenset({club.channel.id})}
    async with settling(services=scripted, **lists):
        discord_server.mention(elsewhere, other.ada, "Who is it?")
        asked = discord_server.mention(club.channel, club.ada, "Who is it?")
        await discord_server.wait_for(lambda: asked.thread and discord_server.by_bot(asked.thread))
        in_thread = discord_server.say(asked.thread, club.ben, "And then?")  # type: ignore[arg-type]
        await discord_server.answer_to(in_thread)
    assert [message.ref for message in answers.asked] == [
        f"discord:{club.channel.id}:{asked.id}",
        f"discord:{asked.id}:{in_thread.id}",
    ]


async def test_without_message_content_mentions_and_dms_are_heard(
    discord_server: DiscordServer, club: Club, settling: Running, answers: ScriptedAnswers, scripted: PlatformServices
) -> None:
    discord_server.gateway.allowed = Intent(0)
    thread = _opened_by_bot(discord_server, club)
    async with settling(services=scripted, message_content=False):
        discord_server.say(thread, club.ada, "Nobody hears this")
        asked = discord_server.mention(thread, club.ada, "Who is it?")
        await discord_server.answer_to(asked)
        direct = discord_server.say(discord_server.dm(club.ada), club.ada, "And here?")
        await discord_server.answer_to(direct)
    assert answers.texts == ["Who is it?", "And here?"]
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
