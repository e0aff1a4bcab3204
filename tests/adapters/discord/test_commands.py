"""Slash commands through the real client: acknowledged at once, private or public as documented, never crashing."""

from pathlib import Path

import pytest

from adapters.platform.services import PlatformServices
from core.club.commands.registry import MORE_HELP
from core.club.commands.values import CommandRequest, CommandResponse, Option
from core.domain.thread import Thread
from tests.adapters.discord.conftest import LIGHTHOUSE, ORGANISER, ReadBook, Running
from tests.adapters.discord.using import pinged, watched
from tests.platform_servers.discord.interactions import Interaction
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.typed import Value
from tests.platform_servers.discord.world import EPHEMERAL, LOADING, Json

_DOCUMENT = Path("docs/commands.md").read_text(encoding="utf-8")
_ACKNOWLEDGED = {"type": 5, "data": {"flags": EPHEMERAL}}


def _flat(commands: list[Json]) -> dict[str, list[Json]]:
    """The options of each command by its words."""
    found: dict[str, list[Json]] = {}
    for command in commands:
        options = command.get("options", [])
        if any(one["type"] == 1 for one in options):
            found |= {f"{command['name']} {one['name']}": one.get("options", []) for one in options}
        else:
            found[command["name"]] = options
    return found


def _is_done(used: Interaction) -> bool:
    """Whether the private `thinking` state has ended."""
    return used.original is not None and (used.original.is_deleted or not used.original.flags & LOADING)


async def test_each_start_registers_all_commands_with_one_call(
    discord_server: DiscordServer, running: Running, services: PlatformServices
) -> None:
    async with running():
        known = _flat(discord_server.platform.commands[None])
    assert len(discord_server.calls_of("PUT", "/applications/{application}/commands")) == 1
    picked = services.commands.picked()
    expected = {one.slash or one.words: one.takes for one in picked}
    expected |= {one.beside_group: one.takes for one in picked if one.beside_group}
    assert known.keys() == {*expected, *services.commands.in_menus().values()}
    assert known["book add"][1]["name"] == "title"
    for words, takes in expected.items():
        assert [_as_told(one) for one in known[words][:1]] == ([] if takes is None else [_as_said(takes)]), words


def _as_told(option: Json) -> Json:
    choices = tuple(each["value"] for each in option.get("choices") or ())
    return {"name": option["name"], "required": option["required"], "choices": choices}


def _as_said(takes: Option) -> Json:
    return {"name": takes.name, "required": not takes.is_optional, "choices": takes.choices}


async def test_every_command_can_be_typed_and_is_in_the_help_and_in_the_documents(services: PlatformServices) -> None:
    registry = services.commands
    request = CommandRequest(
        thread=Thread(scope="discord:1", place="1", thread=""), member=ORGANISER, is_organiser=True
    )
    told = (await registry.run(MORE_HELP, request)).text
    for command in registry.listed():
        assert registry.parse(command.words) == (command.words, "")
        assert f"`/{' '.join(filter(None, (command.words, command.usage)))}`" in told
        assert f"`/{command.words}" in _DOCUMENT
        offered_by = registry.get(command.behind or command.words)
        assert offered_by in registry.picked(), f"{command.words} isn't offered, and doesn't say why"


@pytest.mark.parametrize("roles", [frozenset(), frozenset({1})], ids=["by right", "by a role"])
async def test_organiser_commands_are_hidden_from_members_where_discord_allows_it(
    discord_server: DiscordServer, running: Running, roles: frozenset[int]
) -> None:
    async with running(organiser_roles=roles):
        known = discord_server.platform.commands[None]
    hidden = {one["name"] for one in known if one.get("default_member_permissions") is not None}
    assert hidden == (set() if roles else {"book", "settings", "finish", "poll", "statistics", "watch"})


_LAST_WORDS = f"The last words you read: “… {' '.join(LIGHTHOUSE.split(chr(12))[0].split()[-12:])}”"
_SEEN: tuple[tuple[str, dict[str, Value], bool, list[str], list[str]], ...] = (
    ("where", {}, False, [], ["▓▓▓▓▓░░░░░ 50 %\nThe Lamp, 4 pages: up to p. 2."]),
    ("book list", {}, True, ["▸ The Lamp, 4 pages"], []),
    ("books", {}, False, ["▸ The Lamp, 4 pages"], []),
    ("book use", {"title": "the lamp"}, True, [], ["Olga opened The Lamp by N. N., 4 pages."]),
    ("listen", {"to": "all"}, False, ["Only organisers can change what I answer in all of the club's threads."], []),
    ("mypage", {"to": "0"}, False, ["Your own page is set: nothing read yet."], []),
    ("setpage", {"to": "1"}, False, [_LAST_WORDS], ["Ada set the club's page back from p. 2 to p. 1 (25 %)."]),
)


async def test_the_private_and_the_public_reply(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with running() as client:
        for command, given, by_organiser, private, public in _SEEN:
            user, before = club.organiser if by_organiser else club.ada, len(discord_server.by_bot(club.channel))
            used = discord_server.slash(command, given, user=user, channel=club.channel)
            await discord_server.wait_for(lambda: _is_done(used))  # noqa: B023
            await client.intake.settled()
            assert used.texts == private
            assert [one.content for one in discord_server.by_bot(club.channel)[before:]] == public
            assert all(one.is_ephemeral for one in used.messages)
            assert pinged([*used.messages, *discord_server.by_bot(club.channel)]) == set()


@pytest.mark.parametrize(
    ("command", "given"), [("where", {}), ("setpage", {"to": "1"}), ("ask", {"question": "Who?"}), ("help", {})]
)
async def test_a_command_is_acknowledged_while_core_is_still_working(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    read_book: ReadBook,
    services: PlatformServices,
    command: str,
    given: dict[str, Value],
) -> None:
    await read_book()
    slow, commands = watched(services)
    commands.open.clear()
    async with running(services=slow):
        used = discord_server.slash(command, given, user=club.ada, channel=club.channel)
        await discord_server.wait_for(lambda: used.response)
        assert used.response == _ACKNOWLEDGED
        assert (used.texts, club.channel.texts) == ([], [])
        commands.open.set()
        await discord_server.wait_for(lambda: used.texts or club.channel.texts)
    assert commands.ran == [command]


async def test_a_public_line_pings_no_one_and_shows_a_name_unchanged(
    discord_server: DiscordServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book()
    loud = discord_server.add_person("||*Eve*|| @everyone", club.guild)
    async with running():
        discord_server.slash("setpage", {"to": "1"}, user=loud, channel=club.channel)
        (line,) = await discord_server.posted(club.channel)
    assert line.content.startswith("\\|\\|\\*Eve\\*\\|\\| @\u200beveryone set the club's page back")
    assert line.pings == set()


async def test_a_long_private_answer_is_split_and_leaves_no_spoiler_mark_open(
    discord_server: DiscordServer, club: Club, running: Running, services: PlatformServices
) -> None:
    wordy, commands = watched(services)
    commands.says["help"] = CommandResponse(text="||" + "a word and another. " * 250 + "||")
    async with running(services=wordy):
        used = discord_server.slash("help", user=club.ada, channel=club.channel)
        await discord_server.wait_for(lambda: len(used.messages) == 3)
    assert all(len(text) <= 2000 and text.count("||") % 2 == 0 for text in used.texts)
    assert sum(text.count("a word") for text in used.texts) == 250
    assert all(one.is_ephemeral for one in used.messages)
