"""What `make dist` builds: the wheel, installed into an empty environment, answers about the sample novel."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

_BIN = Path(sys.executable).parent
_VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
_ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("PYTHON", "THUSFAR", "VIRTUAL_ENV", "MAKE")) and not name.endswith(("_KEY", "_TOKEN"))
}
_NO_INDEX = re.compile(r"Failed to fetch|error sending request|dns error")
_ASKS = "/setpage 18\nWho is Hallam?\n"


def _run(*command: str | Path, cwd: Path = ROOT, asks: str = "") -> str:
    ran = subprocess.run(command, cwd=cwd, env=_ENVIRONMENT, input=asks, capture_output=True, text=True, check=False)
    if ran.returncode and (unreachable := _NO_INDEX.search(ran.stderr)):
        pytest.skip(f"no package index to install from: {unreachable.group()}")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release, made by `make dist` with the tools that are there."""
    if not (_BIN / "uv").is_file() or not (_BIN / "cyclonedx-py").is_file():
        pytest.skip("uv or cyclonedx-py isn't beside this Python: `make tools` installs them")
    folder = tmp_path_factory.mktemp("release") / "dist"
    _run("make", "dist", "--old-file=tools", f"BIN={_BIN}", f"DIST={folder}")
    return folder


def test_a_release_is_a_wheel_its_source_and_a_bill_of_materials(built: Path) -> None:
    assert sorted(each.name for each in built.iterdir() if each.name != ".gitignore") == [
        f"thusfar-{_VERSION}-py3-none-any.whl",
        f"thusfar-{_VERSION}.cdx.json",
        f"thusfar-{_VERSION}.tar.gz",
    ]
    with tarfile.open(built / f"thusfar-{_VERSION}.tar.gz") as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert {"LICENSE", "Makefile", "README.md", "requirements.lock", ".env.example", "tests/__init__.py"} <= names
    assert {name for name in names if name.startswith((".venv", ".thusfar", "dist/", ".git/"))} == set()


def test_the_wheel_has_what_operators_need(built: Path) -> None:
    with zipfile.ZipFile(built / f"thusfar-{_VERSION}-py3-none-any.whl") as wheel:
        shared = f"thusfar-{_VERSION}.data/data/share/thusfar"
        for inside, here in (
            (f"{shared}/.env.example", ".env.example"),
            (f"{shared}/deploy/thusfar.service", "docs/deploy/thusfar.service"),
            (f"{shared}/deploy/thusfar-work@.service", "docs/deploy/thusfar-work@.service"),
            ("adapters/slack/manifest.json", "adapters/slack/manifest.json"),
            (f"thusfar-{_VERSION}.dist-info/licenses/LICENSE", "LICENSE"),
        ):
            assert wheel.read(inside) == (ROOT / here).read_bytes()


def test_the_bill_of_materials_names_what_is_locked(built: Path) -> None:
    bill = json.loads((built / f"thusfar-{_VERSION}.cdx.json").read_text(encoding="utf-8"))
    subject = bill["metadata"]["component"]
    assert (subject["name"], subject["version"]) == ("thusfar", _VERSION)
    named = {each["purl"] for each in bill["components"]}
    assert {"pkg:pypi/chromadb@1.5.9", "pkg:pypi/sqlmodel@0.0.50"} <= named
    assert not any(tool in purl for purl in named for tool in ("kubernetes", "pytest", "mypy"))
    (needs,) = (each["dependsOn"] for each in bill["dependencies"] if each["ref"] == subject["bom-ref"])
    assert "chromadb==1.5.9" in needs


def _python(version: str) -> str:
    """Return the path of a Python; pyenv's shims are there for versions that aren't chosen, and fail."""
    if chosen := sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python")):
        return str(chosen[-1])
    found = subprocess.run(
        [_BIN / "uv", "python", "find", "--no-python-downloads", version], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip(f"Python {version} isn't here")
    return found.stdout.strip()


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_wheel_answers_in_an_empty_environment(built: Path, tmp_path: Path, version: str) -> None:
    uv, empty = _BIN / "uv", tmp_path / "empty"
    _run(uv, "venv", "--python", _python(version), empty)
    install = (uv, "pip", "install", "--python", empty, "--no-deps")
    _run(*install, "--require-hashes", "--requirement", "requirements.lock")
    _run(*install, built / f"thusfar-{_VERSION}-py3-none-any.whl")
    thusfar = empty / "bin" / "thusfar"
    assert _run(thusfar, "--version", cwd=tmp_path) == f"thusfar {_VERSION}\n"
    assert "Ralph Hallam had been Surveyor and Engineer" in _run(thusfar, "chat", cwd=tmp_path, asks=_ASKS)


def test_the_newest_changes_are_those_of_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == _VERSION
