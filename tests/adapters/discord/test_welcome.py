"""The bot greets a new server, once, where it may write."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.discord.client import ThusfarClient
from core.domain.messages import NO_BOOK_ALONE, OF_YOUR_CLUBS, WELCOME
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import labels, pinged
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import BOT_RIGHTS, Right
from tests.platform_servers.discord.server import DiscordServer


def _comes(server: DiscordServer, club: Club) -> None:
    server.platform.gateway.publish("GUILD_CREATE", lambda intents: server.platform.guild_payload(club.guild, intents))


async def _joined(server: DiscordServer, club: Club, client: ThusfarClient) -> None:
    """Wait until the bot has handled all earlier events."""
    asked = server.say(club.channel, club.ada, server.bot.mention)
    await server.answer_to(asked)
    await client.intake.settled()


async def test_a_server_is_greeted_once(discord_server: DiscordServer, club: Club, running: Running) -> None:
    async with running() as client:
        for _ in range(2):
            _comes(discord_server, club)
        await discord_server.posted(club.channel, 1)
        await _joined(discord_server, club, client)
    first, *others = [one.content for one in discord_server.by_bot(club.channel)]
    assert first == WELCOME
    assert len(WELCOME.splitlines()) == 3
    assert WELCOME not in others
    assert pinged(discord_server.by_bot(club.channel)[:1]) == set()


@pytest.mark.parametrize(("hours", "greeted"), [(1, 1), (13, 0)])
async def test_a_server_that_invited_it_before_its_start_is_greeted_once(
    discord_server: DiscordServer, club: Club, running: Running, hours: int, greeted: int
) -> None:
    bot = discord_server.platform.bot
    club.guild.members[bot.id].joined = datetime.now(UTC) - timedelta(hours=hours)
    for _ in range(2):
        async with running() as client:
            await _joined(discord_server, club, client)
    said = [one.content for one in discord_server.by_bot(club.channel)]
    assert said.count(WELCOME) == greeted


async def test_a_server_in_which_it_may_not_write_is_not_greeted(
    discord_server: DiscordServer, club: Club, running: Running
) -> None:
    discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~Right.SEND_MESSAGES)
    async with running() as client:
        _comes(discord_server, club)
        await discord_server.wait_for(lambda: client.get_guild(club.guild.id))
    assert discord_server.by_bot(club.channel) == []


async def test_a_member_alone_is_offered_the_books_of_their_servers(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    alone = discord_server.dm(club.ada)
    async with running():
        answer = await discord_server.answer_to(discord_server.say(alone, club.ada, "Who lit the lamp?"))
        assert answer.content == f"{NO_BOOK_ALONE} {OF_YOUR_CLUBS}"
        assert labels(answer) == ["Read The Lamp"]
        discord_server.press("tf1:.own", message=answer, user=club.ada)
        opened = (await discord_server.posted(alone, 2))[-1]
        discord_server.say(alone, club.ada, "setpage 2")
        moved = (await discord_server.posted(alone, 3))[-1]
    assert opened.content.startswith("You opened The Lamp by N. N., 4 pages. `/setpage 1` tells me how far you are")
    assert "p. 2" in moved.content
