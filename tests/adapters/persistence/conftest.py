"""A store of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.persistence.shelves import Store, store


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Store]:
    """Open an empty store and close it again."""
    opened = store(tmp_path / "thusfar.db")
    yield opened
    opened.database.close()
