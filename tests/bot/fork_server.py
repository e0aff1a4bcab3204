"""A process that has imported the program, and forks: a program that starts so has nothing left to import.

The model that understands messages is loaded too, which would take each of them 2 s.

Started by `tests.bot.program`, for all processes of a run. Each of them has a connection, and each of its requests
comes with a socket of its own: over it come the streams and a line of JSON that says what to run, and back go the
process's id and, in the end, its exit code, a line each. What was started ends with the process that asked, and the
server with the last of these.
"""

import gc
import json
import logging
import os
import select
import shutil
import signal
import socket
import sys
import termios
from contextlib import suppress
from fcntl import ioctl
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from core.understanding.classifier import classifier

_IMPORTED: Final = (
    "bot.cli", "bot.wiring", "bot.platforms", "bot.serving", "alembic.command", "chromadb", "anthropic", "openai",
    "wordllama", "adapters.discord.client", "adapters.slack.client", "adapters.slack.connection",
    "adapters.terminal.repl",
)  # fmt: skip


class _ForkServer:
    """Forks for each request that comes, until all that have connected are gone."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._controls: list[socket.socket] = []
        self._running: dict[int, tuple[socket.socket, socket.socket]] = {}
        self._died, self._dies = os.pipe()

    def serve(self) -> dict[str, Any] | None:
        """Return in a child what it is to run; None in the server, in the end."""
        os.set_blocking(self._dies, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._dies, warn_on_full_buffer=False)
        self._accept()
        while self._controls:
            ready, _, _ = select.select(
                [self._listening.fileno(), *map(socket.socket.fileno, self._controls), self._died], [], []
            )
            if self._died in ready:
                os.read(self._died, 1_000)
                self._report()
            if self._listening.fileno() in ready:
                self._accept()
            for control in [one for one in self._controls if one.fileno() in ready]:
                request = self._asked(control)
                if request is not None:
                    return request
        return None

    def _accept(self) -> None:
        control, _ = self._listening.accept()
        control.sendall(b"+")
        self._controls = [*self._controls, control]

    def _asked(self, control: socket.socket) -> dict[str, Any] | None:
        """Start what is asked for; or end all that was, where nobody asks there any more."""
        asked, numbers, _, _ = socket.recv_fds(control, 1, 1)
        if asked:
            return self._forked(control, socket.socket(fileno=numbers[0]))
        for pid, (_, its_control) in self._running.items():
            if its_control is control:
                os.kill(pid, signal.SIGKILL)
        self._controls = [one for one in self._controls if one is not control]
        control.close()
        return None

    def _forked(self, control: socket.socket, answers: socket.socket) -> dict[str, Any] | None:
        _, streams, _, _ = socket.recv_fds(answers, 1, 3)
        with answers.makefile() as lines:
            request: dict[str, Any] = json.loads(lines.readline())
        pid = os.fork()
        if pid == 0:
            self._let_go(answers)
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
        for stream in streams:
            os.close(stream)
        if pid == 0:
            return request
        self._running[pid] = answers, control
        answers.sendall(f"{pid}\n".encode())
        return None

    def _let_go(self, answers: socket.socket) -> None:
        """Leave behind in a child what is the server's."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite run in the background ignores Ctrl-C
        for each in (self._listening, answers, *self._controls, *(one for one, _ in self._running.values())):
            each.close()
        os.close(self._died)
        os.close(self._dies)

    def _report(self) -> None:
        for pid in list(self._running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                answers, _ = self._running.pop(pid)
                with answers, suppress(BrokenPipeError):  # who asked may be gone
                    answers.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _import_all() -> None:
    root, placeholder = logging.getLogger(), logging.NullHandler()
    root.addHandler(placeholder)  # else wordllama's import would configure logging
    for name in _IMPORTED:
        if find_spec(name):  # there is no wordllama for the newest Pythons
            import_module(name)
    root.removeHandler(placeholder)
    classifier()
    gc.freeze()  # else each child looks through all of it when it ends, which takes longer than to import it


def _become(request: dict[str, Any]) -> None:
    """Take on what a new process would have: arguments, environment, folder, and Python's files over its streams."""
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    if request["new_session"]:
        os.setsid()
        if os.isatty(0):
            ioctl(0, termios.TIOCSCTTY, 0)  # its own terminal, in which Ctrl-C is a signal
    sys.argv = ["thusfar", *request["arguments"]]
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)


def main() -> None:
    """Serve until nobody asks any more; in a child, be the program."""
    _import_all()
    request = _ForkServer(socket.socket(fileno=int(sys.argv[1]))).serve()
    if request is None:
        shutil.rmtree(sys.argv[2], ignore_errors=True)
        return
    _become(request)
    import_module("bot.cli").main()


if __name__ == "__main__":
    main()
