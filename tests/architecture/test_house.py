"""The house stays readable: small modules that say what they are for, and a suite for every port."""

import ast
from pathlib import Path

from tests.architecture.source import ROOT, Port, base_names, modules, names_imported, parsed, ports, relative

# What one class does stays in one file; a reader who scrolls is better off than one who jumps.
_MOST_LINES = 350
_HOUSE = modules("bot", "core", "adapters")
_PORTS = ports()


def test_a_module_is_small() -> None:
    lines = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in _HOUSE}
    assert {name: count for name, count in lines.items() if count > _MOST_LINES} == {}


def test_a_module_says_what_it_is_for() -> None:
    named = [path for path in (*_HOUSE, *modules("tests")) if path.name != "__init__.py"]
    assert [relative(path) for path in named if not ast.get_docstring(parsed(path))] == []


def test_the_modules_are_found() -> None:
    found = {relative(path) for path in _HOUSE}
    assert {"bot/wiring.py", "core/agent/loop.py", "adapters/persistence/database.py"} <= found


def test_the_ports_are_found() -> None:
    assert {"ChatProvider", "BookRepository", "TurnRecord", "Clock"} <= {port.name for port in _PORTS}
    assert {port.module for port in _PORTS} == {path.stem for path in modules("core/ports")} - {"__init__"}


def test_every_port_has_a_contract_suite_that_uses_its_fake() -> None:
    assert [port.name for port in _PORTS if not _suites_of(port)] == []
    faked = {port.name: _fakes_of(port) & _used_of(f"tests.fakes.{port.module}") for port in _PORTS if _fakes_of(port)}
    assert "ChatProvider" in faked
    assert [name for name, used in faked.items() if not used] == []


def _fakes_of(port: Port) -> set[str]:
    path = ROOT / "tests" / "fakes" / f"{port.module}.py"
    if not path.exists():
        return set()
    classes = [node for node in parsed(path).body if isinstance(node, ast.ClassDef)]
    return {node.name for node in classes if port.name in base_names(node)}


def _suites_of(port: Port) -> list[Path]:
    suites = [path for path in modules("tests/contracts") if path.name.startswith("test_")]
    return [path for path in suites if port.name in names_imported(path, origin=f"core.ports.{port.module}")]


def _used_of(origin: str) -> set[str]:
    """What the contract suites take from a module."""
    return {name for path in modules("tests/contracts") for name in names_imported(path, origin=origin)}
