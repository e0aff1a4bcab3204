"""The program as a process of its own, forked from one that has imported it: its start takes no second of imports.

What a new interpreter makes of its start (closed streams, encodings, arguments that are no text) is not seen here:
tests of that start `python -m bot` themselves.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from filelock import FileLock

from tests.bot.running import ROOT, Ran, environment
from tests.patience import PATIENCE_S


class Program:
    """A run of the command line; leaving the block ends it.

    A stream that is not given as a descriptor is a pipe, whose other end is here as a file.
    """

    def __init__(
        self,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        new_session: bool = False,
    ) -> None:
        pipes = [os.pipe(), os.pipe(), os.pipe()]
        ours = [pipes[0][1], pipes[1][0], pipes[2][0]]
        theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        self.stdin: BinaryIO = os.fdopen(ours[0], "wb", 0)
        self.stdout: BinaryIO = os.fdopen(ours[1], "rb")
        self.stderr: BinaryIO = os.fdopen(ours[2], "rb")
        given = [
            pipe if stream is None else stream for pipe, stream in zip(theirs, (stdin, stdout, stderr), strict=True)
        ]
        request = {
            "arguments": arguments,
            "env": dict(env or environment()),
            "cwd": str(cwd or Path.cwd()),
            "new_session": new_session,
        }
        self._answers = _fork_server().connection()
        socket.send_fds(self._answers, [b"-"], given)
        self._answers.sendall(json.dumps(request).encode() + b"\n")
        for number in theirs:
            os.close(number)
        self._lines = self._answers.makefile()
        self.pid = int(self._lines.readline())
        self.returncode: int | None = None

    def send_signal(self, sign: signal.Signals) -> None:
        """Send a signal, where it has not ended yet."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, sign)

    def wait(self, timeout: float = PATIENCE_S) -> int:
        """Wait for the end; return the exit code, negative where a signal ended it."""
        if self.returncode is None:
            self._answers.settimeout(timeout)
            self.returncode = int(self._lines.readline())
        return self.returncode

    def ran(self, typed: bytes = b"", *, timeout: float = PATIENCE_S) -> Ran:
        """Type this and no more, and wait for the end."""
        said: dict[BinaryIO, bytes] = {}

        def read(stream: BinaryIO) -> None:
            said[stream] = stream.read()

        readers = [threading.Thread(target=read, args=[stream]) for stream in (self.stdout, self.stderr)]
        for reader in readers:
            reader.start()
        with suppress(BrokenPipeError):
            self.stdin.write(typed)
        self.stdin.close()
        code = self.wait(timeout)
        for reader in readers:
            reader.join(timeout)
        return Ran(code=code, out=said[self.stdout].decode(), err=said[self.stderr].decode())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it, where it has not ended yet, and let go of our ends."""
        self.send_signal(signal.SIGKILL)
        self.wait()
        self._lines.close()
        self._answers.close()
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()


def thusfar_process(
    *arguments: str, typed: bytes = b"", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Ran:
    """Run a command as a process of its own."""
    with Program(*arguments, env=env, cwd=cwd) as program:
        return program.ran(typed)


class _ForkServer:
    """Our way to the server that all processes of a run share; it ends by itself when the last of them has ended."""

    def __init__(self) -> None:
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        folder = Path(tempfile.gettempdir()) / f"thusfar-fork-{run}"
        folder.mkdir(exist_ok=True)
        self._process: subprocess.Popen[bytes] | None = None
        with FileLock(folder / "lock"):
            try:
                self._control = _connected(folder / "socket")
            except OSError:
                self._process = _started(folder)
                self._control = _connected(folder / "socket")
        assert self._control.recv(1), "the fork server did not start"

    def close(self) -> None:
        """End what was started here; the server with it, unless others need it."""
        self._control.close()
        if self._process is not None:
            self._process.wait()

    def connection(self) -> socket.socket:
        """Return our end of a connection for one more program."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"-"], [theirs.fileno()])
        return ours


def _connected(address: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(address))
    except OSError:
        connection.close()
        raise
    return connection


def _started(folder: Path) -> "subprocess.Popen[bytes]":
    """Start a server; who connects meanwhile waits until it has imported everything."""
    address = folder / "socket"
    address.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(address))
        listening.listen()
        return subprocess.Popen(
            [sys.executable, "-m", "tests.bot.fork_server", str(listening.fileno()), str(folder)],
            pass_fds=[listening.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
            start_new_session=True,
        )


@cache
def _fork_server() -> _ForkServer:
    server = _ForkServer()
    atexit.register(server.close)
    return server
