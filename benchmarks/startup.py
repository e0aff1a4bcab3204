"""What it costs to start: `thusfar --help` beside bare Python starts, and `thusfar chat` until it is ready.

    python -m benchmarks.startup

CPU of child processes, medians; "ready" is the wall time from start to exit of a piped chat that asks nothing, in a
home that is already there. Goals: help at most ten bare Python starts, chat ready under 3 s the second time.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

_THUSFAR = str(Path(sys.executable).with_name("thusfar"))
_STARTS = 15
_CHATS = 5


def _cpu_and_wall(command: Sequence[str], *, home: str, stdin: bytes = b"") -> tuple[float, float]:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "THUSFAR_HOME": home}
    subprocess.run(command, input=stdin, capture_output=True, check=True, env=environment)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        bare, helped = [], []
        for _ in range(_STARTS):  # in turn, so that a slow moment of the machine hits both
            bare.append(_cpu_and_wall([sys.executable, "-c", "pass"], home=home)[0])
            helped.append(_cpu_and_wall([_THUSFAR, "--help"], home=home)[0])
        python, thusfar = statistics.median(bare), statistics.median(helped)
        print(f"bare Python start  {python * 1000:6.1f} ms CPU")
        print(
            f"thusfar --help     {thusfar * 1000:6.1f} ms CPU   {thusfar / python:.1f} bare starts (goal: at most 10)"
        )
        first = _cpu_and_wall([_THUSFAR, "chat"], home=home, stdin=b"/setpage 20\nWho is Prewett?\n")[1]
        print(f"first answer in a new home, sample imported first  {first:.2f} s wall (goal: under 10)")
        ready = [_cpu_and_wall([_THUSFAR, "chat"], home=home, stdin=b"/quit\n")[1] for _ in range(_CHATS)]
        print(f"thusfar chat ready, second time  {statistics.median(ready):.2f} s wall (goal: under 3)")


if __name__ == "__main__":
    main()
