"""A store of its own for each test."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.persistence.shelves import Store, store


@pytest.fixture(params=["sqlite", "postgres"])
def shelf_url(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> str:
    """Return the address of the store."""
    if request.param == "sqlite":
        shutil.copy(empty_database, tmp_path / "thusfar.db")
        return f"sqlite:///{tmp_path / 'thusfar.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def shelf(shelf_url: str) -> Iterator[Store]:
    """Open an empty store and close it again."""
    opened = store(shelf_url)
    yield opened
    opened.database.close()
