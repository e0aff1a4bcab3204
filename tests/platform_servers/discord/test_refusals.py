"""What the loopback Discord refuses as the real one does. What it takes, Thusfar does on it in tests/adapters."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import discord
import pytest

from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import TrialBot, running

_V2 = 1 << 15


def _button(**changed: object) -> dict[str, object]:
    return {"type": 2, "style": 1, "label": "Sources", "custom_id": "sources", **changed}


def _row(*inside: dict[str, object]) -> dict[str, object]:
    return {"type": 1, "components": list(inside)}


def _spoiler(*texts: str) -> dict[str, object]:
    return {"type": 17, "spoiler": True, "components": [{"type": 10, "content": text} for text in texts]}


_REFUSED: dict[str, dict[str, object]] = {
    "six rows": {"components": [_row(_button(custom_id=str(number))) for number in range(6)]},
    "six buttons": {"components": [_row(*(_button(custom_id=str(number)) for number in range(6)))]},
    "an empty row": {"components": [_row()]},
    "a button without a row": {"components": [_button()]},
    "one id twice": {"components": [_row(_button(), _button())]},
    "an id of 101": {"components": [_row(_button(custom_id="x" * 101))]},
    "a label of 81": {"components": [_row(_button(label="x" * 81))]},
    "no label": {"components": [_row(_button(label=""))]},
    "an unknown style": {"components": [_row(_button(style=9))]},
    "a container without the flag": {"components": [_spoiler("x")]},
    "4,001 characters of text": {"content": "", "components": [_spoiler("x" * 4000, "y")], "flags": _V2},
    "41 components": {"content": "", "components": [_spoiler(*"x" * 40)], "flags": _V2},
    "content beside version 2": {"components": [_spoiler("x")], "flags": _V2},
    "eleven embeds": {"embeds": [{"title": "x"}] * 11},
    "a description of 4,097": {"embeds": [{"description": "x" * 4097}]},
    "embeds of 6,001": {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3001}]},
    "all users and some": {"allowed_mentions": {"parse": ["users"], "users": ["1"]}},
    "an unknown kind of mention": {"allowed_mentions": {"parse": ["here"]}},
    "a text of 2,001": {"content": "x" * 2001},
    "a nonce of 26": {"nonce": "x" * 26},
}
_ACCEPTED: tuple[dict[str, object], ...] = (
    {"components": [_row(*(_button(custom_id=f"{row}-{one}") for one in range(5))) for row in range(5)]},
    {"content": "", "components": [_spoiler("x" * 4000)], "flags": _V2},
    {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3000}]},
    {"content": "x" * 2000, "nonce": "x" * 25},
)
_OPTION = {"name": "o", "description": "x", "type": 3}
_REFUSED_COMMANDS: tuple[dict[str, object], ...] = (
    {"name": "Upper", "description": "x"},
    {"name": "long", "description": "x" * 101},
    {"name": "none", "description": ""},
    {"name": "twice", "description": "x", "options": [_OPTION] * 2},
    {"name": "order", "description": "x", "options": [_OPTION, {**_OPTION, "name": "p", "required": True}]},
    {"name": "both", "description": "x", "options": [{**_OPTION, "type": 11, "autocomplete": True}]},
)


@contextmanager
def _refused(code: int, what: object = None) -> Iterator[None]:
    with pytest.raises(discord.HTTPException) as refused:
        yield
    assert refused.value.code == code, what


def _place(bot: TrialBot, club: Club) -> discord.TextChannel:
    channel = bot.get_channel(club.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_bodies_at_a_limit_are_taken_and_those_beyond_are_refused(
    discord_server: DiscordServer, club: Club
) -> None:
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=club.channel.id)
    async with running(TrialBot(), discord_server) as bot:
        for body in _ACCEPTED:
            await bot.http.request(route, json={"content": "text", **body})
        for name, body in _REFUSED.items():
            with _refused(50035, name):
                await bot.http.request(route, json={"content": "text", **body})
        with _refused(50006):
            await _place(bot, club).send(" \n ")
        with _refused(40005):
            await _place(bot, club).send(file=discord.File(BytesIO(bytes(10 * 1024 * 1024 + 1)), "big.bin"))
    assert len(club.channel.messages) == len(_ACCEPTED)


async def test_commands_that_discord_refuses(discord_server: DiscordServer) -> None:
    route = discord.http.Route("PUT", "/applications/{application_id}/commands", application_id=discord_server.bot.id)
    async with running(TrialBot(), discord_server) as bot:
        for command in _REFUSED_COMMANDS:
            with _refused(50035, command["name"]):
                await bot.http.request(route, json=[command])
    assert discord_server.platform.commands[None] == []
