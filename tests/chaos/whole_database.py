"""Backup, restore and upgrade, killed before every step, and with a disk that fills up at every size.

Run as a program of its own (`python -m tests.chaos.whole_database`): each attempt is a fork of it, with a home as a
SIGKILL leaves one. Prints how many attempts of each kind there were, and each problem.
"""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import create_engine

import bot.platforms  # noqa: F401 (imported once, and not by every fork)
from adapters.persistence.migrate import NEWEST_REVISION, upgrade
from adapters.persistence.soundness import what_is_wrong
from adapters.persistence.sqlite import prepare
from bot.cli import main
from tests.old_tables import make_tables

_OLDER = "0032"
_PAGE = 4096
_FULL_AT = (1, 3, 10, 40, 80, 120, 160, 200, 300)
"""Sizes in pages at which a file, or the disk, is full."""
_STEPS = {"open": (0,), "os.rename": (0, 1), "os.remove": (0,), "sqlite3.connect": (0,), "os.truncate": (0,)}
"""Python's audit events of what changes files, with which arguments are paths."""
_MOST_STEPS = 200

Before = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Act:
    """A command, its home beforehand, and what may be found afterwards: what the database or the backup tells of."""

    name: str
    words: Sequence[str]
    template: Path
    subject: str
    before: str
    after: str
    kept: str = ""
    """What a safety copy tells of once the command has run."""


