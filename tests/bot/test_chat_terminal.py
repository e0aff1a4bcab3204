"""`thusfar chat` as a person has it: in a terminal, with a prompt, history and questions back."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bot.running import thusfar
from tests.bot.terminal import CTRL_C, CTRL_D, ENTER, UP, Terminal


@contextmanager
def _chat(*arguments: str) -> Iterator[Terminal]:
    terminal = Terminal("chat", *arguments)
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
        terminal.type("/setpage 5" + ENTER)
        terminal.wait_for("The Hill [up to p. 5] >")
        terminal.type("/setpage 30" + ENTER)
        terminal.wait_for("From p. 5 to p. 30 of 40 is a big leap. Is that right? [y/N]")
        terminal.type("n" + ENTER)
        terminal.wait_for("Nothing has changed.")
        terminal.wait_for("The Hill [up to p. 5] >")
        terminal.type("/setpage 30" + ENTER)
        terminal.wait_for("Is that right? [y/N]")
        terminal.type("y" + ENTER)
        terminal.wait_for("You moved the page from p. 5 to p. 30 (75 %).")
        terminal.wait_for("The Hill [up to p. 30] >")
        terminal.type("/setpage 7" + ENTER)
        terminal.wait_for("The Hill [up to p. 7] >")
        terminal.type(CTRL_D)
        assert terminal.wait_for_end() == 0
        assert "Traceback" not in terminal.shown


@pytest.mark.usefixtures("hill")
def test_last_words_find_the_page_that_is_near() -> None:
    with _chat("--page", "25") as terminal:
        terminal.wait_for("The Hill [up to p. 25] >")
        terminal.type("/calibrate the shepherd met traveller number 30" + ENTER)
        terminal.wait_for("These words are on p. 30.")
        terminal.wait_for("The Hill [up to p. 30] >")
        terminal.type(CTRL_D)
        assert terminal.wait_for_end() == 0


@pytest.mark.usefixtures("hill")
def test_a_question_is_answered_and_can_be_called_back(own_home: Path) -> None:
    with _chat("--page", "20") as terminal:
        terminal.wait_for("The Hill [up to p. 20] >")
        terminal.type("Who met traveller number 11?" + ENTER)
        terminal.wait_for("(up to p. 20)")
        terminal.wait_for("The Hill [up to p. 20] >")
        terminal.type("/quit" + ENTER)
        assert terminal.wait_for_end() == 0
    assert "+Who met traveller number 11?" in (own_home / "history").read_text(encoding="utf-8")
    with _chat() as terminal:
        terminal.wait_for("The Hill [up to p. 20] >")
        terminal.type(UP + UP)
        terminal.wait_for("Who met traveller number 11?")
        terminal.type(ENTER)
        terminal.wait_for("(up to p. 20)")
        terminal.wait_for("The Hill [up to p. 20] >")
        terminal.type(CTRL_D)
        assert terminal.wait_for_end() == 0


@pytest.mark.usefixtures("hill")
@pytest.mark.parametrize("end", [CTRL_C, CTRL_D], ids=["Ctrl-C", "Ctrl-D"])
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
    terminal = Terminal("books", "remove", "the hill")
    try:
        terminal.wait_for("Remove The Hill with all its conversations? [y/N]:")
        terminal.type(typed + ENTER)
        assert terminal.wait_for_end() == (0 if typed == "y" else 130)
        assert "Traceback" not in terminal.shown
    finally:
        terminal.close()
    assert len(thusfar("books", "list", "--json").json) == left


@pytest.mark.usefixtures("own_home")
def test_the_first_chat_of_all_opens_the_sample_with_a_progress_bar() -> None:
    with _chat() as terminal:
        terminal.wait_for("Short Weight [no page set] >")
        terminal.type("/setpage ch 3 done" + ENTER)
        terminal.wait_for("Short Weight [up to p. ")
        terminal.wait_for("] >")
        terminal.type("/where" + ENTER)
        terminal.wait_for("Short Weight, 83 pages: up to p. ")
        terminal.wait_for("] >")
        terminal.type(CTRL_D)
        assert terminal.wait_for_end() == 0
        assert "novel.txt" in terminal.shown
