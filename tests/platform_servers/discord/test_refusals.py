"""What the loopback Discord refuses as the real one does. What it takes, Thusfar does on it in tests/adapters."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import discord
import pytest

from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.rights import BOT_RIGHTS, Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import TrialBot, running
from tests.platform_servers.discord.world import MessageKind

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


async def test_what_is_gone_foreign_or_not_allowed_is_refused(discord_server: DiscordServer, club: Club) -> None:
    asked, gone = (discord_server.say(club.channel, club.ada, "?") for _ in range(2))
    joined = discord_server.say(club.channel, club.ben, "", kind=MessageKind.JOINED)
    discord_server.delete(gone)
    async with running(TrialBot(), discord_server) as bot:
        place = _place(bot, club)
        theirs = place.get_partial_message(asked.id)
        for message in (gone, joined):
            with _refused(50035):
                await place.get_partial_message(message.id).reply("!")
        with _refused(10008):
            await place.fetch_message(gone.id)
        with _refused(50005):
            await theirs.edit(content="!")
        with _refused(50013):
            await theirs.delete()
        for number in range(20):
            discord_server.react(asked, club.ben, chr(0x1F600 + number))
        with _refused(30010):
            await theirs.add_reaction("👀")
        with _refused(10014):
            await theirs.add_reaction("eyes")
        discord_server.deny(club.channel, Right.ADD_REACTIONS)
        discord_server.unreact(asked, club.ben, chr(0x1F601))
        with _refused(50013):
            await theirs.add_reaction("👀")
        for missing, code in (
            (Right.SEND_MESSAGES, 50013),
            (Right.READ_MESSAGE_HISTORY, 160002),
            (Right.VIEW_CHANNEL, 50001),
        ):
            discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~missing)
            with _refused(code):
                await theirs.reply("!")
    assert club.channel.texts == ["?", ""]


async def test_what_a_thread_refuses(discord_server: DiscordServer, club: Club) -> None:
    asked, other = (discord_server.say(club.channel, club.ada, "?") for _ in range(2))
    discord_server.create_thread(club.channel, club.ada, "Hers", starter=asked)
    old, locked = (discord_server.create_thread(club.channel, club.ada, name) for name in ("Old", "Locked"))
    said = discord_server.say(old, club.ada, "long ago")
    discord_server.archive(old)
    async with running(TrialBot(), discord_server) as bot:
        place = _place(bot, club)
        with _refused(160004):
            await place.get_partial_message(asked.id).create_thread(name="Mine")
        with _refused(50035):
            await place.get_partial_message(other.id).create_thread(name="x" * 101)
        archived = await bot.fetch_channel(old.id)
        assert isinstance(archived, discord.Thread)
        with _refused(50083):
            await archived.get_partial_message(said.id).add_reaction("👀")
        await archived.send("back")
        closed = bot.get_channel(locked.id)
        assert isinstance(closed, discord.Thread)
        discord_server.lock(locked)
        with _refused(50083):
            await closed.send("anyone?")
        discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~Right.CREATE_PUBLIC_THREADS)
        with _refused(50013):
            await place.get_partial_message(other.id).create_thread(name="Mine")
        discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~Right.SEND_MESSAGES_IN_THREADS)
        with _refused(50013):
            await archived.send("and now not")
    assert (old.texts, locked.texts) == (["long ago", "back"], [])


async def test_without_an_intent_nothing_is_heard_and_without_content_little_is_read(
    discord_server: DiscordServer, club: Club
) -> None:
    mention = discord_server.bot.mention
    async with running(TrialBot(intents=discord.Intents(guilds=True, messages=True)), discord_server) as bot:
        discord_server.say(club.channel, club.ada, "for the others")
        discord_server.say(club.channel, club.ada, f"{mention} for the bot")
        discord_server.say(discord_server.dm(club.ada), club.ada, "between us")
        await bot.until(lambda: len(bot.heard) == 3)
    assert [message.content for message in bot.heard] == ["", f"{mention} for the bot", "between us"]
    async with running(TrialBot(intents=discord.Intents(guilds=True, dm_messages=True)), discord_server) as bot:
        discord_server.say(club.channel, club.ada, "in the guild")
        discord_server.say(discord_server.dm(club.ada), club.ada, "in the DM")
        await bot.until(lambda: bot.heard)
    assert [message.content for message in bot.heard] == ["in the DM"]
