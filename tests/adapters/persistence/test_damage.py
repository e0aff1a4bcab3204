"""SQLite files damaged by a crash or a bad disk: reported, and never taken for a new home."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adapters.persistence.damage import damage_of
from tests.bot.running import thusfar

_PAGE = 4096
_FRAME = _PAGE + 24


@pytest.fixture
def logged(tmp_path: Path) -> Path:
    """A database whose log holds several transactions, as a kill leaves it: copied while it is open."""
    path, copy = tmp_path / "live.db", tmp_path / "thusfar.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("CREATE TABLE said (text)")
        for number in range(20):
            connection.execute("INSERT INTO said VALUES (?)", [f"{number}" * 2_000])
        for each in (path, path.with_name("live.db-wal")):
            shutil.copy(each, tmp_path / each.name.replace("live", "thusfar"))
    return copy


def _spoil(path: Path, at: int) -> None:
    log = path.with_name(f"{path.name}-wal")
    content = bytearray(log.read_bytes())
    content[at] ^= 0xFF
    log.write_bytes(content)


def test_a_database_left_by_a_kill_is_intact(logged: Path) -> None:
    assert damage_of(logged, frames=None) is None
    log = logged.with_name("thusfar.db-wal")
    log.write_bytes(log.read_bytes()[: -_FRAME // 2])
    assert damage_of(logged, frames=None) is None
    assert damage_of(logged.with_name("none.db")) is None


@pytest.mark.parametrize("at", [0, 20, 30], ids=["magic", "salt", "checksum"])
def test_an_inconsistent_header_is_detected(logged: Path, at: int) -> None:
    _spoil(logged, at)
    assert "header" in str(damage_of(logged))


def test_a_damaged_frame_before_a_complete_transaction_is_detected(logged: Path) -> None:
    _spoil(logged, 32 + 5 * _FRAME + 100)
    assert "frame 6" in str(damage_of(logged, frames=None))


@pytest.mark.parametrize("words", [["books", "list"], ["backup", "copy.db"]], ids=" ".join)
def test_an_empty_file_is_not_a_new_home(own_home: Path, words: list[str]) -> None:
    own_home.mkdir()
    (own_home / "thusfar.db").touch()
    assert "empty file" in thusfar(*words).failed_in_one_line()
    assert (own_home / "thusfar.db").stat().st_size == 0


def test_a_damaged_log_is_reported_and_left_unchanged(own_home: Path, logged: Path) -> None:
    own_home.mkdir()
    _spoil(logged, 0)
    for name in ("thusfar.db", "thusfar.db-wal"):
        shutil.copy(logged.with_name(name), own_home / name)
    before = (own_home / "thusfar.db-wal").read_bytes()
    assert "thusfar.db-wal is damaged" in thusfar("books", "list").failed_in_one_line()
    assert (own_home / "thusfar.db-wal").read_bytes() == before


def test_a_damaged_database_is_reported_with_how_to_restore_a_backup(own_home: Path) -> None:
    own_home.mkdir(exist_ok=True)
    (own_home / "thusfar.db").write_bytes(b"no database at all" * 500)
    ran = thusfar("books", "list")
    assert ran.code == 1
    assert "`thusfar restore FILE` puts a backup in its place" in ran.err
