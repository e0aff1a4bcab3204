"""Homes that several tests only read, and the sample in a home of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bot.running import thusfar
from tests.homes import made_once

__all__ = ["made_once"]


@pytest.fixture(scope="module")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with the sample; tests that use it change nothing in it that others look at."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THUSFAR_HOME", str(home))
        patch.chdir(home)
        ran = thusfar("ask", "Who?", "--book", "sample", "--page", "1", "--json")
        assert (ran.code, ran.err) == (0, "")
        yield home


@pytest.fixture
def sample(sample_home: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in the shared home with the sample, instead of in the test's own."""
    assert not own_home.exists()
    monkeypatch.setenv("THUSFAR_HOME", str(sample_home))
    return sample_home


@pytest.fixture
def small_book(tmp_path: Path) -> Path:
    """A book of three pages and two chapters."""
    path = tmp_path / "small.txt"
    path.write_text(
        "CHAPTER I\n\nThe lighthouse keeper lit the lamp.\f"
        "The storm broke the window of the tower.\f"
        "CHAPTER II\n\nThe keeper's daughter rowed out to the wreck.",
        encoding="utf-8",
    )
    return path
