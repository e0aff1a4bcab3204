"""What careless or unlucky operators do: each gets one clear sentence, or what they meant."""

import signal
import sqlite3
import stat
from pathlib import Path

import pytest

from tests.bot.program import Program, thusfar_process
from tests.bot.running import thusfar


def test_an_env_file_that_is_no_text_is_named(own_home: Path) -> None:
    Path(".env").write_bytes(b"A=\xff\xfe\n")
    line = thusfar("books", "list").failed_in_one_line()
    assert ".env" in line
    assert not own_home.exists()


def test_a_home_with_a_tilde_is_in_the_persons_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("THUSFAR_HOME=~/books\n", encoding="utf-8")
    monkeypatch.delenv("THUSFAR_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert thusfar("books", "list", "--json").json == []
    assert (tmp_path / "books" / "thusfar.db").is_file()
    assert not Path("~").exists()


def test_what_clubs_say_is_nobody_elses(own_home: Path, small_book: Path) -> None:
    assert thusfar_process("books", "add", str(small_book)).code == 0
    assert thusfar_process("backup", str(own_home / "kept.db")).code == 0
    for path in (own_home, own_home / "thusfar.db", own_home / "kept.db"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_the_sample_is_known_to_every_command_that_reads(sample: Path) -> None:
    assert thusfar("search", "weighbridge", "--book", "sample", "--page", "20", "--json").json
    ran = thusfar("chat", typed="/book use sample\n/where\n")
    assert ran.code == 0
    assert "Short Weight, 83 pages" in ran.out


def test_a_byte_order_mark_before_the_first_line_of_a_batch_is_no_error(small_book: Path) -> None:
    thusfar("books", "add", str(small_book))
    asked = '\ufeff{"id": 1, "query": "lamp", "page": 3}\n{"id": 2, "query": "lamp", "page": ' + "9" * 5000 + "}\n"
    first, second = thusfar("search", "-", "--book", "small", typed=asked).json_lines
    assert first["results"]
    assert "not JSON" in second["error"]


def test_a_full_device_is_one_line(small_book: Path) -> None:
    with Path("/dev/full").open("wb") as full, Program("books", "add", str(small_book), stdout=full.fileno()) as adding:
        adding.ran().failed_in_one_line()


def test_ctrl_c_ends_a_chat_whose_pipe_stays_open(sample: Path) -> None:
    with Program("chat") as chat:
        assert b"Short Weight" in chat.stdout.readline()
        chat.send_signal(signal.SIGINT)
        assert chat.wait() == 130


def test_a_file_that_is_not_there_is_told_from_a_book(own_home: Path) -> None:
    for name in ("moonstone.epub", "books/moonstone"):
        assert "No book or file" in thusfar("chat", "--book", name).failed_in_one_line()
    assert "or file" not in thusfar("chat", "--book", "moonstone").failed_in_one_line()


def test_whoever_only_looks_waits_for_no_writer(own_home: Path, small_book: Path) -> None:
    thusfar("books", "add", str(small_book))
    writer = sqlite3.connect(own_home / "thusfar.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert [book["title"] for book in thusfar("books", "list", "--json").json] == ["Small"]
    writer.execute("ROLLBACK")
    writer.close()
