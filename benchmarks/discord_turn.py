"""Own CPU time of a turn on Discord, beside a bare discord.py bot that echoes: at most 12 ms more, with any number of
threads.

Run it with `python -m benchmarks.discord_turn`. How it is measured stands in `platform_turn.py`.
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
from benchmarks.platform_turn import (
    PATIENCE_S,
    THREADS,
    Bots,
    ScriptedModel,
    Talk,
    compare,
    converse,
    house_reading_the_sample,
    scripted_answers,
)
from bot.platforms import platform_services
from core.domain.thread import Thread
from tests.adapters.answering import ScriptedAnswers
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
    return int(compare(_serve, _bots))


def _bots(place: Place) -> Bots:
    return {
        "echo": lambda: _echo(place),
        "the adapter alone": lambda: _thusfar(place, answers=scripted_answers()),
        "quoting": lambda: _thusfar(place),
        "scripted model": lambda: _thusfar(place, model=ScriptedModel()),
    }


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
async def _thusfar(
    place: Place, *, model: ScriptedModel | None = None, answers: ScriptedAnswers | None = None
) -> AsyncIterator[object]:
    thread = Thread(scope=f"discord:{place.guild_id}", place=str(place.channel_id), thread="")
    with pointed_at(place):
        async with house_reading_the_sample(thread, model=model) as house:
            options = DiscordOptions(token=place.token, api_base=place.api_base, gateway_url=place.gateway_url)
            services = platform_services(house)
            services = services if answers is None else answers.instead_of(services)
            client = ThusfarClient(services, options, guild_ready_timeout=0.1)
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
        pipe.send(
            Place(
                url=server.url,
                api_base=server.api_base,
                gateway_url=server.gateway_url,
                token=server.token,
                guild_id=club.guild.id,
                channel_id=club.channel.id,
            )
        )

        async def answered(asked: Message) -> None:
            await server.wait_for(lambda: _is_answered(asked), within=PATIENCE_S)

        def first_reaction(asked: Message) -> float | None:
            marked = f"/messages/{asked.id}/reactions/"
            return min((call.at for call in server.calls if marked in call.path), default=None)

        def say(thread: Channel, question: str) -> Message:
            return server.say(thread, club.ada, question)

        await converse(pipe, threads, Talk(say=say, answered=answered, first_reaction=first_reaction))


def _is_answered(asked: Message) -> bool:
    return any(one.reply_to is asked for one in reversed(asked.channel.messages.values()))


if __name__ == "__main__":
    sys.exit(main())
