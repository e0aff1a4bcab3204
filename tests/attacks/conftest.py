"""Houses with the sample novel in them, one for each way to answer; the novel is imported once."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.attacks.campaign import House, house_of
from tests.attacks.labels import SAMPLE, labelled
from tests.homes import made_once

__all__ = ["made_once"]


@pytest.fixture(scope="session")
def home_with_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home to copy."""
    home = tmp_path_factory.mktemp("attacks") / "home"

    async def fill() -> None:
        async with house_of(labelled(SAMPLE), home):
            pass

    asyncio.run(fill())
    return home


@pytest.fixture
def sample_home(home_with_sample: Path, own_home: Path) -> Path:
    """A home of the test's own, with the sample novel in it."""
    shutil.copytree(home_with_sample, own_home)
    return own_home


@pytest.fixture
async def house(sample_home: Path) -> AsyncIterator[House]:
    """A house in which a scripted model answers."""
    async with house_of(labelled(SAMPLE), sample_home) as opened:
        yield opened


@pytest.fixture
async def quoting_house(sample_home: Path) -> AsyncIterator[House]:
    """A house without a model."""
    async with house_of(labelled(SAMPLE), sample_home, with_model=False) as opened:
        yield opened


@pytest.fixture
async def verified_house(sample_home: Path) -> AsyncIterator[House]:
    """A house in which the model's answers are verified, as they are by default."""
    async with house_of(labelled(SAMPLE), sample_home, THUSFAR_VERIFIER="all") as opened:
        yield opened


@pytest.fixture
async def strict_house(sample_home: Path) -> AsyncIterator[House]:
    """A house whose guard lets nothing through that does not rest on read text."""
    async with house_of(labelled(SAMPLE), sample_home, THUSFAR_GUARD="strict") as opened:
        yield opened
