"""Whether the process before this one crashed."""

import faulthandler
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.crashes import noting_crashes
from tests.bot.running import ROOT


@pytest.fixture(autouse=True)
def pytests_own_notes() -> Iterator[None]:
    yield
    faulthandler.enable()


@pytest.mark.parametrize(("end", "crashed"), [("os.abort()", True), ("os.kill(os.getpid(), 9)", False), ("0", False)])
def test_a_crash_is_noted_and_a_kill_or_an_end_is_not(tmp_path: Path, end: str, crashed: bool) -> None:
    path = tmp_path / "crash.txt"
    code = (
        f"import os, pathlib, bot.crashes as c; n = c.noting_crashes(pathlib.Path({str(path)!r})); n.__enter__(); {end}"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, capture_output=True)
    for expected in (crashed, False):
        with noting_crashes(path) as told:
            assert told is expected
