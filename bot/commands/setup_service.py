"""The step of `thusfar setup` that keeps the bot running: a systemd service of this user, where there is systemd."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bot.commands.setup_guide import Guide
from core.domain.errors import SettingsError

_UNIT: Final = """\
# Written by `thusfar setup`, which writes it again.

[Unit]
Description=Thusfar, a book-club companion
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=15min
StartLimitBurst=30

[Service]
Type=notify
TimeoutStartSec=15min
WatchdogSec=2min
WorkingDirectory={folder}
Environment={home}
ExecStart={python} -P -m bot serve
UMask=0077
NoNewPrivileges=yes
MemoryMax=3G
Restart=on-failure
RestartSec=10
KillMode=mixed
TimeoutStopSec=60

[Install]
WantedBy=default.target
"""
_ELSEWHERE: Final = "docs/hosting.md says how to keep it running without a window."
_LINGER: Final = "  So that it also runs while you are logged out: sudo loginctl enable-linger"


def keep_running(guide: Guide, *, wanted: bool) -> bool:
    """Offer a service, and start it; return whether the bot runs.

    Raises:
        SettingsError: it is wanted, but there is no systemd, or it doesn't start.
    """
    if not _has_systemd():
        if wanted:
            raise SettingsError(f"This user has no systemd here. {_ELSEWHERE}")
        guide.say(_ELSEWHERE)
        return False
    if not wanted and not guide.yes("Keep it running as a service of yours (systemd)?"):
        return False
    folder = Path.home() / ".config" / "systemd" / "user"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "thusfar.service").write_text(_unit(guide.settings().thusfar_home), encoding="utf-8")
    for words in (["daemon-reload"], ["enable", "thusfar"], ["restart", "thusfar"]):
        if not _did("systemctl", "--user", *words):
            raise SettingsError("The service doesn't start: `journalctl --user -u thusfar` says why.")
    guide.say("  ok    service: it runs; `journalctl --user -u thusfar -f` shows its log")
    if not _did("loginctl", "enable-linger"):
        guide.say(_LINGER)
    return True


def _unit(home: Path) -> str:
    """Return the unit for this folder, home and Python."""
    return _UNIT.format(
        folder=str(Path.cwd()).replace("%", "%%"),
        home=_quoted(f"THUSFAR_HOME={home.resolve()}"),
        python=_quoted(sys.executable),
    )


def _quoted(word: str) -> str:
    """Return a word as a unit has it (systemd.syntax(7)), where % begins a specifier."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _has_systemd() -> bool:
    return shutil.which("systemctl") is not None and _did("systemctl", "--user", "show-environment")


def _did(*words: str) -> bool:
    """Run a program of the system; return whether it succeeded."""
    try:
        run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603
    except OSError:
        return False
    return run.returncode == 0
