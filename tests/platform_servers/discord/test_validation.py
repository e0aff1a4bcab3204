"""What the loopback Discord refuses in the body of a message: components, embeds and mentions beyond their limits."""

from io import BytesIO
from typing import Any

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
    "no id": {"components": [_row({"type": 2, "style": 1, "label": "Sources"})]},
    "a label of 81": {"components": [_row(_button(label="x" * 81))]},
    "no label": {"components": [_row(_button(label=""))]},
    "an unknown style": {"components": [_row(_button(style=9))]},
    "a link with an id": {"components": [_row(_button(style=5, url="https://example.org"))]},
    "a container without the flag": {"components": [_spoiler("x")]},
    "4,001 characters of text": {"content": "", "components": [_spoiler("x" * 4000, "y")], "flags": _V2},
    "an empty text": {"content": "", "components": [_spoiler("")], "flags": _V2},
    "41 components": {"content": "", "components": [_spoiler(*"x" * 40)], "flags": _V2},
    "content beside version 2": {"components": [_spoiler("x")], "flags": _V2},
    "eleven embeds": {"embeds": [{"title": "x"}] * 11},
    "a title of 257": {"embeds": [{"title": "x" * 257}]},
    "a description of 4,097": {"embeds": [{"description": "x" * 4097}]},
    "a field of 1,025": {"embeds": [{"fields": [{"name": "x", "value": "y" * 1025}]}]},
    "embeds of 6,001": {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3001}]},
    "all users and some": {"allowed_mentions": {"parse": ["users"], "users": ["1"]}},
    "an unknown kind of mention": {"allowed_mentions": {"parse": ["here"]}},
    "content that is no text": {"content": 12},
}

_ACCEPTED: dict[str, dict[str, object]] = {
    "five rows of five": {
        "components": [_row(*(_button(custom_id=f"{row}-{one}") for one in range(5))) for row in range(5)]
    },
    "a link": {"components": [_row({"type": 2, "style": 5, "label": "Go", "url": "https://example.org"})]},
    "4,000 characters of text": {"content": "", "components": [_spoiler("x" * 4000)], "flags": _V2},
    "embeds of 6,000": {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3000}]},
}


async def _post(bot: TrialBot, club: Club, body: dict[str, object]) -> Any:
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=club.channel.id)
    return await bot.http.request(route, json={"content": "text", **body})


@pytest.mark.parametrize("body", _REFUSED.values(), ids=_REFUSED.keys())
async def test_a_body_that_discord_refuses(discord_server: DiscordServer, club: Club, body: dict[str, object]) -> None:
    async with running(TrialBot(), discord_server) as bot:
        with pytest.raises(discord.HTTPException) as refused:
            await _post(bot, club, body)
    assert (refused.value.status, refused.value.code) == (400, 50035)
    assert club.channel.messages == {}


@pytest.mark.parametrize("body", _ACCEPTED.values(), ids=_ACCEPTED.keys())
async def test_a_body_at_the_limit_is_accepted(
    discord_server: DiscordServer, club: Club, body: dict[str, object]
) -> None:
    async with running(TrialBot(), discord_server) as bot:
        posted = await _post(bot, club, body)
    assert club.channel.messages[int(posted["id"])].components == body.get("components", [])


async def test_a_file_above_ten_mebibytes_is_refused(discord_server: DiscordServer, club: Club) -> None:
    async with running(TrialBot(), discord_server) as bot:
        place = bot.get_partial_messageable(club.channel.id)
        with pytest.raises(discord.HTTPException) as refused:
            await place.send(file=discord.File(BytesIO(bytes(10 * 1024 * 1024 + 1)), "big.bin"))
    assert (refused.value.status, refused.value.code) == (413, 40005)
