"""The house stays readable: small modules that say what they are for, and a fake and a suite for every port."""

import ast
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, Port, base_names, modules, names_imported, parsed, ports, relative

# What one class does stays in one file; a reader who scrolls is better off than one who jumps.
_MOST_LINES = 350
_HOUSE = modules("bot", "core", "adapters")
_PORTS = ports()


@pytest.mark.parametrize("path", [path for path in _HOUSE if path.name != "__init__.py"], ids=relative)
def test_a_module_is_small_and_says_what_it_is_for(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= _MOST_LINES
    assert ast.get_docstring(parsed(path))


@pytest.mark.parametrize("path", [path for path in modules("tests") if path.name != "__init__.py"], ids=relative)
def test_a_test_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(parsed(path))


def test_the_modules_are_found() -> None:
    found = {relative(path) for path in _HOUSE}
    assert {"bot/wiring.py", "core/agent/loop.py", "adapters/persistence/database.py"} <= found


def test_the_ports_are_found() -> None:
    assert {"ChatProvider", "BookRepository", "TurnRecord", "Clock"} <= {port.name for port in _PORTS}
    assert {port.module for port in _PORTS} == {path.stem for path in modules("core/ports")} - {"__init__"}


@pytest.mark.parametrize("port", _PORTS, ids=lambda port: port.name)
def test_every_port_has_a_fake_in_the_file_of_the_same_name(port: Port) -> None:
    path = ROOT / "tests" / "fakes" / f"{port.module}.py"
    fakes = [
        node.name for node in parsed(path).body if isinstance(node, ast.ClassDef) and port.name in base_names(node)
    ]
    assert fakes


@pytest.mark.parametrize("port", _PORTS, ids=lambda port: port.name)
def test_every_port_has_a_contract_suite_that_uses_its_fake(port: Port) -> None:
    fakes = {
        node.name
        for node in parsed(ROOT / "tests" / "fakes" / f"{port.module}.py").body
        if isinstance(node, ast.ClassDef) and port.name in base_names(node)
    }
    suites = [
        path
        for path in modules("tests/contracts")
        if path.name.startswith("test_") and port.name in names_imported(path, origin=f"core.ports.{port.module}")
    ]
    used = {
        name
        for path in modules("tests/contracts")
        for name in names_imported(path, origin=f"tests.fakes.{port.module}")
    }
    assert suites
    assert fakes & used
