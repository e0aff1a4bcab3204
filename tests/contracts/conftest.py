"""One suite a port, over the fake and every real adapter."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.persistence.database import Database
from tests.contracts.stores import Stores, in_memory, in_sql, open_database
from tests.homes import made_once

__all__ = ["made_once"]


@pytest.fixture
def database(tmp_path: Path, empty_database: Path) -> Iterator[Database]:
    database = open_database(Path(shutil.copy(empty_database, tmp_path / "thusfar.db")))
    yield database
    database.close()


@pytest.fixture(params=["memory", "sql", "postgres"])
def stores(request: pytest.FixtureRequest) -> Stores:
    if request.param == "memory":
        return in_memory()
    return in_sql(request.getfixturevalue("database" if request.param == "sql" else "kept_postgres"))


@pytest.fixture
def workers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield pool
