"""`thusfar chat` as a person has it: in a terminal, with a prompt, history and questions back."""

import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path

import pytest

from tests.bot.program import Program
from tests.bot.running import environment, thusfar
from tests.patience import PATIENCE_S

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\x1b\][^\x07]*\x07")
_CURSOR_QUESTION = b"\x1b[6n"
_UP, _ENTER, _CTRL_C, _CTRL_D = "\x1b[A", "\r", "\x03", "\x04"


class _Terminal:
    """A program at a pseudo-terminal; what it shows is read until an expected text has come."""

    def __init__(self, *arguments: str) -> None:
        ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
        self.program = Program(
            *arguments,
            env=environment(TERM="xterm-256color"),
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


@contextmanager
def _chat(*arguments: str) -> Iterator[_Terminal]:
    terminal = _Terminal("chat", *arguments)
    try:
        yield terminal
    finally:
        terminal.close()


@pytest.fixture
def hill(tmp_path: Path) -> None:
    """A home with a book of forty pages."""
    path = tmp_path / "hill.txt"
    path.write_text("\f".join(f"On page {n} the shepherd met traveller number {n}." for n in range(1, 41)), "utf-8")
    thusfar("books", "add", str(path), "--title", "The Hill")


@pytest.mark.usefixtures("hill")
def test_the_prompt_shows_title_and_page_and_a_leap_is_confirmed() -> None:
    with _chat() as terminal:
        terminal.wait_for("The Hill [no page set] >")
        terminal.type("/setpage 5" + _ENTER)
        terminal.wait_for("The Hill [up to p. 5] >")
        terminal.type("/setpage 30" + _ENTER)
        terminal.wait_for("From p. 5 to p. 30 of 40 is a big leap. Is that right? [y/N]")
        terminal.type("n" + _ENTER)
        terminal.wait_for("Nothing has changed.")
        terminal.wait_for("The Hill [up to p. 5] >")
        terminal.type("/setpage 30" + _ENTER)
        terminal.wait_for("Is that right? [y/N]")
        terminal.type("y" + _ENTER)
        terminal.wait_for("You moved the page from p. 5 to p. 30 (75 %).")
        terminal.wait_for("The Hill [up to p. 30] >")
        terminal.type("/setpage 7" + _ENTER)
        terminal.wait_for("The Hill [up to p. 7] >")
        terminal.type(_CTRL_D)
        assert terminal.wait_for_end() == 0
        assert "Traceback" not in terminal.shown


@pytest.mark.usefixtures("hill")
def test_last_words_find_the_page_that_is_near() -> None:
    with _chat("--page", "25") as terminal:
        terminal.wait_for("The Hill [up to p. 25] >")
        terminal.type("/calibrate the shepherd met traveller number 30" + _ENTER)
        terminal.wait_for("These words are on p. 30.")
        terminal.wait_for("The Hill [up to p. 30] >")
        terminal.type(_CTRL_D)
        assert terminal.wait_for_end() == 0


@pytest.mark.usefixtures("hill")
def test_a_question_is_answered_and_can_be_called_back(own_home: Path) -> None:
    with _chat("--page", "20") as terminal:
        terminal.wait_for("The Hill [up to p. 20] >")
        terminal.type("Who met traveller number 11?" + _ENTER)
        terminal.wait_for("(up to p. 20)")
        terminal.wait_for("The Hill [up to p. 20] >")
        terminal.type("/quit" + _ENTER)
        assert terminal.wait_for_end() == 0
    assert "+Who met traveller number 11?" in (own_home / "history").read_text(encoding="utf-8")
    with _chat() as terminal:
        terminal.wait_for("The Hill [up to p. 20] >")
        terminal.type(_UP + _UP)
        terminal.wait_for("Who met traveller number 11?")
        terminal.type(_ENTER)
        terminal.wait_for("(up to p. 20)")
        terminal.wait_for("The Hill [up to p. 20] >")
        terminal.type(_CTRL_D)
        assert terminal.wait_for_end() == 0


@pytest.mark.usefixtures("hill")
@pytest.mark.parametrize("end", [_CTRL_C, _CTRL_D], ids=["Ctrl-C", "Ctrl-D"])
def test_ctrl_c_and_ctrl_d_end_at_once_and_cleanly(end: str) -> None:
    with _chat() as terminal:
        terminal.wait_for("The Hill [no page set] >")
        terminal.type(end)
        assert terminal.wait_for_end() == 0
        assert "Traceback" not in terminal.shown
        assert "Exception" not in terminal.shown


@pytest.mark.usefixtures("hill")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_traceback(end: signal.Signals) -> None:
    with _chat() as terminal:
        terminal.wait_for("The Hill [no page set] >")
        terminal.program.send_signal(end)
        assert terminal.wait_for_end() in {0, 130, -signal.SIGTERM}
        assert "Traceback" not in terminal.shown


@pytest.mark.usefixtures("hill")
@pytest.mark.parametrize(("typed", "left"), [("n", 1), ("y", 0)])
def test_removing_a_book_is_confirmed(typed: str, left: int) -> None:
    terminal = _Terminal("books", "remove", "the hill")
    try:
        terminal.wait_for("Remove The Hill with all its conversations? [y/N]:")
        terminal.type(typed + _ENTER)
        assert terminal.wait_for_end() == (0 if typed == "y" else 130)
        assert "Traceback" not in terminal.shown
    finally:
        terminal.close()
    assert len(thusfar("books", "list", "--json").json) == left


@pytest.mark.usefixtures("own_home")
def test_the_first_chat_of_all_opens_the_sample_with_a_progress_bar() -> None:
    with _chat() as terminal:
        terminal.wait_for("Short Weight [no page set] >")
        terminal.type("/setpage ch 3 done" + _ENTER)
        terminal.wait_for("Short Weight [up to p. ")
        terminal.wait_for("] >")
        terminal.type("/where" + _ENTER)
        terminal.wait_for("Short Weight, 83 pages: up to p. ")
        terminal.wait_for("] >")
        terminal.type(_CTRL_D)
        assert terminal.wait_for_end() == 0
        assert "novel.txt" in terminal.shown
