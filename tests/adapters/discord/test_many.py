"""Concurrency: threads in parallel, one thread in order, servers isolated from each other."""

from bot.wiring import Application
from tests.adapters.discord.conftest import ReadBook, Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.pointing import dialled
from tests.platform_servers.discord.server import DiscordServer


async def test_two_servers_are_isolated(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    other = discord_server.add_club("Other")
    await read_book()
    await read_book(other.channel, text="The comet of Tranter stood over the lamp of the harbour.", page="1")
    third = discord_server.add_club("Third")
    async with running():
        asked = [discord_server.mention(one.channel, one.ada, "What of the lamp?") for one in (club, other, third)]
        await discord_server.wait_for(lambda: all(discord_server.by_bot(one.thread or one.channel) for one in asked))
    first, second, nothing = [discord_server.by_bot(one.thread or one.channel)[0].content for one in asked]
    assert asked[2].thread is None
    assert "Marrable" in first
    assert "Tranter" not in first
    assert "Tranter" in second
    assert "Marrable" not in second
    assert "There's no book here yet" in nothing
    scopes = [f"discord:{one.guild.id}" for one in (club, other, third)]
    assert [len(await house.library.in_scope(scope=scope)) for scope in scopes] == [1, 1, 0]


async def test_no_other_host_is_dialled(
    discord_server: DiscordServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    with dialled() as hosts:
        async with settling(gateway_url=None):
            asked = discord_server.mention(club.channel, club.ada, "Who lit the lamp?")
            await discord_server.wait_for(lambda: asked.thread and discord_server.by_bot(asked.thread))
            discord_server.gateway.abort()
            await discord_server.wait_for(lambda: discord_server.gateway.resumes)
    assert hosts == {"127.0.0.1"}
    assert len(discord_server.calls_of("GET", "/gateway/bot")) == 1
