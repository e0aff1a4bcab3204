"""One suite a port, over the fake and every real adapter."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.persistence.database import Database
from tests.contracts.stores import Stores, in_memory, in_sql, open_database


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the newest schema; making one takes a while, copying it does not."""
    path = tmp_path_factory.mktemp("schema") / "empty.db"
    open_database(path).close()
    return path


@pytest.fixture
def database(tmp_path: Path, empty_database: Path) -> Iterator[Database]:
    database = open_database(Path(shutil.copy(empty_database, tmp_path / "thusfar.db")))
    yield database
    database.close()


@pytest.fixture(params=["memory", "sql"])
def stores(request: pytest.FixtureRequest) -> Stores:
    return in_memory() if request.param == "memory" else in_sql(request.getfixturevalue("database"))


@pytest.fixture
def workers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield pool
