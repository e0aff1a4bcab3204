"""How many questions a minute one worker answers, and three: PostgreSQL, a loopback Discord, a model that takes 1 s.

`python -m benchmarks.workers --database postgresql://...` (an empty database for each run is made beside it). A worker
answers three questions at once here, so that the waits are the bound and not this machine's cores.
"""

import argparse
import asyncio
import json
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from aiohttp import web
from sqlalchemy import URL, create_engine, make_url, text

from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.bot.program import Program
from tests.bot.running import environment
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

_BOOK = "CHAPTER I\n\nThe lighthouse keeper lit the lamp.\fThe storm broke the window of the tower."
_AT_ONCE = 3
_MODEL_S = 1.0
_THREADS = 30
_ROUNDS = 2
_WARM_S = 4.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", required=True)
    server = make_url(parser.parse_args().database)
    rates = {}
    for number in (1, 3):
        rates[number] = asyncio.run(_rate(number, _fresh(server, number)))
        print(f"{number}: {rates[number]} turns a second", flush=True)
    print(json.dumps({"turns a second": rates, "three beside one": round(rates[3] / rates[1], 2)}))


def _fresh(server: URL, number: int) -> str:
    """Make a database, and return its address."""
    name = f"thusfar_bench_{os.getpid()}_{number}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    address = server.set(database=name).render_as_string(hide_password=False)
    made = Database(address)
    upgrade(made.engine)
    made.close()
    return address


@asynccontextmanager
async def _slow_model() -> AsyncIterator[str]:
    """A model behind OpenAI's wire that says the same after a second, whatever it is asked; its base address."""

    async def answer(_: web.Request) -> web.Response:
        await asyncio.sleep(_MODEL_S)
        message = {"role": "assistant", "content": "The storm broke the window of the tower (p. 2)."}
        return web.json_response(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": "slow",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
            }
        )

    application = web.Application()
    application.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


async def _rate(workers: int, database: str) -> float:
    """Return how many turns a second so many workers make."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        async with DiscordServer() as server, _slow_model() as model:
            club = server.add_club()
            env = environment(
                DISCORD_TOKEN=server.token,
                DISCORD_API_BASE=server.api_base,
                THUSFAR_HOME=str(home),
                DATABASE_URL=database,
                THUSFAR_EMBEDDINGS="none",
                THUSFAR_QUESTIONS_A_MINUTE="100000",
                THUSFAR_PROVIDER="openai",
                THUSFAR_VERIFIER="off",
                THUSFAR_SCOPE_JUDGE="false",
                OPENAI_BASE_URL=model,
                OPENAI_API_KEY="sk-test",
            )
            await make_club(home, database, club)
            with ExitStack() as running:
                words = [("serve", "--gateway"), *[("work", "--at-once", str(_AT_ONCE))] * workers]
                programs = [running.enter_context(Program(*one, env=env)) for one in words]
                await server.identified()
                threads = [server.create_thread(club.channel, server.bot, f"Thread {n}") for n in range(_THREADS)]
                warm = [server.say(thread, club.ada, f"{server.bot.mention} Who lit the lamp?") for thread in threads]
                await server.wait_for(lambda: all(server.replies_to(one) for one in warm), within=60)
                await asyncio.sleep(_WARM_S)
                began = time.monotonic()
                asked = [
                    server.say(thread, club.ben, f"{server.bot.mention} What broke the window?")
                    for _ in range(_ROUNDS)
                    for thread in threads
                ]
                await server.wait_for(lambda: all(server.replies_to(one) for one in asked), within=100)
                took = time.monotonic() - began
                for program in programs:
                    program.send_signal(signal.SIGTERM)
                for program in programs:
                    await asyncio.to_thread(program.ran)
    return round(len(asked) / took, 2)


async def make_club(home: Path, database: str | None, club: Club) -> None:
    application = build(Settings(thusfar_home=home, THUSFAR_EMBEDDINGS="none", DATABASE_URL=database))
    path = home / "small.txt"
    path.write_text(_BOOK, encoding="utf-8")
    place = Thread(scope=f"discord:{club.guild.id}", place=str(club.channel.id), thread="")
    book = (await application.library.add(path, scope=place.scope, title="Small")).book
    reading = await application.threads.use(place, book_id=book.book_id)
    ada = Author(member_id="discord:1", display_name="Ada")
    await application.positions.set(reading, text="2", member=ada, confirmed=True)
    await application.close()


if __name__ == "__main__":
    main()
