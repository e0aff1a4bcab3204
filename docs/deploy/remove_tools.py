"""Uninstalls what the lock has for those who work on Thusfar alone: tests, linters, a PostgreSQL to try things with.

For the container file. What stays is what pyproject.toml names for the program and for its build, and what these need.
"""

import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def needed_by(asked: Iterable[str]) -> set[str]:
    """Return the names of all that these requirements need, as far as it is installed."""
    found: set[str] = set()
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(Requirement(each), frozenset({""})) for each in asked]
    while waiting:
        one, extras = waiting.pop()
        if one.marker is not None and not any(one.marker.evaluate({"extra": extra}) for extra in extras):
            continue
        name, own_extras = canonicalize_name(one.name), frozenset({"", *one.extras})
        if (name, own_extras) in seen:
            continue
        seen.add((name, own_extras))
        try:
            waiting += [(Requirement(each), own_extras) for each in requires(name) or ()]
        except PackageNotFoundError:
            continue
        found.add(name)
    return found


if __name__ == "__main__":
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    kept = needed_by([*project["project"]["dependencies"], *project["build-system"]["requires"], "pip"])
    tools = {canonicalize_name(each.name) for each in distributions()} - kept
    subprocess.run([sys.executable, "-m", "pip", "uninstall", "--yes", "--quiet", *sorted(tools)], check=True)  # noqa: S603
