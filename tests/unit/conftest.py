"""What core's tests stand in: hardly one makes a file, so that a folder a module is enough."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import in_own_home


@pytest.fixture(scope="module", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty THUSFAR_HOME, and a working directory without any .env."""
    with pytest.MonkeyPatch.context() as patch:
        yield in_own_home(tmp_path_factory.mktemp("unit"), patch)
