"""`thusfar chat` in a pipe: commands, questions, and whatever else comes down it."""

import signal
from pathlib import Path

import pytest

from core.domain.messages import ASK_POSITION, CANNOT_SAY
from tests.bot.program import Program
from tests.bot.running import Ran, thusfar
from tests.platform_servers.markup import as_read

_LAMP = "Who lit the lamp?"


def _chat(*lines: str | bytes, arguments: tuple[str, ...] = ()) -> Ran:
    typed = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    return thusfar("chat", *arguments, typed=typed)


def _said(*lines: str | bytes, arguments: tuple[str, ...] = ()) -> str:
    ran = _chat(*lines, arguments=arguments)
    assert (ran.code, ran.err) == (0, "")
    return as_read(ran.out)


@pytest.fixture
def lamp(small_book: Path) -> Path:
    """A home with the small book alone."""
    thusfar("books", "add", str(small_book), "--title", "The Lamp")
    return small_book


def test_without_any_book_it_opens_the_sample() -> None:
    out = _said("/where")
    assert out.startswith("Short Weight by ")
    assert ASK_POSITION in out
    assert "no page set" in out


@pytest.mark.usefixtures("lamp")
def test_it_opens_the_book_that_was_imported_last_and_then_the_one_used_last(tmp_path: Path) -> None:
    later = tmp_path / "later.txt"
    later.write_text("A comet stood over the harbour.", encoding="utf-8")
    thusfar("books", "add", str(later), "--title", "The Comet")
    assert _said().startswith("The Comet, 1 page.")
    _said(arguments=("--book", "the lamp"))
    assert _said().startswith("The Lamp, 3 pages")


@pytest.mark.usefixtures("lamp")
def test_a_page_is_shown_and_of_one_ahead_as_little_is_said_as_of_one_that_is_not_there() -> None:
    assert "The storm broke the window" in _said("/setpage 2", "what is on page 2?")
    ahead, not_there = _said("what is on page 3?"), _said("what is on page 300?")
    assert ahead == not_there
    assert CANNOT_SAY in ahead
    assert CANNOT_SAY in _said("what happens next?")


@pytest.mark.usefixtures("lamp")
def test_a_question_is_answered_up_to_the_page_with_reactions_and_footer() -> None:
    out = _said("/setpage 2", _LAMP)
    assert "You set the page to p. 2 (66 %)." in out
    assert "The last words you read: “… The storm broke the window of the tower.”" in out
    assert "🔍 📖 ✅" in out
    assert "The lighthouse keeper lit the lamp." in out
    assert "(up to p. 2)" in out


@pytest.mark.usefixtures("lamp")
def test_the_page_stays_and_can_be_taken_back() -> None:
    _said("/setpage 1")
    assert "The Lamp, 3 pages: up to p. 1.\n" in _said("/where")
    assert "The Lamp, 3 pages: up to p. 1.\n" in _said("/setpage 3", "/setpage undo", "/where")
    assert "The Lamp, 3 pages: no page set." in _said("/setpage undo", "/where")
    assert _chat("/setpage undo").err == "There's no move to undo.\n"


@pytest.mark.usefixtures("lamp")
def test_the_page_can_be_given_at_the_start() -> None:
    assert "3 pages: up to p. 2.\n" in _said("/where", arguments=("--page", "2"))
    refused = _chat("/where", arguments=("--page", "9"))
    assert refused.code == 1
    assert refused.err.count("\n") == 1
    assert "3 pages: up to p. 2.\n" in _said("/where")


@pytest.mark.usefixtures("lamp")
def test_the_end_of_a_book_is_rated_and_what_was_done_with_it_written_to_files(own_home: Path) -> None:
    out = _said("/setpage end", "/1", "/6", "/7", "/10", "/export")
    assert "That's the end of the book.\n/1: Look back\n" in out
    assert "/2: ★\n" in out
    assert "/10: Export\n" in out
    assert "Thank you: ★★★★★." in out
    assert "Your own page is at the end now." in out
    written = own_home.resolve() / "exports" / "the-lamp.md"
    assert out.count(f"\n{written}\n") == 2
    assert written.read_text(encoding="utf-8").startswith("# The Lamp\n\n## The page\n")
    assert (written.parent / "the-lamp.json").is_file()


@pytest.mark.usefixtures("lamp")
def test_books_are_listed_changed_and_added(tmp_path: Path) -> None:
    comet = tmp_path / "comet.txt"
    comet.write_text("A comet stood over the harbour.", encoding="utf-8")
    out = _said(
        "/setpage 2",
        f"/book add {comet}",
        "/book",
        "/setpage 1",
        "What stood over the harbour?",
        "/book use the l",
        "/where",
    )
    assert "▸ comet, 1 estimated page" in out.lower()
    assert "\nThe Lamp, 3 pages" in out
    assert "A comet stood over the harbour." in out
    assert out.endswith("The Lamp, 3 pages: up to p. 2.\n")


