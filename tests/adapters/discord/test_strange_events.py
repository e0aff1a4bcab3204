"""Malformed gateway events: no handler breaks, the session goes on, and the next question is answered."""

import pytest

from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.adapters.strange import strange_versions
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import ChannelKind, MessageKind

_TOKENS = frozenset({"token"})
"""The keys by which the loopback server finds an interaction."""


async def _strange(server: DiscordServer, seen: int, *, every: int) -> None:
    """Send every event since `seen` again, each time with another part missing or wrong."""
    (session,) = server.gateway.sessions.values()
    for _, event, payload in session.events[seen:]:
        for path, changed in strange_versions(payload, spared=_TOKENS, every=every):
            if isinstance(changed, dict) and path != ("id",) and "id" in changed:
                changed["id"] = str(server.platform.snowflakes.now())
            server.gateway.send_raw(event, changed)


async def test_no_missing_or_wrong_part_of_an_event_breaks_a_handler(
    discord_server: DiscordServer,
    club: Club,
    settling: Running,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server, answers = discord_server, ScriptedAnswers("To {asked}")
    thread = server.create_thread(club.channel, server.bot, "Ours")
    forum = server.add_channel(club.guild, "Posts", kind=ChannelKind.FORUM)
    voice = server.add_channel(club.guild, "Lounge", kind=ChannelKind.VOICE)
    async with settling(answers) as client:
        (session,) = server.gateway.sessions.values()
        seen = len(session.events)
        first = server.say(thread, club.ada, f"{server.bot.mention} Who? <#{thread.id}> <@&{club.guild.id}>")
        await server.answer_to(first)
        server.say(thread, club.ben, "And then?", reply_to=server.by_bot(thread)[0])
        server.say(server.dm(club.ada), club.ada, "Who, in a DM?")
        server.say(voice, club.ben, f"{server.bot.mention} Who?")
        server.say(thread, club.ada, "", kind=MessageKind.THREAD_STARTER)
        server.create_post(forum, club.ada, "A post", "Who?")
        server.edit(first, f"{server.bot.mention} Who else?")
        server.slash("where", user=club.ada, channel=thread)
        server.autocomplete("setpage", {"to": "1"}, focused="to", user=club.ada, channel=thread)
        server.delete(server.say(thread, club.ben, "Oh"))
        server.delete_thread(server.create_thread(club.channel, club.ada, "Gone"))
        await client.intake.settled()
        await _strange(server, seen, every=43)
        other = server.create_thread(club.channel, server.bot, "Other")
        await server.answer_to(server.say(other, club.ada, "Still there?"))
    assert len(server.gateway.identifies) == 1
    # discord.py's command tree logs choices that came too late, as all of these do.
    broken = [one.getMessage() for one in caplog.records if one.exc_info and one.name != "discord.app_commands.tree"]
    assert broken == []


async def test_a_channel_of_an_unknown_server_is_not_a_direct_message(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with running(answers, allowed_guilds=frozenset({1})) as client:
        client._connection._guilds.pop(club.guild.id)
        discord_server.mention(club.channel, club.ada, "Who?")
        await discord_server.answer_to(discord_server.say(discord_server.dm(club.ada), club.ada, "In a DM?"))
    assert [one.thread.scope for one in answers.asked] == [f"discord:dm:{club.ada.id}"]
