"""What it costs to try Thusfar: from a fresh clone to the first answer of `make run`, with empty caches.

    python -m benchmarks.setting_up

With pip, and with uv where it is there. Prints the CPU of all processes, the time by the clock, and the size of .venv
(of its files: compiled ones of the first start included). The clone has what is committed. Needs a package index.
Returns 1 where a goal is missed.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_ASKS = "/setpage 18\nWho is Hallam?\n"
_ANSWER = "Ralph Hallam had been Surveyor"
_GOALS_S = {"pip": 70, "uv": 20}
_GOAL_MB = 600


def main() -> int:
    """Print the figures; return 1 where a goal is missed."""
    missed = False
    for installer, goal in _GOALS_S.items():
        if installer == "uv" and shutil.which("uv") is None:
            print("uv isn't here: not measured.")
            continue
        with tempfile.TemporaryDirectory() as folder:
            cpu, wall = _first_answer(Path(folder), installer)
            size = _megabytes(Path(folder) / "clone" / ".venv")
        print(
            f"{installer:4}{cpu:6.1f} s CPU (goal {goal}), {wall:.0f} s by the clock, {size:.0f} MB (goal {_GOAL_MB})"
        )
        missed |= cpu > goal or size > _GOAL_MB
    return int(missed)


def _first_answer(folder: Path, installer: str) -> tuple[float, float]:
    subprocess.run(["git", "clone", "--quiet", str(_ROOT), str(folder / "clone")], check=True)
    caches = {"PIP_CACHE_DIR": str(folder / "pip"), "UV_CACHE_DIR": str(folder / "uv")}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "THUSFAR"))}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ran = subprocess.run(
        ["make", "run", *(["UV="] if installer == "pip" else [])],
        cwd=folder / "clone",
        env=environment | caches,
        input=_ASKS,
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if _ANSWER not in ran.stdout:
        sys.exit(f"It gave no answer:\n{ran.stdout}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def _megabytes(folder: Path) -> float:
    return sum(each.lstat().st_blocks * 512 for each in folder.rglob("*")) / 1_000_000


if __name__ == "__main__":
    sys.exit(main())
