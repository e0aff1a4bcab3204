"""What `thusfar doctor` checks on Discord: token, intent, permissions in each server, invite link.

With `--live` it also posts, edits, reacts, opens a thread and deletes all of it, in a channel given by id.
"""

import asyncio
from collections.abc import Iterable
from typing import Final

import aiohttp
import discord

from adapters.discord.calls import WRONG_TOKEN, set_up
from adapters.discord.options import DiscordOptions
from adapters.platform.live_steps import EDITED, STEP_S, TEXT, Check, LiveSteps
from core.domain.messages import counted

_NAME: Final = "Thusfar test"
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
"""`/progress here` needs one more permission for its picture; without it only the text is shown."""
_MOST_GUILDS: Final = 200
INVITE: Final = "discord invite"
NO_SERVER: Final = "in no server yet: open the invite link below"
_NO_INTENT: Final = (
    "the Message Content intent is off: switch it on in the developer portal, under Bot, Privileged Gateway Intents; "
    "until then only mentions, replies to the bot and commands are heard"
)


async def examine(options: DiscordOptions) -> list[Check]:
    """Check the settings over REST only."""
    set_up(api_base=options.api_base)
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        try:
            async with asyncio.timeout(STEP_S):
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
            (INVITE, True, invite_link(client.application_id or 0)),
        ]


def invite_link(application_id: int) -> str:
    """Return the link that invites the bot with exactly the permissions that it uses."""
    return discord.utils.oauth_url(application_id, permissions=_INVITED, scopes=SCOPES)


def _login(name: str, servers: int) -> Check:
    if not servers:
        return "discord", True, f"logged in as {name}, {NO_SERVER}"
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


async def try_out(options: DiscordOptions, channel_id: int) -> list[Check]:
    """Run the live steps over REST, and delete what was posted even if one fails."""
    set_up(api_base=options.api_base)
    steps = LiveSteps("discord", _why)
    async with discord.Client(intents=discord.Intents.none()) as client:
        if await steps.take("log in", _logged_in(client, options.token), needs="a valid DISCORD_TOKEN") is None:
            return steps.checks
        channel = await steps.take("see the channel", client.fetch_channel(channel_id), needs="View Channel there")
        if not isinstance(channel, discord.TextChannel):
            return steps.checks or [("discord live", False, "Name a text channel: threads are opened there.")]
        post = await steps.take("post", channel.send(TEXT), needs="View Channel and Send Messages")
        if post is not None:
            await _try_out_on(post, steps)
    return steps.checks


async def _try_out_on(post: discord.Message, steps: LiveSteps) -> None:
    try:
        await steps.take("edit", post.edit(content=EDITED), needs="Send Messages")
        await steps.take("react", post.add_reaction("📖"), needs="Add Reactions and Read Message History")
        thread = await steps.take("open a thread", post.create_thread(name=_NAME), needs="Create Public Threads")
        if thread is not None:
            await steps.take("post in the thread", thread.send(TEXT), needs="Send Messages in Threads")
            needs = "Manage Threads, for this test alone; delete the thread by hand"
            await steps.take("delete the thread", thread.delete(), needs=needs)
    finally:
        await steps.take("delete the post", post.delete(), needs="nothing but its own message: delete it by hand")


async def _logged_in(client: discord.Client, token: str) -> bool:
    await client.login(token)
    return True


def _why(error: Exception) -> str:
    if isinstance(error, discord.LoginFailure):
        return "Discord doesn't accept the token"
    if isinstance(error, discord.HTTPException):
        return f"Discord refused it ({error.status}, code {error.code})"
    return f"Discord can't be reached ({type(error).__name__})"
