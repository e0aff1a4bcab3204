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
from pathlib import Path

from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from tests.chaos.campaign import Plan, Result, run
from tests.chaos.discord_scene import DiscordScene
from tests.chaos.slack_scene import SlackScene
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack.server import SlackServer


async def on(platform: str, plan: Plan, home: Path) -> Result:
    """Run a campaign on a platform."""
    if platform == "discord":
        async with DiscordServer() as discord:
            return await run(DiscordScene(discord), plan, home)
    async with SlackServer() as slack:
        return await run(SlackScene(slack), plan, home)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platform", choices=["discord", "slack"])
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--workers", type=int, default=0, help="so many processes answer, and one listens")
    parser.add_argument("--database", help="the address of an empty database; SQLite without it")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    arguments = parser.parse_args()
    plan = Plan(
        seed=arguments.seed,
        questions=arguments.questions,
        kills=arguments.kills,
        workers=arguments.workers,
        database=arguments.database,
    )
    if plan.database is not None:
        made = Database(plan.database)
        upgrade(made.engine)
        made.close()
    print(plan, file=sys.stderr, flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        result = asyncio.run(on(arguments.platform, plan, home))
    for detail in result.details:
        print(detail, file=sys.stderr)
    told = {
        "seed": plan.seed,
        "seconds": round(time.monotonic() - began),
        "problems": result.problems,
        "failures told": result.failed,
        "given up": result.given_up,
        "faults": result.faults,
        "kills aimed at": result.kills.aimed,
        "no sign of what was aimed at": result.kills.in_vain,
        "kills that met turns in": result.kills.struck,
        "turns met in": result.kills.turns,
    }
    print(json.dumps(told, ensure_ascii=False, indent=1))
    sys.exit(bool(result.problems))


if __name__ == "__main__":
    main()
