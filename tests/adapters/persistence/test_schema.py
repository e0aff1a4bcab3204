"""The schema that Alembic makes is the one that the tables declare, and only known databases are opened."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlmodel import SQLModel

import adapters.persistence.club_life_tables
import adapters.persistence.partial_indexes
import adapters.persistence.tables
from adapters.persistence import migrate
from adapters.persistence.database import Database
from adapters.persistence.migrate import NEWEST_REVISION, current_revision, refuse_newer, upgrade
from core.domain.errors import StorageError
from tests.adapters.persistence.shelves import processes
from tests.bot.running import thusfar
from tests.postgres import fresh_database

_SCRIPTS = Path(adapters.persistence.tables.__file__).parent / "migrations"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "thusfar.db"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, file: Path) -> Iterator[str]:
    """Return the address of an empty database."""
    with (
        nullcontext(f"sqlite:///{file}")
        if request.param == "sqlite"
        else fresh_database(request.getfixturevalue("postgres_server")) as address
    ):
        yield address


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database(url)
    yield opened
    opened.close()


def test_the_migrations_make_exactly_the_declared_tables(database: Database) -> None:
    upgrade(database.engine)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True, "render_as_batch": True}
        )
        assert compare_metadata(context, SQLModel.metadata) == []


def test_the_known_revisions_are_those_of_the_scripts() -> None:
    scripts = ScriptDirectory(str(_SCRIPTS))
    assert scripts.get_heads() == [NEWEST_REVISION]
    assert [script.revision for script in scripts.walk_revisions()] == list(reversed(migrate._REVISIONS))


def test_revisions_before_the_baseline_are_known_too() -> None:
    assert [migrate.is_known(each) for each in ("0001", "0033", "0034", "0000", "0099")] == [True] * 3 + [False] * 2


def test_a_schema_of_a_newer_version_is_refused_in_one_line(
    database: Database, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(database.engine)
    refuse_newer(database.engine)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for refusing in (upgrade, refuse_newer):
        with pytest.raises(StorageError) as refused:
            refusing(database.engine)
        assert "9999" in str(refused.value)
        assert "\n" not in str(refused.value)
    monkeypatch.setenv("THUSFAR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DATABASE_URL", url)
    for words in (("books", "list"), ("search", "x", "--book", "y", "--page", "1"), ("db", "upgrade")):
        assert "update Thusfar" in thusfar(*words).failed_in_one_line()
    assert current_revision(database.engine) == "9999"


def _noise(file: Path) -> None:
    file.write_bytes(b"this is no database at all " * 500)


def _folder(file: Path) -> None:
    file.mkdir()


@pytest.mark.parametrize("damage", [_noise, _folder])
def test_a_file_that_is_not_a_database_is_refused_in_one_line(file: Path, damage: Callable[[Path], None]) -> None:
    damage(file)
    database = Database(f"sqlite:///{file}")
    with pytest.raises(StorageError) as refused:
        upgrade(database.engine)
    assert "\n" not in str(refused.value)
    database.close()


def _upgrade_in_a_process(url: str, lock: str | None, results: "multiprocessing.SimpleQueue[object]") -> None:
    database = Database(url)
    try:
        results.put(upgrade(database.engine, lock_path=Path(lock) if lock else None))
    except StorageError as error:
        results.put(str(error))
    finally:
        database.close()


def test_processes_that_start_at_once_upgrade_once(url: str, tmp_path: Path) -> None:
    context = processes()
    results = context.SimpleQueue()
    lock = str(tmp_path / "upgrade.lock") if url.startswith("sqlite") else None
    started = [context.Process(target=_upgrade_in_a_process, args=(url, lock, results)) for _ in range(3)]
    for process in started:
        process.start()
    for process in started:
        process.join(timeout=60)
    assert sorted(str(results.get()) for _ in started) == ["False", "False", "True"]
