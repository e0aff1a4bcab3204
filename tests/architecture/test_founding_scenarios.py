"""The table of the founding scenarios has every one of them, and names tests that are there."""

import ast
import re
from functools import cache
from itertools import groupby
from pathlib import Path

from tests.architecture.source import ROOT

_PAGE = ROOT / "docs" / "founding-scenarios.md"
_ROW = re.compile(r"^\| ([A-Z]+)-([\d.]+) \| (.+?) \| (.*?) ?\| `([\w/.]+)::(\w+)` \|$", re.MULTILINE)
_SUMS = re.compile(r"Of (\d+), (\d+) work as written and (\d+) with a difference\.")
_SCENARIOS = {"CA": 30, "CTU": 13, "RG": 29, "CM": 29, "SA": 6}


@cache
def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def _rows() -> list[tuple[str, ...]]:
    return [match.groups() for match in _ROW.finditer(_PAGE.read_text(encoding="utf-8"))]


def test_every_founding_scenario_has_its_row() -> None:
    rows = _rows()
    lines = [line for line in _PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| [A-Z]+-\d", line)]
    assert len(rows) == len(lines), "a row has another form"
    numbers = [(document, number) for document, number, *_ in rows]
    assert len(set(numbers)) == len(numbers)
    assert {name: len(list(found)) for name, found in groupby(numbers, lambda row: row[0])} == _SCENARIOS
    sums = _SUMS.search(_PAGE.read_text(encoding="utf-8"))
    different = sum(bool(row[3]) for row in rows)
    assert sums is not None
    assert sums.groups() == (str(len(rows)), str(len(rows) - different), str(different))


def test_every_test_that_holds_a_founding_scenario_is_there() -> None:
    missing = [
        f"{document}-{number}: {file}::{name}"
        for document, number, _, _, file, name in _rows()
        if not (ROOT / file).is_file() or name not in _functions(ROOT / file)
    ]
    assert missing == []
