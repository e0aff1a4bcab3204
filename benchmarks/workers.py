"""How many questions a second one worker answers, and three: `python -m benchmarks.workers`.

PostgreSQL from the tests' package (or `--database ADDRESS`, beside which databases are made), a loopback Discord, a
model that takes three seconds. A worker answers three questions at once here, so that the waits are the bound and not
this machine's cores. Both crews are offered the same, more than either can answer, and take turns; counted is what
is answered in twenty seconds in the middle.
"""

import argparse
import asyncio
import json
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import URL, create_engine, make_url, text

from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from benchmarks.slow_model import SlowModel
from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.bot.program import Program
from tests.bot.running import environment
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Message
from tests.postgres import packaged_server

_BOOK = "CHAPTER I\n\nThe lighthouse keeper lit the lamp.\fThe storm broke the window of the tower."
_AT_ONCE = 3
_MODEL_S = 3.0
_THREADS = 40
_ROUNDS = 4
_WARM_S = 6.0
_COUNTED_S = 20.0
_RUNS = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database")
    named = parser.parse_args().database
    rates: dict[int, list[float]] = {1: [], 3: []}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as started:
        server = make_url(named or started.enter_context(packaged_server(Path(folder))))
        for run in range(_RUNS):
            for number, found in rates.items():
                found.append(asyncio.run(_rate(number, _fresh(server, f"{run}_{number}"))))
                print(f"{number}: {found[-1]} turns a second", flush=True)
    one, three = (statistics.mean(found) for found in rates.values())
    print(json.dumps({"turns a second": rates, "three beside one": round(three / one, 2)}))


def _fresh(server: URL, run: str) -> str:
    """Make a database, and return its address."""
    name = f"thusfar_bench_{os.getpid()}_{run}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    address = server.set(database=name).render_as_string(hide_password=False)
    made = Database(address)
    upgrade(made.engine)
    made.close()
    return address


async def _rate(workers: int, database: str) -> float:
    """Return how many turns a second so many workers make."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        async with DiscordServer() as server, SlowModel(between=(_MODEL_S, _MODEL_S)).served() as model:
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
                asked = [
                    server.say(thread, club.ben, f"{server.bot.mention} What broke the window?")
                    for _ in range(_ROUNDS)
                    for thread in threads
                ]
                await server.wait_for(lambda: any(map(server.replies_to, asked)), within=60)
                await asyncio.sleep(_WARM_S)
                before, began = _answered(server, asked), time.monotonic()
                await asyncio.sleep(_COUNTED_S)
                answered, took = _answered(server, asked) - before, time.monotonic() - began
                for program in programs:
                    program.send_signal(signal.SIGKILL)
    return round(answered / took, 2)


def _answered(server: DiscordServer, asked: Sequence[Message]) -> int:
    return sum(bool(server.replies_to(one)) for one in asked)


async def make_club(home: Path, database: str | None, club: Club) -> None:
    application = build(Settings(thusfar_home=home, THUSFAR_EMBEDDINGS="none", DATABASE_URL=database))
    path = home / "small.txt"
    path.write_text(_BOOK, encoding="utf-8")
    place = Thread(scope=f"discord:{club.guild.id}", place=str(club.channel.id), thread="")
    book = (await application.library.add(path, scope=place.scope, title="Small")).book
    await application.threads.use(place, book_id=book.book_id)
    ada = Author(member_id="discord:1", display_name="Ada")
    await application.clubs().positions.set(await application.threads.club(place), text="2", member=ada, confirmed=True)
    await application.close()


if __name__ == "__main__":
    main()
