"""Own CPU time of a turn on Discord, beside a bare discord.py bot that echoes.

    python -m benchmarks.discord_turn [--books FOLDER]

How it is measured, and the goals, stand in `platform_turn.py`. Returns 1 where a goal is missed.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection

import discord

from adapters.discord.client import ThusfarClient
from adapters.discord.options import DiscordOptions
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from benchmarks.platform_turn import PATIENCE_S, THREADS, Platform, Talk, compare, converse
from core.domain.thread import Thread
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.pointing import pointed_at
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the other process's Discord is, and the club in it."""

    url: str
    api_base: str
    gateway_url: str
    token: str
    guild_id: int
    channel_id: int


def main() -> int:
    """Print the figures; return 1 where a goal is missed."""
    return int(compare(Platform(serve=_serve, echo=_echo, thusfar=thusfar_at, club=club_at)))


def place_of(server: DiscordServer, club: Club) -> Place:
    """Return where a club is on a server."""
    return Place(
        url=server.url,
        api_base=server.api_base,
        gateway_url=server.gateway_url,
        token=server.token,
        guild_id=club.guild.id,
        channel_id=club.channel.id,
    )


def club_at(place: Place) -> Thread:
    """Return where in core the club is."""
    return Thread(scope=f"discord:{place.guild_id}", place=str(place.channel_id), thread="")


class EchoBot(discord.Client):
    """The least that a bot can do."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, message_content=True),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=0.1,
        )

    async def on_message(self, message: discord.Message) -> None:
        if not message.author.bot and message.type is discord.MessageType.default:
            await message.reply(message.content)


@asynccontextmanager
async def _echo(place: Place) -> AsyncIterator[object]:
    with pointed_at(place):
        client = EchoBot()
        async with _running(client, place.token, client.wait_until_ready):
            yield client


@asynccontextmanager
async def thusfar_at(
    place: Place,
    services: PlatformServices,
    retry: RetryPolicy = RetryPolicy(),  # noqa: B008 (frozen)
) -> AsyncIterator[object]:
    """The adapter over some services, connected."""
    with pointed_at(place):
        options = DiscordOptions(token=place.token, api_base=place.api_base, gateway_url=place.gateway_url)
        client = ThusfarClient(services, options, retry=retry, guild_ready_timeout=0.1)
        async with _running(client, place.token, client.caught_up):
            yield client
            await client.finish(within=5)


@asynccontextmanager
async def _running(client: discord.Client, token: str, ready: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    await client.login(token)
    task = asyncio.create_task(client.connect())
    await asyncio.wait_for(ready(), PATIENCE_S)
    yield
    await client.close()
    await asyncio.wait([task])


# The other process.


def _serve(pipe: Connection) -> None:
    asyncio.run(_discord(pipe))


async def _discord(pipe: Connection) -> None:
    async with DiscordServer() as server:
        club = server.add_club()
        threads = [server.create_thread(club.channel, server.bot, f"Thread {number}") for number in range(max(THREADS))]
        pipe.send(place_of(server, club))

        async def answer(asked: Message) -> str:
            return (await server.wait_for(lambda: _reply_to(asked), within=PATIENCE_S)).content

        def first_reaction(asked: Message) -> float | None:
            marked = f"/messages/{asked.id}/reactions/"
            return min((call.at for call in server.calls if marked in call.path), default=None)

        def say(thread: Channel, question: str) -> Message:
            return server.say(thread, club.ada, f"{server.bot.mention} {question}")

        await converse(pipe, threads, Talk(say=say, answer=answer, first_reaction=first_reaction))


def _reply_to(asked: Message) -> Message | None:
    return next((one for one in reversed(asked.channel.messages.values()) if one.reply_to is asked), None)


if __name__ == "__main__":
    sys.exit(main())
