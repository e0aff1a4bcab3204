"""Commands that fail: too late, expired, unknown, refused by Discord midway, or without permission."""

import pytest

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.domain.errors import LLMError, LLMErrorCode, StorageError
from tests.adapters.discord.conftest import ReadBook, Running
from tests.adapters.discord.using import labels, page_of, watched
from tests.platform_servers.discord.faults import Fault, broken, refused, reset
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import EPHEMERAL

_ACKNOWLEDGED = {"type": 5, "data": {"flags": EPHEMERAL}}
_POST = ("POST", "/channels/{channel}/messages")
_MOVED = "Ada set the club's page back from p. 2 to p. 1 (25 %)."


async def test_the_bot_runs_even_if_discord_refuses_the_command_list(
    discord_server: DiscordServer, club: Club, running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    discord_server.fail_next("PUT", "/applications/{application}/commands", refused(403, 50001))
    async with running():
        assert discord_server.platform.commands[None] == []
    assert "did not take the list of commands" in caplog.text


async def test_a_command_that_is_too_late_does_nothing(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    house: Application,
    services: PlatformServices,
) -> None:
    await read_book()
    seen, commands = watched(services)
    async with running(services=seen):
        late = discord_server.slash("setpage", {"to": "1"}, user=club.ada, channel=club.channel, too_late=True)
        await discord_server.wait_for(lambda: [one for one in discord_server.calls if one.code == 10062])
        after = discord_server.slash("where", user=club.ada, channel=club.channel)
        await discord_server.posted(club.channel)
    assert (late.texts, commands.ran) == ([], ["where"])
    assert after.response == _ACKNOWLEDGED
    assert await page_of(house, club.channel) == 2


async def test_an_interrupted_acknowledgement_is_given_once_and_the_command_runs_once(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running():
        discord_server.fail_next("POST", "/interactions/{interaction}/{token}/callback", reset(accepted=True))
        discord_server.slash("setpage", {"to": "1"}, user=club.ada, channel=club.channel)
        await discord_server.posted(club.channel)
    assert club.channel.texts == ["Ada set the club's page back from p. 2 to p. 1 (25 %)."]


async def test_an_interaction_token_that_expires_still_leaves_the_public_line(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, services: PlatformServices
) -> None:
    await read_book()
    slow, commands = watched(services)
    commands.open.clear()
    async with running(services=slow):
        used = discord_server.slash("setpage", {"to": "1"}, user=club.ada, channel=club.channel)
        await discord_server.wait_for(lambda: used.response)
        used.is_expired = True
        commands.open.set()
        await discord_server.wait_for(lambda: [one for one in discord_server.calls if one.code == 50027])
        discord_server.slash("where", user=club.ada, channel=club.channel)
        await discord_server.posted(club.channel, 2)
    assert used.texts == []
    assert club.channel.texts[-1] == "▓▓░░░░░░░░ 25 %\nThe Lamp, 4 pages: up to p. 1."


@pytest.mark.parametrize(
    ("error", "said", "logged"),
    [
        (
            KeyError("secret detail"),
            "Something went wrong on my side. The person who runs this bot can find out what.",
            "secret",
        ),
        (
            LLMError(LLMErrorCode.TIMEOUT, "no answer from 10.0.0.1"),
            "My AI model took too long. Please ask again.",
            "10.0.0.1",
        ),
        (StorageError("/srv/secret.db is locked"), "I can't reach my notes right now. Try again in a minute.", "/srv"),
    ],
)
async def test_a_failure_in_core_is_one_friendly_sentence_and_the_cause_is_logged(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    caplog: pytest.LogCaptureFixture,
    *,
    error: Exception,
    said: str,
    logged: str,
) -> None:
    broken, commands = watched(services)
    commands.fails = error
    async with running(services=broken):
        used = discord_server.slash("where", user=club.ada, channel=club.channel)
        await discord_server.responded(used)
    assert used.texts == [said]
    assert logged in caplog.text
    assert club.channel.texts == []


@pytest.mark.parametrize(
    "fault", [reset(accepted=True), reset(accepted=False), broken(503)], ids=["lost answer", "lost", "503"]
)
async def test_a_public_line_that_fails_at_first_is_posted_once(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, fault: Fault
) -> None:
    await read_book()
    async with running():
        discord_server.fail_next(*_POST, fault)
        used = discord_server.slash("setpage", {"to": "1"}, user=club.ada, channel=club.channel)
        await discord_server.responded(used)
    assert club.channel.texts == [_MOVED]


async def test_where_the_bot_may_not_write_the_asker_gets_the_whole_reply(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    discord_server.deny(club.channel, Right.SEND_MESSAGES)
    async with running():
        used = discord_server.slash("setpage", {"to": "1"}, user=club.ada, channel=club.channel)
        await discord_server.responded(used)
        (told,) = used.messages
        assert told.content.startswith(f"{_MOVED}\n(I can't write in this channel. So only you see this.)\n\nThe last")
        assert (told.is_ephemeral, labels(told)) == (True, ["Undo", "Only for me"])
        discord_server.press("tf1:.undo", message=told, user=club.ada)
        await discord_server.wait_for(lambda: not labels(told))
    assert club.channel.texts == []
    assert await page_of(house, club.channel) == 2


async def test_an_organiser_has_the_permission_or_a_configured_role(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    librarian = discord_server.add_person("Lin", club.guild, rights=Right.ADD_REACTIONS)
    (role,) = (one.id for one in club.guild.roles.values() if one.name == "Of Lin")
    async with running(organiser_roles=frozenset({role})):
        used = await discord_server.responded(discord_server.slash("settings", user=librarian, channel=club.channel))
    async with running():
        pressed = discord_server.press("tf1:.usage", message=used.messages[0], user=librarian)
        await discord_server.wait_for(lambda: pressed.followups)
    allowed, refused = used.texts[0], pressed.followups[0].content
    assert allowed.startswith("Anyone may move the page.")
    assert refused == "`/usage` is for organisers of this club."


@pytest.mark.parametrize("where", ["allowed_guilds", "allowed_channels"])
async def test_commands_do_nothing_where_the_operator_excludes_the_bot(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices, where: str
) -> None:
    seen, commands = watched(services)
    async with running(services=seen, **{where: frozenset({1})}):
        used = discord_server.slash("where", user=club.ada, channel=club.channel)
        await discord_server.responded(used)
    assert (used.texts, commands.ran) == (["I'm not set up to speak in this channel."], [])
    assert club.channel.texts == []
