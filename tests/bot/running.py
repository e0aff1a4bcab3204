"""Runs the command line: inside this process where that shows the same, or in a new interpreter as people start it.

Between the two is `tests.bot.program`: a process of its own that has nothing left to import.
"""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on stdout, after making sure that nothing went wrong."""
        assert (self.code, self.err) == (0, "")
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        """The JSON value of each line on stdout."""
        assert (self.code, self.err) == (0, "")
        return [json.loads(line) for line in self.out.splitlines()]

    def failed_in_one_line(self, code: int = 1) -> str:
        """Make sure that this is an error as every command tells one, and return its line."""
        assert (self.code, self.out) == (code, "")
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        assert "Traceback" not in self.err
        assert len(self.err.strip()) > 10
        return self.err.strip()


def thusfar(*arguments: str, typed: str | bytes = b"") -> Ran:
    """Run a command in this process, with `typed` on its stdin."""
    content = typed.encode() if isinstance(typed, str) else typed
    out, err = _stream(b""), _stream(b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["thusfar", *arguments])
        patch.setattr(sys, "stdin", _stream(content))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    return Ran(code=code if isinstance(code, int) else 0, out=_written(out), err=_written(err))


def environment(**more: str) -> dict[str, str]:
    """Return this process's environment for a command that runs elsewhere."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def in_a_new_interpreter(*arguments: str | bytes, **more: str) -> Ran:
    """Run a command as people start it, with these variables added to the environment; this takes a second or two."""
    run = subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=environment(**more),
        timeout=60,
    )
    return Ran(code=run.returncode, out=run.stdout.decode(), err=run.stderr.decode())


def _stream(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="\n", write_through=True)


def _written(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
