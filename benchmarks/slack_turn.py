"""Own CPU time of a turn on Slack, beside a bare slack-bolt app that echoes.

    python -m benchmarks.slack_turn [--books FOLDER]

How it is measured, and the goals, stand in `platform_turn.py`. Slack's pause of a second between two messages in a
channel is left out: it costs no CPU. Returns 1 where a goal is missed.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import takewhile
from multiprocessing.connection import Connection
from typing import Any

import aiohttp
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp, AsyncSay
from slack_sdk.web.async_client import AsyncWebClient

from adapters.platform.services import PlatformServices
from adapters.slack.connection import SlackConnection
from adapters.slack.options import SlackOptions
from benchmarks.platform_turn import PATIENCE_S, THREADS, Platform, Talk, compare, converse
from core.domain.thread import Thread
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the other process's Slack is, and the club in it."""

    api_base: str
    token: str
    app_token: str
    team_id: str
    channel_id: str


def main() -> int:
    """Print the figures; return 1 where a goal is missed."""
    return int(compare(Platform(serve=_serve, echo=_echo, thusfar=_thusfar, club=_club)))


def _club(place: Place) -> Thread:
    return Thread(scope=f"slack:{place.team_id}", place=place.channel_id, thread="")


@asynccontextmanager
async def _echo(place: Place) -> AsyncIterator[object]:
    """The least that an app can do, over one HTTP session."""
    async with aiohttp.ClientSession() as session:
        app = AsyncApp(client=AsyncWebClient(token=place.token, base_url=place.api_base, session=session))

        @app.event("message")
        async def answer(event: dict[str, Any], say: AsyncSay) -> None:
            await say(text=str(event.get("text", "")), thread_ts=str(event["thread_ts"]))

        handler = AsyncSocketModeHandler(app, place.app_token)
        await handler.connect_async()  # type: ignore[no-untyped-call]
        yield handler
        await handler.close_async()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def _thusfar(place: Place, services: PlatformServices) -> AsyncIterator[object]:
    options = SlackOptions(bot_token=place.token, app_token=place.app_token, api_base=place.api_base, pause=0.0)
    connection = SlackConnection(services, options)
    task = asyncio.create_task(connection.attempt())
    await asyncio.wait_for(connection.ready(), PATIENCE_S)
    yield connection
    await connection.finish(within=5)
    await connection.close()
    await asyncio.wait([task])


# The other process.


def _serve(pipe: Connection) -> None:
    asyncio.run(_slack(pipe))


async def _slack(pipe: Connection) -> None:
    async with SlackServer(events=["message.channels", "app_mention"]) as server:
        club = server.add_club()
        roots = [
            server.platform.post(club.channel, server.bot, {"text": f"Thread {number}"})
            for number in range(max(THREADS))
        ]
        pipe.send(
            Place(
                api_base=server.api_base,
                token=server.token,
                app_token=server.app_token,
                team_id=server.platform.team_id,
                channel_id=club.channel.id,
            )
        )

        async def answer(asked: Message) -> str:
            return (await server.wait_for(lambda: _answer_to(server, asked), within=PATIENCE_S)).content

        def first_reaction(asked: Message) -> float | None:
            return min(
                (call.at for call in server.calls_of("reactions.add") if call.arguments["timestamp"] == asked.ts),
                default=None,
            )

        def say(root: Message, question: str) -> Message:
            return server.reply(root, club.ada, f"{server.bot.mention} {question}")

        await converse(pipe, roots, Talk(say=say, answer=answer, first_reaction=first_reaction))


def _answer_to(server: SlackServer, asked: Message) -> Message | None:
    """Return what the bot wrote in the thread of a message after it; looked for from the end, where it stands."""
    after = takewhile(lambda one: one is not asked, reversed(asked.channel.messages.values()))
    return next((one for one in after if one.author is server.bot and one.thread_ts == asked.thread_ts), None)


if __name__ == "__main__":
    sys.exit(main())
