"""No function of core asks its reader to keep too much in mind at once (cognitive complexity), and none is excused."""

import subprocess
import sys
from pathlib import Path

from tests.architecture.source import ROOT

_COMPLEXIPY = Path(sys.executable).with_name("complexipy")
_TANGLED = """
def tangled(groups):  # complexipy: ignore
    for group in groups:
        for one in group:
            if one:
                for part in one:
                    if part and not group:
                        return part
    return None
"""


def _measure(folder: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            _COMPLEXIPY, "--config", ROOT / "pyproject.toml", "--cache-dir", cache,
            "--no-ignore=true", "--failed=true", "--plain=true",
        ],
        cwd=folder, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip


def test_no_function_of_core_is_too_complex(tmp_path: Path) -> None:
    measured = _measure(ROOT, tmp_path)
    assert measured.returncode == 0, measured.stdout + measured.stderr


def test_a_tangled_function_of_core_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "tangle.py").write_text(_TANGLED, encoding="utf-8")
    measured = _measure(tmp_path, tmp_path / "cache")
    assert measured.returncode != 0
    assert "tangled" in measured.stdout
