"""Backup, restore and upgrade, killed before every step and on full disks: the old or the new is there, whole."""

import json
import subprocess
import sys

from tests.bot.running import environment
from tests.patience import PATIENCE_S


def test_a_kill_or_a_full_disk_leaves_the_old_or_the_new() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.chaos.whole_database", "6"],
        capture_output=True,
        check=False,
        env=environment(),
        timeout=10 * PATIENCE_S,
    )
    report = json.loads(run.stdout)
    assert report["problems"] == [], run.stderr.decode()
    assert min(report["attempts"].values()) > 5
