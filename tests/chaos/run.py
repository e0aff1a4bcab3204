"""A long campaign by hand: `python -m tests.chaos.run discord --questions 1000 --kills 100 --seed 7`.

What is printed last, as JSON, is what went wrong, of which nothing is meant to, how often each fault was met, and where
the kills fell. The same seed asks the same and aims at the same stages.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import text

from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from tests.chaos.campaign import Plan, Result, run
from tests.chaos.discord_scene import DiscordScene
from tests.chaos.slack_scene import SlackScene
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack.server import SlackServer
from tests.postgres import fresh_database, packaged_server


async def on(platform: str, plan: Plan, home: Path) -> Result:
    """Run a campaign on a platform."""
    if platform == "discord":
        async with DiscordServer() as discord:
            return await run(DiscordScene(discord), plan, home)
    async with SlackServer() as slack:
        return await run(SlackScene(slack), plan, home)


def _prepare(address: str) -> None:
    """Make the tables; what is committed survives a crash of the server, as where nobody has set it otherwise."""
    database = Database(address)
    upgrade(database.engine)
    if database.engine.dialect.name == "postgresql":
        with database.engine.begin() as connection:
            name = database.engine.url.database
            connection.execute(text(f'ALTER DATABASE "{name}" SET synchronous_commit = on'))
    database.close()


def _told(plan: Plan, result: Result, seconds: float) -> dict[str, object]:
    """Return what is printed last."""
    return {
        "seed": plan.seed,
        "seconds": round(seconds),
        "problems": result.problems,
        "failures told": result.failed,
        "given up": result.given_up,
        "faults": result.faults,
        "blows": result.kills.blows,
        "kills aimed at": result.kills.aimed,
        "no sign of what was aimed at": result.kills.in_vain,
        "kills that met turns in": result.kills.struck,
        "turns met in": result.kills.turns,
    }


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platform", choices=["discord", "slack"])
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--workers", type=int, default=0, help="so many processes answer, and one listens")
    parser.add_argument(
        "--database",
        help="the address of an empty database, or `own` for a PostgreSQL started for this; SQLite without it",
    )
    parser.add_argument("--stalls", type=int, default=0, help="so often a process stands still (SIGSTOP)")
    parser.add_argument("--restarts", type=int, default=0, help="so often the database goes away for a while")
    parser.add_argument("--lease", type=int, default=20, help="after so many seconds others take over")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    arguments = parser.parse_args()
    given = vars(arguments)
    platform = given.pop("platform")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as made:
        crashes = given["database"] == "own"
        if crashes:
            server = made.enter_context(packaged_server(Path(folder)))
            given["database"] = made.enter_context(fresh_database(server))
        plan = Plan(**given, crashes=crashes)
        if plan.database is not None:
            _prepare(plan.database)
        print(plan, file=sys.stderr, flush=True)
        began = time.monotonic()
        home = Path(folder) / "home"
        home.mkdir()
        result = asyncio.run(on(platform, plan, home))
    for detail in result.details:
        print(detail, file=sys.stderr)
    print(json.dumps(_told(plan, result, time.monotonic() - began), ensure_ascii=False, indent=1))
    sys.exit(bool(result.problems))


if __name__ == "__main__":
    main()
