"""What `thusfar doctor` finds out about Discord: token, intent, rights in each server, invite link."""

from collections.abc import Iterable
from typing import Final

import aiohttp
import discord

from adapters.discord.calls import WRONG_TOKEN, set_up
from adapters.discord.options import DiscordOptions
from core.domain.messages import counted

Check = tuple[str, bool, str]

SCOPES: Final = ("bot", "applications.commands")
NEEDED: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    add_reactions=True,
)
_INVITED: Final = NEEDED | discord.Permissions(attach_files=True)
"""The picture beside `/progress here` needs one right more; without it the words stand alone."""
_MOST_GUILDS: Final = 200
_NO_INTENT: Final = (
    "the Message Content intent is off: switch it on in the developer portal, under Bot, Privileged Gateway Intents; "
    "until then only mentions, replies to the bot and commands are heard"
)


async def examine(options: DiscordOptions) -> list[Check]:
    """Ask Discord, over REST alone."""
    set_up(api_base=options.api_base)
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        try:
            await client.login(options.token)
            guilds = await client.http.get_guilds(_MOST_GUILDS)
        except discord.LoginFailure:
            return [("discord", False, WRONG_TOKEN)]
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            return [("discord", False, f"cannot be reached ({type(error).__name__}): {error}")]
        allowed = [one for one in guilds if not options.allowed_guilds or int(one["id"]) in options.allowed_guilds]
        flags = client.application_flags
        hears = flags.gateway_message_content or flags.gateway_message_content_limited
        name = client.user.name if client.user is not None else "the bot"
        return [
            _login(name, len(guilds)),
            ("discord intent", hears, "Message Content is granted" if hears else _NO_INTENT),
            _rights((str(one["name"]), int(one["permissions"])) for one in allowed),
            ("discord invite", True, invite_link(client.application_id or 0)),
        ]


def invite_link(application_id: int) -> str:
    """Return the link that brings the bot into a server, with exactly what it uses."""
    return discord.utils.oauth_url(application_id, permissions=_INVITED, scopes=SCOPES)


def _login(name: str, servers: int) -> Check:
    if not servers:
        return "discord", True, f"logged in as {name}, in no server yet: open the invite link below"
    return "discord", True, f"logged in as {name}, in {counted(servers, 'server')}"


def _rights(guilds: Iterable[tuple[str, int]]) -> Check:
    lacking = []
    for name, held in guilds:
        rights = discord.Permissions(held)
        missing = (
            [] if rights.administrator else [each for each, needed in NEEDED if needed and not getattr(rights, each)]
        )
        if missing:
            lacking.append(f"{name}: {', '.join(each.replace('_', ' ').title() for each in missing)}")
    if lacking:
        return "discord rights", False, f"missing in {'; '.join(lacking)} (the invite link grants them)"
    return "discord rights", True, "all that are needed, as far as a channel does not take them away"
