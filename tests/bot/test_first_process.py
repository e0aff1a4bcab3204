"""The program as the first process of a container, where the kernel ends nobody by a signal of its own accord."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.running import ROOT, environment

_APART = ["unshare", "--user", "--map-root-user", "--pid", "--fork"]


@pytest.mark.usefixtures("own_home")
def test_it_can_be_stopped_before_it_serves_anything() -> None:
    if (
        shutil.which("unshare") is None
        or subprocess.run([*_APART, "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("processes cannot be numbered apart here")
    program = [*_APART, sys.executable, "-m", "bot", "chat"]
    with subprocess.Popen(
        program, env=environment(), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as apart:
        assert apart.stdout is not None
        assert apart.stdout.readline()
        children = Path(f"/proc/{apart.pid}/task/{apart.pid}/children").read_text(encoding="ascii")
        os.kill(int(children), signal.SIGTERM)
        try:
            code = apart.wait(20)
        except subprocess.TimeoutExpired:
            os.kill(int(children), signal.SIGKILL)
            raise
    assert code == 143
