"""One suite a port: the SQL stores on both databases, everything else over its adapters and its fake."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.persistence.database import Database
from tests.contracts.stores import Stores, open_database
from tests.homes import made_once

__all__ = ["made_once"]


@pytest.fixture
def database(tmp_path: Path, empty_database: Path) -> Iterator[Database]:
    database = open_database(Path(shutil.copy(empty_database, tmp_path / "thusfar.db")))
    yield database
    database.close()


@pytest.fixture(params=["sql", "postgres"])
def stores(request: pytest.FixtureRequest) -> Stores:
    return Stores(request.getfixturevalue("database" if request.param == "sql" else "kept_postgres"))


@pytest.fixture
def workers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield pool
