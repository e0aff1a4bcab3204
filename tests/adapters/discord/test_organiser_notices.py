"""Notices to organisers: private, and once, when they use a command."""

from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import Running
from tests.platform_servers.discord.connection import Intent
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import BOT_RIGHTS, Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Person


async def _told(server: DiscordServer, club: Club, user: Person, *, count: int) -> list[str]:
    """Use a command, wait for `count` messages, and return their texts."""
    used = server.slash("where", user=user, channel=club.channel)
    await server.wait_for(lambda: len(used.messages) >= count)
    assert all(message.is_ephemeral for message in used.messages)
    return [message.content for message in used.messages]


async def test_missing_rights_are_reported_once_and_only_to_an_organiser(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~Right.CREATE_PUBLIC_THREADS)
    async with running(ScriptedAnswers()):
        asked = discord_server.mention(club.channel, club.ada, "Who?")
        await discord_server.answer_to(asked)
        assert "threads" not in " ".join(await _told(discord_server, club, club.ada, count=1))
        _, note = await _told(discord_server, club, club.organiser, count=2)
        assert note.startswith(f"I can't open threads in <#{club.channel.id}>. I need Create Public Threads")
        again = await _told(discord_server, club, club.organiser, count=1)
    assert "threads" not in " ".join(again)


async def test_a_missing_intent_is_reported_too(discord_server: DiscordServer, club: Club, running: Running) -> None:
    discord_server.gateway.allowed = Intent(0)
    async with running(message_content=False):
        _, note = await _told(discord_server, club, club.organiser, count=2)
    assert "Message Content intent is off" in note
