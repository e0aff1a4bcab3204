"""Every test runs in a home of its own, with none of this machine's settings."""

from pathlib import Path

import pytest

_SETTINGS = ("DATABASE_URL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty THUSFAR_HOME, and a working directory without any .env."""
    home = tmp_path / "home"
    work = tmp_path / "work"
    work.mkdir()
    for name in _SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("THUSFAR_HOME", str(home))
    monkeypatch.chdir(work)
    return home
