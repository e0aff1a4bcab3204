"""Many at once: threads side by side, one thread in order, servers that see nothing of each other."""

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.discord.conftest import ReadBook, Running
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.pointing import dialled
from tests.platform_servers.discord.server import DiscordServer


async def test_two_servers_see_nothing_of_each_other(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    other = discord_server.add_club("Other")
    await read_book(club.channel)
    await read_book(other.channel, text="The comet of Tranter stood over the lamp of the harbour.", page="1")
    third = discord_server.add_club("Third")
    async with running():
        asked = [
            discord_server.say(one.channel, one.ada, f"{discord_server.bot.mention} What of the lamp?")
            for one in (club, other, third)
        ]
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
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    with dialled() as hosts:
        async with running(gateway_url=None) as client:
            asked = discord_server.say(club.channel, club.ada, f"{discord_server.bot.mention} Who lit the lamp?")
            await discord_server.wait_for(lambda: asked.thread and discord_server.by_bot(asked.thread))
            discord_server.gateway.abort()
            await discord_server.wait_for(lambda: discord_server.gateway.resumes)
            await client.intake.settled()
    assert hosts == {"127.0.0.1"}
    assert len(discord_server.calls_of("GET", "/gateway/bot")) == 1


async def test_a_resumed_connection_stays_at_the_operators_address(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    thread = discord_server.create_thread(club.channel, discord_server.bot, "Ours")
    where = discord_server.gateway.url
    # What READY names is nobody's address: only the setting may be used.
    discord_server.gateway.url = "ws://127.0.0.1:1/gateway"
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services), gateway_url=where) as client:
        await discord_server.answer_to(discord_server.say(thread, club.ada, "Before?"))
        discord_server.gateway.reconnect()
        await discord_server.wait_for(lambda: discord_server.gateway.resumes)
        await discord_server.answer_to(discord_server.say(thread, club.ada, "After?"))
        await client.intake.settled()
    assert [one.text for one in answers.asked] == ["Before?", "After?"]
