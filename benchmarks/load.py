"""Many threads that ask on one process: `python -m benchmarks.load --threads 400`, or `--threads 1000 --over 60`.

The program as people start it (`thusfar serve`, SQLite) on a loopback Discord, with a model that takes 1 to 3 s a call;
verifier and judge are off, so that an answer is one call. Told are how many were lost or failed, how long it took from
a question to its answer, how much of that was not the model's, and the program's own CPU a turn. The platform is
another process, and shares the machine's cores with it.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path

import psutil

from benchmarks.slow_model import SlowModel
from benchmarks.workers import make_club
from tests.bot.program import Program
from tests.bot.running import environment
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Message

_WARM = 20
_LONGEST_S = 180.0


def main() -> None:
    """Print the figures of one run as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=400)
    parser.add_argument("--over", type=float, default=0.0, help="seconds over which they ask; 0 is all at once")
    parser.add_argument("--model", type=float, nargs=2, default=(1.0, 3.0), metavar="SECONDS")
    arguments = parser.parse_args()
    print(json.dumps(asyncio.run(_measured(arguments))))


async def _measured(arguments: argparse.Namespace) -> dict[str, object]:
    model = SlowModel(between=tuple(arguments.model))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        async with DiscordServer() as server, model.served() as address:
            club = server.add_club()
            env = environment(
                DISCORD_TOKEN=server.token,
                DISCORD_API_BASE=server.api_base,
                THUSFAR_HOME=str(home),
                THUSFAR_EMBEDDINGS="none",
                THUSFAR_QUESTIONS_A_MINUTE="100000",
                THUSFAR_PROVIDER="openai",
                THUSFAR_VERIFIER="off",
                THUSFAR_SCOPE_JUDGE="false",
                OPENAI_BASE_URL=address,
                OPENAI_API_KEY="sk-test",
            )
            await make_club(home, None, club)
            with Program("serve", env=env) as program:
                await server.identified()
                return await _asked(arguments, server, club, model, psutil.Process(program.pid))


async def _asked(
    arguments: argparse.Namespace, server: DiscordServer, club: Club, model: SlowModel, process: psutil.Process
) -> dict[str, object]:
    count, over = arguments.threads, arguments.over
    threads = [server.create_thread(club.channel, server.bot, f"Thread {n}") for n in range(count)]

    def say(number: int, thread: int) -> Message:
        return server.say(
            threads[thread], club.ada, f"{server.bot.mention} What broke the window of tower number {number}?"
        )

    warm = [say(10_000_000 + n, n) for n in range(_WARM)]
    await server.wait_for(lambda: all(_is_answered(server, one) for one in warm), within=60)
    calls, cpu, queued, began = len(server.calls), _cpu(process), _queued(process.pid), time.monotonic()
    own_queued = _queued(os.getpid())
    asked: list[tuple[int, Message, float]] = []
    for number in range(count):
        await asyncio.sleep(max(0.0, began + over * number / count - time.monotonic()))
        asked.append((number, say(number, number), time.monotonic()))
    by_reply: dict[int, float] = {}
    ended = time.monotonic() + _LONGEST_S
    waiting = {message.id: (number, message, at) for number, message, at in asked}
    while waiting and time.monotonic() < ended:
        for key, (number, message, _) in list(waiting.items()):
            if _is_answered(server, message):
                by_reply[number] = _stands_since(server, message)
                del waiting[key]
        await asyncio.sleep(0.2)
    took = sorted(by_reply[number] - at for number, _, at in asked if number in by_reply)
    beyond = sorted(by_reply[number] - at - model.took[number] for number, _, at in asked if number in by_reply)
    until_model = sorted(model.came[number] - at for number, _, at in asked if number in model.came)
    return {
        "asked": count,
        "lost": len(waiting),
        "calls of the platform a turn": round((len(server.calls) - calls) / count, 1),
        "CPU ms a turn": round((_cpu(process) - cpu) / count * 1e3, 1),
        "seconds it ran; waited for a core; the platform did": [
            round(seconds, 1)
            for seconds in (_cpu(process) - cpu, _queued(process.pid) - queued, _queued(os.getpid()) - own_queued)
        ],
        "seconds to the answer (p50, p99, most)": _spread(took),
        "beyond the model": _spread(beyond),
        "until the model was asked": _spread(until_model),
    }


def _is_answered(server: DiscordServer, message: Message) -> bool:
    """Look in its own thread alone: platform and model answer nobody meanwhile."""
    return any(one.reply_to is message for one in server.by_bot(message.channel))


def _stands_since(server: DiscordServer, message: Message) -> float:
    """When the call that posted an answer came in."""
    path = f"/channels/{message.channel.id}/messages"
    return next(call.at for call in reversed(server.calls) if call.method == "POST" and call.path.endswith(path))


def _spread(seconds: list[float]) -> list[float]:
    return [round(seconds[min(len(seconds) - 1, int(len(seconds) * share))], 2) for share in (0.5, 0.99, 1)]


def _queued(process: int) -> float:
    """For how many seconds the threads of a process were ready to run and had no core (Linux)."""
    told = (path.read_text() for path in Path(f"/proc/{process}/task").glob("*/schedstat"))
    return sum(int(one.split()[1]) for one in told) / 1e9


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    main()
