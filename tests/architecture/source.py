"""The repository's own modules, for the tests that look at them."""

import ast
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_GENERATED = "migrations"
_OURS = {"adapters", "bot", "core"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A Protocol of core.ports and the module that it stands in."""

    module: str
    name: str


def modules(*packages: str) -> list[Path]:
    """All modules of the packages, migrations (which Alembic writes) apart."""
    return [
        path for package in packages for path in sorted((ROOT / package).rglob("*.py")) if _GENERATED not in path.parts
    ]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def remarks(path: Path) -> Iterator[str]:
    """What a module says to its readers: its comments, and the strings that stand by themselves (docstrings)."""
    with tokenize.open(path) as lines:
        yield from (
            token.string for token in tokenize.generate_tokens(lines.readline) if token.type == tokenize.COMMENT
        )
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def relative(path: Path) -> str:
    """A module's path as a test shows it."""
    return path.relative_to(ROOT).as_posix()


def ports() -> list[Port]:
    """Every Protocol in core.ports."""
    return [
        Port(module=path.stem, name=node.name)
        for path in modules("core/ports")
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and "Protocol" in base_names(node)
    ]


def base_names(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


def names_imported(path: Path, *, origin: str) -> set[str]:
    """What a module imports by name from another."""
    return {name for module, name in _imports(path) if module == origin}


def packages_imported(path: Path) -> set[str]:
    """The packages that a module imports, wherever in it; ours and the standard library's are left out."""
    nodes = list(ast.walk(parsed(path)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = {module for module, _ in _imports(path) if module}
    return {name.partition(".")[0] for name in plain | named} - _OURS - sys.stdlib_module_names


@cache
def _imports(path: Path) -> tuple[tuple[str | None, str], ...]:
    return tuple(
        (node.module, alias.name)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )
