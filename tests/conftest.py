"""Every test runs in a home of its own, with none of this machine's settings."""

import gc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from bot.settings import Settings
from tests.postgres import own_database, postgres, postgres_server, postgres_url

__all__ = ["own_database", "postgres", "postgres_server", "postgres_url"]

_SETTINGS = [str(field.validation_alias or name).upper() for name, field in Settings.model_fields.items()]


# What is drawn is the same in each run, and no slow moment of a machine counts as a failure: a test that fails now and
# then says nothing. `--hypothesis-profile explore` draws anew.
settings.register_profile(
    "steady", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


def pytest_configure() -> None:
    """Leave the garbage alone while everything is imported: there is none."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Seldom look for garbage, and never among what is there now: looking through it took half of the run."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True)
def own_home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty THUSFAR_HOME, and a working directory without any .env."""
    return in_own_home(tmp_path, monkeypatch, speaks_tls=request.node.get_closest_marker("integration") is not None)


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
