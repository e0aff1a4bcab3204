"""Mutated files of every format: each becomes a book or one sentence, soon. The long run is in README.md."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.bombs import BOMBS
from tests.fuzz.mutations import kinds

_ROOT = Path(__file__).resolve().parents[2]
_COUNT = 40


@pytest.mark.parametrize("kind", kinds())
def test_every_mutated_file_is_a_book_or_one_sentence(kind: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", kind, "--count", str(_COUNT)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=_ROOT,
    )
    assert run.returncode == 0, f"seed {run.stderr.split('Traceback')[0].split()[-1]}: {run.stderr[-800:]}"
    told = json.loads(run.stdout)
    assert told["book"] + told["refused"] == _COUNT
    assert min(told["book"], told["refused"]) >= 3
    assert told["slowest_seconds"] < 10


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_a_sentence_or_read_and_takes_little(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.bombs", name],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
        cwd=_ROOT,
    )
    told = json.loads(run.stdout)
    assert told["told"].startswith(("bomb.", "a book of"))
    assert told["megabytes"] <= 620
    assert told["seconds"] < 60
