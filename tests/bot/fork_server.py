"""A process that has imported the program, and forks: a program that starts so has nothing left to import.

Started by `tests.bot.program`. Each request comes with a socket of its own: over it come the streams and a line of JSON
that says what to run, and back go the process's id and, in the end, its exit code, a line each. It ends with the
process that asked, and so does what it has started.
"""

import gc
import json
import logging
import os
import select
import signal
import socket
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

_IMPORTED: Final = (
    "bot.cli", "bot.wiring", "bot.platforms", "bot.serving", "alembic.command", "chromadb", "anthropic", "openai",
    "wordllama", "adapters.discord.client", "adapters.slack.client", "adapters.slack.connection",
    "adapters.terminal.repl",
)  # fmt: skip


class _ForkServer:
    """Forks for each request that comes, until the other end of `control` is closed."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._running: dict[int, socket.socket] = {}
        self._died, self._dies = os.pipe()

    def serve(self) -> dict[str, Any] | None:
        """Return in a child what it is to run; None in the server, in the end."""
        os.set_blocking(self._dies, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._dies, warn_on_full_buffer=False)
        while True:
            ready, _, _ = select.select([self._control.fileno(), self._died], [], [])
            if self._died in ready:
                os.read(self._died, 1_000)
                self._report()
            if self._control.fileno() in ready:
                asked, numbers, _, _ = socket.recv_fds(self._control, 1, 1)
                if not asked:
                    break
                request = self._forked(socket.socket(fileno=numbers[0]))
                if request is not None:
                    return request
        for pid in self._running:
            os.kill(pid, signal.SIGKILL)
        return None

    def _forked(self, answers: socket.socket) -> dict[str, Any] | None:
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
        self._running[pid] = answers
        answers.sendall(f"{pid}\n".encode())
        return None

    def _let_go(self, answers: socket.socket) -> None:
        """Leave behind in a child what is the server's."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite run in the background ignores Ctrl-C
        for each in (self._control, answers, *self._running.values()):
            each.close()
        os.close(self._died)
        os.close(self._dies)

    def _report(self) -> None:
        for pid in list(self._running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                with self._running.pop(pid) as answers:
                    answers.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _import_all() -> None:
    root, placeholder = logging.getLogger(), logging.NullHandler()
    root.addHandler(placeholder)  # else wordllama's import would configure logging
    for name in _IMPORTED:
        if find_spec(name):  # there is no wordllama for the newest Pythons
            import_module(name)
    root.removeHandler(placeholder)
    gc.freeze()  # else each child looks through all of it when it ends, which takes longer than to import it


def _become(request: dict[str, Any]) -> None:
    """Take on what a new process would have: arguments, environment, folder, and Python's files over its streams."""
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    if request["new_session"]:
        os.setsid()
    sys.argv = ["thusfar", *request["arguments"]]
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)


def main() -> None:
    """Serve until nobody asks any more; in a child, be the program."""
    _import_all()
    request = _ForkServer(socket.socket(fileno=int(sys.argv[1]))).serve()
    if request is not None:
        _become(request)
        import_module("bot.cli").main()


if __name__ == "__main__":
    main()