@dataclass(slots=True)
class Report:
    attempts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def make_home(folder: Path, *, said: str, revision: str = "head", log: bool = True) -> None:
    """Make a database that tells of `said`; with `log`, it's in the write-ahead log alone, as a SIGKILL leaves it."""
    folder.mkdir(parents=True)
    live = folder / "live.db"
    engine = create_engine(f"sqlite:///{live}")
    prepare(engine)
    if revision == "head":
        upgrade(engine)
    else:
        with engine.connect() as connection:
            make_tables(connection, f"tables_of_{revision}", revision=revision)
            connection.commit()
    engine.dispose()
    with closing(sqlite3.connect(live, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(40):
            connection.execute(
                "INSERT INTO club (club_id, scope, place, created_at) VALUES (?, ?, ?, '2026-01-01')",
                [f"c_{number}", said, f"{number}" * 2_000],
            )
        if not log:
            connection.execute("PRAGMA journal_mode = DELETE")
        for end in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{live}{end}", folder / f"thusfar.db{end}")
    for each in folder.glob("live.db*"):
        each.unlink()


def told_by(path: Path) -> str:
    """Return what a database tells of, and its schema where that isn't the newest; "" where it can't be used."""
    if not path.is_file():
        return ""
    try:
        if what_is_wrong(path) is not None:
            return ""
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            counted = connection.execute("SELECT scope, count(*) FROM club GROUP BY scope").fetchall()
            (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error:
        return ""
    told = " ".join(f"{scope}*{count}" for scope, count in counted)
    return told if revision == NEWEST_REVISION else f"{told} at {revision}"


def run(act: Act, home: Path, before: Before = lambda: None) -> tuple[int, str]:
    """Run a command in a fork; return how it ended, negative where a signal ended it, and what it said on stderr."""
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        child = os.fork()
        if child == 0:
            os.environ["THUSFAR_HOME"] = str(home)
            os.dup2(log.fileno(), 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.argv = ["thusfar", *(word.format(home=home) for word in act.words)]
            before()
            try:
                main()
            except SystemExit as ended:
                os._exit(int(ended.code or 0))
            os._exit(70)
        _, status = os.waitpid(child, 0)
        log.seek(0)
        return os.waitstatus_to_exitcode(status), log.read()


def killed_before(step: int, home: Path) -> Before:
    """Return what lets a process kill itself before so many changes to files below a home's parent."""
    left = [step]

    def hook(event: str, given: tuple[object, ...]) -> None:
        paths = [str(given[number]) for number in _STEPS.get(event, ())]
        if not any(path.startswith((str(home), f"file://{home}")) for path in paths):
            return
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return lambda: sys.addaudithook(hook)


def full_at(pages: int) -> Before:
    """Return what lets no file grow beyond so many pages, as on a full disk."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (pages * _PAGE, pages * _PAGE))

    return limit


def try_all(act: Act, folder: Path, report: Report, disk: Path | None, every: int) -> None:
    """Kill an act before each of its steps until one attempt has no more of them; then let the disk be full."""
    for step in range(0, _MOST_STEPS, every):
        home = _fresh(act, folder)
        code, _ = run(act, home, killed_before(step, home))
        _look(act, home, report, f"{act.name} killed before step {step}", code)
        if code == 0:
            break
        code, said = run(act, home)  # what a kill left is in nobody's way
        _look(act, home, report, f"{act.name} after a kill before step {step}: {said.strip()}", code, done=True)
    for pages in _FULL_AT[::every]:
        home = _fresh(act, folder)
        code, said = run(act, home, full_at(pages))
        _look(act, home, report, f"{act.name} with files of {pages} pages: {said.strip()}", code)
        _look_at_words(act, report, code, said)
        if disk is not None:
            home = _fresh(act, disk)
            room = os.statvfs(disk).f_bavail - pages
            with (disk / "ballast").open("wb") as ballast:
                os.posix_fallocate(ballast.fileno(), 0, max(1, room) * _PAGE)
            code, said = run(act, home)
            (disk / "ballast").unlink()
            _look(act, home, report, f"{act.name} with a disk of {pages} pages: {said.strip()}", code)
            _look_at_words(act, report, code, said)


def _fresh(act: Act, folder: Path) -> Path:
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(act.template, home)
    return home


def _look(act: Act, home: Path, report: Report, attempt: str, code: int, *, done: bool = False) -> None:
    """Note where the subject is neither as it was nor as it's meant to be, or where the old is lost."""
    report.attempts[act.name] += 1
    told = told_by(home / act.subject)
    copies = sorted(home.glob("*.before-*Z"))
    wrong = told not in ({act.after} if code == 0 else {act.before, act.after})
    lost = told == act.after and bool(act.kept) and act.kept not in map(told_by, copies)
    left = [each.name for each in home.iterdir() if ".part" in each.name or ".restoring" in each.name]
    if wrong or lost or (done and code != 0) or (code >= 0 and left):
        report.problems.append(f"{attempt}: exit {code}, tells {told!r}, copies {copies}, left {left}")


def _look_at_words(act: Act, report: Report, code: int, said: str) -> None:
    if code not in {0, 1} or (code == 1 and len(said.splitlines()) != 1):
        report.problems.append(f"{act.name} on a full disk: exit {code}, {said}")


def acts(folder: Path) -> list[Act]:
    """Make the homes, and return what is done in them."""
    clubs, older, backed = folder / "club", folder / "older", folder / "backed"
    make_home(clubs, said="ours")
    make_home(backed, said="theirs", log=False)
    shutil.copy(backed / "thusfar.db", clubs / "backup.db")
    make_home(older, said="ours", revision=_OLDER)
    make_home(folder / "old-backup", said="theirs", revision=_OLDER, log=False)
    with_old = folder / "with-old"
    shutil.copytree(clubs, with_old)
    shutil.copy(folder / "old-backup" / "thusfar.db", with_old / "backup.db")
    upgraded = ["books", "list"]
    restored = ["restore", "{home}/backup.db"]
    ours, theirs, old = "ours*40", "theirs*40", f"ours*40 at {_OLDER}"
    return [
        Act("backup", ["backup", "{home}/backup.db"], clubs, "backup.db", theirs, ours),
        Act("restore", restored, clubs, "thusfar.db", ours, theirs, ours),
        Act("restore of an older schema", restored, with_old, "thusfar.db", ours, theirs, ours),
        Act("upgrade", upgraded, older, "thusfar.db", old, ours, old),
    ]


def campaign(folder: Path, every: int = 1) -> Report:
    """Try every act: each of its steps and sizes, or every second and so on."""
    report = Report()
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], capture_output=True, check=False)
    try:
        for act in acts(folder):
            try_all(act, folder, report, disk if mounted.returncode == 0 else None, every)
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", disk], check=True)
    return report


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        result = campaign(Path(made).resolve(), *map(int, sys.argv[1:]))
    json.dump({"attempts": result.attempts, "problems": result.problems}, sys.stdout, indent=1)
    sys.exit(bool(result.problems))
