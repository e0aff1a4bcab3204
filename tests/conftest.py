"""Every test runs in a home of its own, with none of this machine's settings."""

import gc
import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

from bot.settings import Settings
from tests.chroma_server import chroma_server
from tests.homes import empty_database
from tests.memory import close_databases, give_back_databases
from tests.postgres import kept_postgres, kept_sessions, own_database, postgres, postgres_server, postgres_url

__all__ = [
    "chroma_server", "empty_database", "kept_postgres", "kept_sessions", "own_database", "postgres", "postgres_server",
    "postgres_url",
]  # fmt: skip

_ROOT = Path(__file__).parent
_LONG_FIRST = (
    "property", "chaos", "attacks", "bot", "fuzz", "adapters/retrieval", "adapters/readers", "adapters/persistence",
    "unit/guard", "unit/text", "architecture", "adapters", "scenarios", "contracts", "platform_servers",
)  # fmt: skip
"""Folders in which single files take long; those that take milliseconds come last."""
_MORE_THAN_CORES = 2
"""Processes: nearly half of its time a test waits, for a moment to pass or for a program that it has started."""
_MEMORY = Path("/dev/shm")  # noqa: S108 (pytest makes a folder there that is the user's own)
_ROOM = 4 * 1024**3
"""Bytes free in it: a run leaves some hundred million, and others may do the same."""
_SETTINGS = [str(field.validation_alias or name).upper() for name, field in Settings.model_fields.items()]


# What is drawn is the same in each run, and no slow moment of a machine counts as a failure: a test that fails now and
# then says nothing. `--hypothesis-profile explore` draws anew.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
# Where it keeps what it works out of Unicode, which takes seconds: else in each process's first folder of a test.
set_hypothesis_home_dir(_ROOT.parent / ".hypothesis")


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Let somewhat more processes share the cores, where nobody has said how many."""
    found = yield
    return found if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else found + _MORE_THAN_CORES


def pytest_configure() -> None:
    """Leave the garbage alone while everything is imported: there is none. Keep homes in memory, where that is so."""
    gc.disable()
    if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


def pytest_collection_finish() -> None:
    """Seldom look for garbage, and never among what is there now: looking through it took half of the run."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that in the end no process waits for another's."""
    items.sort(key=lambda item: _place(item.path))


def _place(path: Path) -> int:
    folder = path.relative_to(_ROOT).parent.as_posix()
    places = [place for place, long in enumerate(_LONG_FIRST) if f"{folder}/".startswith(f"{long}/")]
    return places[0] if places else len(_LONG_FIRST)


@pytest.fixture(autouse=True)
def own_home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty THUSFAR_HOME, and a working directory without any .env."""
    return in_own_home(tmp_path, monkeypatch, speaks_tls=request.node.get_closest_marker("integration") is not None)


@pytest.fixture(autouse=True)
def free_databases() -> Iterator[None]:
    """Let the next test have this one's databases in memory."""
    yield
    give_back_databases()


@pytest.fixture(scope="session", autouse=True)
def closed_databases() -> Iterator[None]:
    """Close those databases in the end."""
    yield
    close_databases()


def in_own_home(folder: Path, patch: pytest.MonkeyPatch, *, speaks_tls: bool = False) -> Path:
    """Set the environment to a home that is yet to be made.

    No test but those with a real model speaks TLS, and reading this machine's certificates takes 20 ms a client.
    """
    home = folder / "home"
    work = folder / "work"
    work.mkdir()
    for name in _SETTINGS:
        patch.delenv(name, raising=False)
    if not speaks_tls:
        patch.delenv("SSL_CERT_FILE", raising=False)
        patch.setenv("SSL_CERT_DIR", str(work))
    patch.setenv("THUSFAR_HOME", str(home))
    patch.setenv("THUSFAR_MINILM_FOLDER", str(folder / "minilm"))  # else one that this machine has
    patch.chdir(work)
    return home
