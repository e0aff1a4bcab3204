"""The dependency rules of pyproject.toml hold, and forbid what they are there to forbid."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, modules, names_imported, relative

_LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [_LINT_IMPORTS, "--no-cache"], cwd=folder, capture_output=True, text=True, timeout=100, check=False
    )


def test_every_import_contract_is_kept() -> None:
    lint = _lint(ROOT)
    assert lint.returncode == 0, lint.stdout
    assert "0 broken" in lint.stdout


def test_the_contracts_cover_the_three_houses_and_every_layer_of_core() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = {tuple(c["layers"]) for c in config["contracts"] if c["type"] == "layers"}
    folders = {path.parent.name for path in (ROOT / "core").glob("*/__init__.py")}
    assert ("bot", "adapters", "core") in layers
    assert any(folders == set(layer) for layer in layers)


@pytest.mark.parametrize("package", ["core", "adapters"])
def test_only_the_settings_read_the_environment(package: str) -> None:
    readers = [relative(path) for path in modules(package) if names_imported(path, origin="os") & {"environ", "getenv"}]
    assert readers == []


def test_no_test_uses_mocks() -> None:
    users = [
        relative(path)
        for path in modules("tests")
        if names_imported(path, origin="unittest") & {"mock"} or names_imported(path, origin="unittest.mock")
    ]
    assert users == []
