"""A home for each module of core's tests, a club in memory, and scripted models that must be played to their end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import in_own_home
from tests.fakes.clock import FrozenClock
from tests.fakes.fixtures import scripted
from tests.memory import rows_dated_by
from tests.unit.world import World

__all__ = ["scripted"]


@pytest.fixture(scope="module", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty THUSFAR_HOME, and a working directory without any .env."""
    with pytest.MonkeyPatch.context() as patch:
        yield in_own_home(tmp_path_factory.mktemp("unit"), patch)


@pytest.fixture
def row_clock() -> Iterator[FrozenClock]:
    """The clock by which rows are dated."""
    clock = FrozenClock()
    with rows_dated_by(clock):
        yield clock


@pytest.fixture
def world() -> World:
    return World()