@pytest.mark.usefixtures("lamp")
@pytest.mark.parametrize(
    "line",
    ["/nonsense", "/book use nosuch", "/book add", "/book add /no/such/file.txt"],
)
def test_a_line_that_cannot_be_done_is_one_line_and_the_talk_goes_on(line: str) -> None:
    ran = _chat("/setpage 2", line, "/where")
    assert ran.code == 0
    assert ran.err.count("\n") == 1
    assert ran.out.endswith("The Lamp, 3 pages: up to p. 2.\n")


@pytest.mark.usefixtures("lamp")
def test_odd_lines_do_no_harm() -> None:
    odd: list[str | bytes] = [
        b"\xff\xfe lamp \x80",
        b"\x00\x1b[31m lamp",
        "lamp " * 4_000,
        "x" * 20_000,
        "夜 🎉 '; DROP TABLE book; --",
        "\r",
        "/setpage\u00a02",
    ]
    ran = _chat("/setpage 2", *odd, _LAMP)
    assert ran.code == 0
    assert "Traceback" not in ran.err
    assert "> The lighthouse keeper lit the lamp.\n" in as_read(ran.out)
    assert ran.out.endswith("\n(up to p. 2)\n\n")


def test_a_file_is_opened_and_an_unknown_book_refused(small_book: Path) -> None:
    assert ", 3 pages. " in _said(arguments=("--book", str(small_book)))
    thusfar("chat", "--book", "nosuchbook").failed_in_one_line()


@pytest.mark.usefixtures("lamp")
def test_ctrl_c_ends_a_chat_in_a_pipe_without_a_traceback() -> None:
    with Program("chat") as chat:
        chat.stdin.write(b"/setpage 2\n/where\n")
        while line := chat.stdout.readline():
            if line.startswith(b"The Lamp, 3 pages: up to p. 2"):
                break
        chat.send_signal(signal.SIGINT)
        assert (chat.wait(), chat.stderr.read()) == (130, b"")
    assert "up to p. 2" in _said("/where")


@pytest.fixture
def comet(lamp: Path) -> Path:
    """A home with another book too."""
    later = lamp.with_name("later.txt")
    later.write_text("A comet stood over the harbour.", encoding="utf-8")
    thusfar("books", "add", str(later), "--title", "The Comet")
    return later


@pytest.mark.usefixtures("comet")
def test_in_a_pipe_a_book_is_removed_by_its_whole_title_or_with_yes_alone() -> None:
    ran = _chat("/book remove lamp", "/where", arguments=("--book", "lamp"))
    assert ran.err == "To remove The Lamp, say `/book remove` with its whole title or `--yes`.\n"
    assert "The Lamp, 3 pages: no page set." in ran.out
    assert "The Lamp is gone." in _said("/book remove lamp --yes", arguments=("--book", "lamp"))
    assert "The Comet is gone." in _said("/book remove the comet")


@pytest.mark.usefixtures("comet")
def test_after_its_book_is_gone_no_line_is_answered_from_another_one() -> None:
    lines = ("/setpage 3", "/book remove The Lamp", "Who lit the lamp?", "/where", "What stood over the harbour?")
    ran = _chat(*lines, arguments=("--book", "lamp"))
    after = (ran.out + ran.err).split("The Lamp is gone.")[1]
    assert after.count("We talked about The Lamp here, but that book has been removed.") == 3
    assert "comet" not in ran.out.lower()
    out = _said("/book remove The Comet", "/book use sample", "/where")
    assert "Short Weight, 83 pages" in out


@pytest.mark.usefixtures("comet")
def test_two_chats_at_once_in_one_home_keep_each_its_own_book() -> None:
    with Program("chat", "--book", "lamp", "--page", "3") as first:
        while b"You set the page" not in first.stdout.readline():
            pass
        assert "comet" in _said("What stood over the harbour?", arguments=("--book", "comet", "--page", "1"))
        ran = first.ran(b"Who lit the lamp?\n/where\n/who keeper\n/setpage 2\n/book use The Comet\n/where\n")
    assert "The lighthouse keeper lit the lamp." in as_read(ran.out)
    assert "The Lamp, 3 pages: up to p. 3." in ran.out
    assert "You set the page back from p. 3 to p. 2" in ran.out
    assert "The Comet, 1 estimated page: up to p. 1." in ran.out
    assert ran.out.index("The Lamp, 3 pages") < ran.out.index("opened The Comet")
    assert _said().startswith("The Comet, 1 page")


@pytest.mark.usefixtures("lamp")
def test_an_answer_of_ones_own_has_its_choices_by_number_and_the_text_around_it() -> None:
    out = _said("/mypage 3", "/ask Who rowed out to the wreck?", "/here")
    assert "/1: Keep for later\n" in out
    assert "Show in the thread" not in out
    assert out.count("**p. 3, chapter 2**") == 2
