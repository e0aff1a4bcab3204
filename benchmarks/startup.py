"""What it costs to start: the CPU of whole commands beside that of a bare Python start; and `thusfar chat` until ready.

    python -m benchmarks.startup

Children's CPU, medians, in turn, so that a slow moment of the machine hits all alike. Goals are in bare starts
(`python -c pass`), which wander as the machine does: 0.9 s for `ask` and 0.5 s for `books list` were set where a bare
start takes 11 ms. The bytecode is compiled, and but for the first answer the home is there with the sample in
it. "Ready" is the wall time from start to exit of a piped chat that asks nothing. Returns 1 where a goal is missed.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_THUSFAR = str(Path(sys.executable).with_name("thusfar"))
_STARTS = 15
_CHATS = 5
_READY_S, _FIRST_S = 3.0, 10.0
_BARE = "python -c pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is started, and how many bare starts it may take."""

    arguments: Sequence[str]
    goal: float


_COMMANDS = {
    _BARE: Command(arguments=[sys.executable, "-c", "pass"], goal=1),
    "thusfar --help": Command(arguments=[_THUSFAR, "--help"], goal=10),
    "thusfar books list": Command(arguments=[_THUSFAR, "books", "list"], goal=45),
    "thusfar ask": Command(arguments=[_THUSFAR, "ask", "Who is Prewett?", "--book", "sample", "--page", "20"], goal=82),
}


def main() -> int:
    """Print the figures; return 1 where a goal is missed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "THUSFAR_HOME": f"{folder}/home", "PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        asks = b"/setpage 20\nWho is Prewett?\n"
        _run([_THUSFAR, "chat"], {**environment, "THUSFAR_HOME": f"{folder}/compiling"}, stdin=asks)
        first = _run([_THUSFAR, "chat"], environment, stdin=asks)[1]
        took: dict[str, list[float]] = {name: [] for name in _COMMANDS}
        for start in range(1 + _STARTS):
            for name, command in _COMMANDS.items():
                cpu, _ = _run(command.arguments, environment)
                if start:  # the first one compiles what is not compiled yet
                    took[name].append(cpu)
        missed = _tell({name: statistics.median(each) for name, each in took.items()})
        ready = statistics.median(_run([_THUSFAR, "chat"], environment, stdin=b"/quit\n")[1] for _ in range(_CHATS))
        print(f"thusfar chat, ready: {ready:.2f} s by the clock (goal {_READY_S:g})")
        print(f"first answer in a new home, with the sample's import: {first:.2f} s by the clock (goal {_FIRST_S:g})")
    return int(missed or ready > _READY_S or first > _FIRST_S)


def _tell(seconds: Mapping[str, float]) -> bool:
    missed = False
    for name, command in _COMMANDS.items():
        starts = seconds[name] / seconds[_BARE]
        print(f"{name:20}{seconds[name] * 1000:7.0f} ms CPU {starts:6.1f} bare starts (goal {command.goal:g})")
        missed |= starts > command.goal
    return missed


def _run(command: Sequence[str], environment: Mapping[str, str], *, stdin: bytes = b"") -> tuple[float, float]:
    """Return the seconds of CPU and by the clock that a command took, its own children included."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, input=stdin, capture_output=True, check=True, env=environment)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


if __name__ == "__main__":
    sys.exit(main())
