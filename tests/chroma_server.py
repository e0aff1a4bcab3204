"""A Chroma server of the package's own, on loopback, for tests and benchmarks: it can be killed and started again."""

import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tests.patience import PATIENCE_S

_SERVE: Final = "import sys, chromadb_rust_bindings; chromadb_rust_bindings.cli(sys.argv)"
"""What the command `chroma` does, without the second that importing the rest of the package takes."""
_LISTENS: Final = "listening on address"
_LOOK_S: Final = 0.01
_PORTS: Final = range(20_000, 32_000)


class ChromaProgram:
    """`chroma run` over a folder. What it logs is read to the end: one whose pipe is full stands still."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._log: list[bytes] = []
        self._logged = threading.Condition()

    @property
    def pid(self) -> int:
        """The process that serves."""
        assert self._process is not None
        return self._process.pid

    def url(self, database: str = "thusfar", *, key: str = "") -> str:
        """Return where one of its databases is, with a key before the host."""
        return f"http://{key}127.0.0.1:{self._port}/{database}"

    def start(self, *, tries: int = 3) -> None:
        """Start, at the port that it had before if any, and wait until it listens."""
        port = self._port or _free_port()
        words = [sys.executable, "-c", _SERVE, "run", "--path", str(self._folder), "--host", "127.0.0.1"]
        self._process = subprocess.Popen(
            [*words, "--port", str(port)], cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._log = []
        threading.Thread(target=self._read, args=(self._process, self._log), daemon=True).start()
        if not (self.has_logged(_LISTENS) and self._is_reached(port)):
            self.kill()
            if tries > 1 and not self._port:  # a port that was free a moment ago may be another's by now
                self.start(tries=tries - 1)
                return
            raise RuntimeError(b"".join(self._log[-20:]).decode(errors="replace"))
        self._port = port

    def kill(self) -> None:
        """End it at once, as a machine that goes does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _is_reached(self, port: int) -> bool:
        """It says that it listens a moment before it does; nothing else tells when."""
        assert self._process is not None
        while self._process.poll() is None:
            with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S):
                return True
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_LOOK_S)
        return False

    def has_logged(self, *words: str, within: float = PATIENCE_S) -> bool:
        """Wait until a line of its log has all of these words, for so many seconds at most, or until it ends."""

        def has() -> bool:
            return any(all(word.encode() in line for word in words) for line in self._log)

        with self._logged:
            self._logged.wait_for(lambda: has() or self._log[-1:] == [b""], within)
            return has()

    def _read(self, process: "subprocess.Popen[bytes]", lines: list[bytes]) -> None:
        assert process.stdout is not None
        with process.stdout as log:
            for line in iter(log.readline, None):
                with self._logged:
                    lines.append(line)
                    self._logged.notify_all()
                if not line:  # it has ended
                    return


@contextmanager
def chroma_program(folder: Path) -> Iterator[ChromaProgram]:
    """A server that listens, ended with the block."""
    program = ChromaProgram(folder)
    try:
        program.start()
        yield program
    finally:
        program.kill()


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaProgram]:
    """A server that the tests of a process share; each takes a database of its own."""
    with chroma_program(tmp_path_factory.mktemp("chroma-server")) as program:
        yield program


def _free_port() -> int:
    """Return a port below those that the system gives out itself: nobody gets it while the server is down."""
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
