"""`thusfar doctor --live` on Discord: post, edit, react, open a thread and delete all of it, in a channel by its id."""

import discord

from adapters.discord.calls import set_up
from adapters.discord.options import DiscordOptions
from adapters.platform.live_steps import EDITED, TEXT, Check, LiveSteps

_NAME = "Thusfar test"


async def try_out(options: DiscordOptions, channel_id: int) -> list[Check]:
    """Take the steps over REST, and delete what was posted, also where one fails."""
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
            await _on(post, steps)
    return steps.checks


async def _on(post: discord.Message, steps: LiveSteps) -> None:
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
