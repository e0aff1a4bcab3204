"""The lock files: complete, no older than pyproject.toml says, and with the tools in a file of their own."""

import re
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.source import ROOT

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_GROUPS = _PROJECT["dependency-groups"]
_PROGRAM = [Requirement(each) for each in (*_PROJECT["project"]["dependencies"], *_GROUPS["build"])]
_TOOLS = [Requirement(each) for each in _GROUPS["dev"]]
_LEFT_OUT = {canonicalize_name(each) for each in _PROJECT["tool"]["uv"]["exclude-dependencies"]}
_WITHOUT_EXTRAS = {
    canonicalize_name(Requirement(each).name) for each in _PROJECT["tool"]["uv"]["override-dependencies"]
}


def _locked(name: str) -> list[Requirement]:
    """The requirements of a lock that count here; numpy has one for old Pythons and one for new ones."""
    text = (ROOT / name).read_text(encoding="utf-8")
    every = [Requirement(line.rstrip(" \\")) for line in re.findall(r"^[\w.-]+==.*$", text, re.MULTILINE)]
    return [each for each in every if each.marker is None or each.marker.evaluate()]


def _versions(*locks: str) -> dict[str, str]:
    return {
        canonicalize_name(each.name): next(iter(each.specifier)).version for lock in locks for each in _locked(lock)
    }


def _unmet(asked: list[Requirement], locked: dict[str, str]) -> list[str]:
    return [
        str(each)
        for each in asked
        if (each.marker is None or each.marker.evaluate({"extra": ""}))
        and not each.specifier.contains(locked.get(canonicalize_name(each.name), "0"), prereleases=True)
    ]


def test_the_locks_have_what_the_project_asks_for() -> None:
    assert _unmet(_PROGRAM, _versions("requirements.lock")) == []
    assert _unmet(_TOOLS, _versions("requirements.lock", "requirements-dev.lock")) == []


def test_a_package_in_both_locks_has_one_version() -> None:
    program, tools = _versions("requirements.lock"), _versions("requirements-dev.lock")
    assert {name for name in program.keys() & tools.keys() if program[name] != tools[name]} == set()


def test_no_tool_is_installed_with_the_program() -> None:
    tools = {canonicalize_name(each.name) for each in _TOOLS}
    assert tools & _versions("requirements.lock").keys() == set()


def test_the_lock_leaves_out_what_is_named_and_nothing_else() -> None:
    """It is installed without dependencies, so that what is missing from it would be missing from the program."""
    locked = _versions("requirements.lock")
    assert _LEFT_OUT & locked.keys() == set()
    extras = {"": {""}} | {canonicalize_name(each.name): {"", *each.extras} for each in _PROGRAM}
    missing = set()
    for name in locked:
        try:
            asked = [Requirement(each) for each in requires(name) or ()]
        except PackageNotFoundError:
            pytest.fail(f"{name} of requirements.lock isn't installed: make install")
        for each in asked:
            wanted = canonicalize_name(each.name)
            if each.marker is not None and not any(
                each.marker.evaluate({"extra": extra}) for extra in extras.get(name, {""})
            ):
                continue
            if wanted not in locked:
                missing.add(wanted)
            if each.extras and wanted not in _WITHOUT_EXTRAS:
                extras.setdefault(wanted, {""}).update(each.extras)
    assert missing == _LEFT_OUT


@pytest.mark.parametrize("installer", ["", "/somewhere/uv"], ids=["pip", "uv"])
@pytest.mark.parametrize(("target", "has_tools"), [("run", False), ("web", False), ("test", True), ("check", True)])
def test_only_tests_and_checks_install_tools(tmp_path: Path, installer: str, target: str, *, has_tools: bool) -> None:
    ran = subprocess.run(
        ["make", "--dry-run", target, f"VENV={tmp_path}/environment", f"UV={installer}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--requirement requirements.lock" in ran.stdout
    assert ("--requirement requirements-dev.lock" in ran.stdout) == has_tools
    assert ("/somewhere/uv pip install" in ran.stdout) == bool(installer)
