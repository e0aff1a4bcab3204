"""Started without stdin, stdout or stderr, as some supervisors do: no traceback, and no file gets their numbers."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.running import environment


def _run(command: str, closed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m bot {command} {closed}'],
        capture_output=True,
        check=False,
        text=True,
        env=environment(),
        timeout=60,
    )


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_command_does_its_work(closed: str) -> None:
    ran = _run("books list", closed)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == ""


def test_an_error_that_nobody_can_hear_is_not_told_on_stdout(own_home: Path) -> None:
    ran = _run("books show nothing", "2>&-")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert own_home.exists()
