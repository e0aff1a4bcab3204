"""A program at a pseudo-terminal, as a person has it."""

import os
import pty
import re
import select
import struct
import termios
import time
from fcntl import ioctl

from tests.bot.program import Program
from tests.bot.running import environment
from tests.patience import PATIENCE_S

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\x1b\][^\x07]*\x07")
_CURSOR_QUESTION = b"\x1b[6n"
UP, ENTER, CTRL_C, CTRL_D = "\x1b[A", "\r", "\x03", "\x04"


class Terminal:
    """A program at a pseudo-terminal; what it shows is read until an expected text has come."""

    def __init__(self, *arguments: str, **settings: str) -> None:
        ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
        self.program = Program(
            *arguments,
            env=environment(TERM="xterm-256color", **settings),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            new_session=True,
        )
        os.close(theirs)
        self._end = ours
        self._unseen = ""
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def wait_for(self, text: str) -> None:
        """Read on until `text` is on the screen, behind what was waited for before."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in self._unseen:
            assert self._read(deadline), f"{text!r} never came; shown so far:\n{self.shown}"
        self._unseen = self._unseen[self._unseen.index(text) + len(text) :]

    def wait_for_end(self) -> int:
        deadline = time.monotonic() + PATIENCE_S
        while self._read(deadline):
            pass
        return self.program.wait(timeout=PATIENCE_S)

    def close(self) -> None:
        self.program.close()
        os.close(self._end)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._end], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            raw = os.read(self._end, 65_536)
        except OSError:  # Linux says so when the other end has gone
            return False
        if _CURSOR_QUESTION in raw:
            os.write(self._end, b"\x1b[1;1R")
        text = _ESCAPES.sub("", raw.decode(errors="replace"))
        self.shown += text
        self._unseen += text
        return bool(raw)
