"""The dependency rules of pyproject.toml hold, and forbid what they are there to forbid."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.source import ROOT, modules, names_imported, packages_imported, relative

_CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
_ADAPTERS = {f"adapters.{path.parent.name}" for path in (ROOT / "adapters").glob("*/__init__.py")}
_SHARED = "adapters.platform"
"""What the platforms share is for every platform to import."""
_ANYBODYS = {"_typeshed", "charset_normalizer", "markupsafe", "yarl"}
"""Small packages that one adapter alone happens to import; another may, too."""
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
    layers = {tuple(c["layers"]) for c in _CONTRACTS if c["type"] == "layers"}
    folders = {path.parent.name for path in (ROOT / "core").glob("*/__init__.py")}
    assert ("bot", "adapters", "core") in layers
    assert any(folders == set(layer) for layer in layers)


def test_every_folder_of_adapters_is_a_stranger_to_the_others() -> None:
    strangers = {name for c in _CONTRACTS if c["type"] == "independence" for name in c["modules"]}
    assert strangers == _ADAPTERS - {_SHARED}
    of_the_shared = [set(c["forbidden_modules"]) for c in _CONTRACTS if c.get("source_modules") == [_SHARED]]
    assert any(strangers <= forbidden for forbidden in of_the_shared)


@pytest.mark.parametrize("contract", [c for c in _CONTRACTS if c["name"].endswith("one home")], ids=lambda c: c["name"])
def test_what_has_one_home_is_forbidden_everywhere_else(contract: dict[str, Any]) -> None:
    house = {"bot", "core"} | _ADAPTERS
    assert set(contract["source_modules"]) < house
    (home,) = house - set(contract["source_modules"])
    imported = {name for path in modules(home.replace(".", "/")) for name in packages_imported(path)}
    # WordLlama's files are read without importing it.
    assert set(contract["forbidden_modules"]) - imported <= {"wordllama"}


def test_what_one_adapter_alone_imports_has_its_contract() -> None:
    users: dict[str, set[str]] = {}
    for home in ("bot", "core", *sorted(_ADAPTERS)):
        for path in modules(home.replace(".", "/")):
            for package in packages_imported(path):
                users.setdefault(package, set()).add(home)
    settled = {name for c in _CONTRACTS if c["name"].endswith("one home") for name in c["forbidden_modules"]}
    alone = {package for package, homes in users.items() if len(homes) == 1 and homes <= _ADAPTERS}
    assert alone - settled <= _ANYBODYS


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
