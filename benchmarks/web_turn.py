"""The page in the browser: own CPU an answer beside the terminal's, seconds to the first answer, bytes of the page.

    python -m benchmarks.web_turn

Both are run as people start them, with the sample and without a model, once with few questions and once with many; the
difference of what the two runs took, by the system's count, is the cost of the questions between. The browser is played
by this process: it hears what the server tells, as a tab does. Takes about a minute. Returns 1 where a goal is missed.
"""

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import cycle, islice
from pathlib import Path
from typing import Final, TypeVar

import aiohttp

from tests.bot.running import ROOT, environment

Thing = TypeVar("Thing")

_FEW, _MANY, _RUNS = 30, 180, 3
_MORE_MS: Final = 5.0
_FIRST_S: Final = 3.0
_MOST_BYTES: Final = 100_000
_QUESTIONS: Final = (
    "Who is Hallam?",
    "What did Lacey ask Hallam?",
    "Where were the keys of the plate kept?",
    "What did she notice hanging on the nail?",
    "What is the narrator's job?",
)
_THUSFAR: Final = (sys.executable, "-m", "bot")


def main() -> int:
    """Print the figures; return 1 where a goal is missed."""
    terminal, browser = list[float](), list[float]()
    for _ in range(_RUNS):  # the two take turns, since machines are noisy
        terminal.append(_each(_in_terminal))
        browser.append(_each(_in_browser))
    first, used, size = asyncio.run(_first_answer())
    more = statistics.median(browser) - statistics.median(terminal)
    print(f"own CPU an answer: terminal {statistics.median(terminal):.1f} ms, page {statistics.median(browser):.1f} ms")
    print(f"the page takes {more:+.1f} ms (goal: at most +{_MORE_MS:g})")
    print(
        f"from `thusfar web` in an empty home to the first answer: {first:.1f} s, CPU {used:.1f} s (goal: {_FIRST_S:g})"
    )
    print(f"the page with its style, scripts and picture: {size} bytes (goal: {_MOST_BYTES})")
    return int(more > _MORE_MS or first > _FIRST_S or size > _MOST_BYTES)


def _each(run: Callable[[Path, int], float]) -> float:
    """Return what one question takes, in ms."""
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many:
        return 1000 * (run(Path(many), _MANY) - run(Path(few), _FEW)) / (_MANY - _FEW)


def _asked(questions: int) -> list[str]:
    return list(islice(cycle(_QUESTIONS), questions))


def _in_terminal(home: Path, questions: int) -> float:
    typed = "\n".join([*_asked(questions), "/quit", ""]).encode()
    process = _started(home, "chat", "--page", "18")
    stdin = _there(process.stdin)
    stdin.write(typed)
    stdin.close()
    return _cpu_of(process)


def _in_browser(home: Path, questions: int) -> float:
    async def ask(session: aiohttp.ClientSession, address: str) -> None:
        async with session.get(f"{address}events") as events:
            for question in _asked(questions):
                await _answered(session, address, events, question)

    process = _started(home, "web", "--no-open", "--port", "0", "--page", "18")
    asyncio.run(_with_page(process, ask))
    process.terminate()
    return _cpu_of(process)


async def _first_answer() -> tuple[float, float, int]:
    """Return the seconds from the start in an empty home to the first answer, those of CPU, the bytes of the page."""
    sizes: list[int] = []

    async def ask(session: aiohttp.ClientSession, address: str) -> None:
        for path in ("", "static/thusfar.css", "static/common.js", "static/talk.js", "static/thusfar.svg"):
            async with session.get(f"{address}{path}") as response:
                sizes.append(len(await response.read()))
        async with session.get(f"{address}events") as events:
            await session.post(f"{address}page", json={"page": 18}, headers={"Origin": address.rstrip("/")})
            await _answered(session, address, events, _QUESTIONS[0])

    with tempfile.TemporaryDirectory() as home:
        began = time.monotonic()
        process = _started(Path(home), "web", "--no-open", "--port", "0")
        await _with_page(process, ask)
        took = time.monotonic() - began
        process.terminate()
        used = _cpu_of(process)
    return took, used, sum(sizes)


async def _with_page(
    process: subprocess.Popen[bytes], use: Callable[[aiohttp.ClientSession, str], Awaitable[None]]
) -> None:
    """Open the printed link, and use the page."""
    line = (await asyncio.to_thread(_there(process.stdout).readline)).decode()
    link = _there(re.search(r"http://\S+", line))
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(link[0]) as response:
            response.raise_for_status()
        await use(session, link[0].partition("?")[0])


async def _answered(
    session: aiohttp.ClientSession, address: str, events: aiohttp.ClientResponse, question: str
) -> None:
    """Ask, and read what is told until the answer stands."""
    headers = {"Origin": address.rstrip("/")}
    async with session.post(f"{address}say", json={"text": question}, headers=headers) as response:
        entry = (await response.json())["id"]
    async for line in events.content:
        if entry.encode() in line and b"part answer" in line and b"answered" in line:
            return


def _started(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
    env = environment(THUSFAR_HOME=str(home), THUSFAR_PROVIDER="none", PYTHONPATH=str(ROOT))
    return subprocess.Popen(
        [*_THUSFAR, *arguments], cwd=home, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )


def _cpu_of(process: subprocess.Popen[bytes]) -> float:
    """Wait for the end of a process; return its seconds of CPU."""
    while _there(process.stdout).read(65_536):
        pass
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"It ended with {process.returncode}.")
    return used.ru_utime + used.ru_stime


def _there(what: Thing | None) -> Thing:
    if what is None:
        raise SystemExit("The program did not start as expected.")
    return what


if __name__ == "__main__":
    sys.exit(main())
