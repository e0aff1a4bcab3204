"""Every test runs in a home of its own, with none of this machine's settings."""

from pathlib import Path

import pytest

from bot.settings import Settings

_SETTINGS = [str(field.validation_alias or name).upper() for name, field in Settings.model_fields.items()]


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
