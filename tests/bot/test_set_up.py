"""Settings, homes, `doctor`, `db upgrade`, help: what a newcomer meets, and what a broken set-up says."""

import json
import sqlite3
from contextlib import ExitStack
from pathlib import Path

import pytest

from adapters.persistence.migrate import NEWEST_REVISION
from tests.bot.program import Program
from tests.bot.running import thusfar
from tests.tiny_minilm import make_tiny_minilm

_COMMANDS = (
    ["chat"],
    ["ask"],
    ["search"],
    ["serve"],
    ["books", "add"],
    ["books", "list"],
    ["books", "show"],
    ["books", "remove"],
    ["books", "reindex"],
    ["doctor"],
    ["db", "upgrade"],
    ["embeddings", "get"],
)
_SECRET = "s3cret-value"  # noqa: S105 (made up, to look for it in what is printed)


@pytest.mark.parametrize("command", _COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example(command: list[str], own_home: Path) -> None:
    ran = thusfar(*command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert f"Example: thusfar {' '.join(command)}" in ran.out
    assert not own_home.exists()


@pytest.mark.parametrize("group", [[], ["books"], ["db"], ["embeddings"]], ids=["thusfar", "books", "db", "embeddings"])
def test_a_group_lists_its_commands(group: list[str]) -> None:
    ran = thusfar(*group, "--help")
    assert (ran.code, ran.err) == (0, "")
    for command in _COMMANDS:
        if command[: len(group)] == group:
            assert command[len(group)] in ran.out


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("THUSFAR_EMBEDDINGS", _SECRET),
        ("THUSFAR_MAX_BOOK_MB", _SECRET),
        ("THUSFAR_MAX_BOOK_MB", "0"),
        ("THUSFAR_MAX_HISTORY_MESSAGES", "-1"),
        ("THUSFAR_LOG_LEVEL", _SECRET),
    ],
)
def test_a_wrong_setting_is_named_and_its_value_never_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    line = thusfar("books", "list").failed_in_one_line()
    assert name in line
    assert _SECRET not in line


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://user:{_SECRET}@127.0.0.1:1/books",
        f"nonsense://user:{_SECRET}@host/books",
        f"no url at all {_SECRET}",
        f"sqlite:////nowhere/{_SECRET}/x.db",
    ],
)
def test_a_wrong_database_url_is_one_line_without_its_password(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    line = thusfar("books", "list").failed_in_one_line()
    assert f":{_SECRET}@" not in line
    assert "database" in line.lower() or "DATABASE_URL" in line


def test_an_empty_setting_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THUSFAR_EMBEDDINGS", "DATABASE_URL", "THUSFAR_MAX_BOOK_MB"):
        monkeypatch.setenv(name, "")
    assert thusfar("books", "list", "--json").json == []


def test_the_env_file_is_read_and_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THUSFAR_HOME")
    (tmp_path / "work" / ".env").write_text(f"THUSFAR_HOME={tmp_path / 'from-file'}\n")
    thusfar("books", "list", "--json")
    assert (tmp_path / "from-file" / "thusfar.db").is_file()
    monkeypatch.setenv("THUSFAR_HOME", str(tmp_path / "from-environment"))
    thusfar("books", "list", "--json")
    assert (tmp_path / "from-environment" / "thusfar.db").is_file()


def test_the_home_is_a_folder_in_the_working_directory_unless_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("THUSFAR_HOME")
    assert thusfar("books", "list", "--json").json == []
    assert (tmp_path / "work" / ".thusfar" / "thusfar.db").is_file()


def test_a_database_that_is_none_is_one_line(own_home: Path) -> None:
    own_home.mkdir()
    (own_home / "thusfar.db").write_bytes(b"no database " * 1_000)
    for command in (["books", "list"], ["search", "x", "--book", "b", "--page", "1"], ["db", "upgrade"]):
        thusfar(*command).failed_in_one_line()


def test_a_database_of_a_newer_version_is_one_line(own_home: Path) -> None:
    thusfar("books", "list")
    with sqlite3.connect(own_home / "thusfar.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert "9999" in thusfar("books", "list").failed_in_one_line()


def test_a_damaged_index_heals_with_one_line_and_the_same_answer(
    small_book: Path, own_home: Path, tmp_path: Path
) -> None:
    make_tiny_minilm(tmp_path / "minilm", [small_book.read_text(encoding="utf-8")])
    thusfar("books", "add", str(small_book))
    arguments = ("search", "lamp", "--book", "small", "--page", "3", "--json")
    right = thusfar(*arguments).json
    (own_home / "chroma" / "chroma.sqlite3").write_bytes(b"\x13" * 10_000)
    healed = thusfar(*arguments)
    assert (healed.code, json.loads(healed.out)) == (0, right)
    assert healed.err.count("\n") == 1
    assert "rebuilt" in healed.err
    assert thusfar(*arguments).json == right


def test_upgrade_makes_the_database_once(own_home: Path) -> None:
    first = thusfar("db", "upgrade", "--json").json
    assert first["revision"] == NEWEST_REVISION
    assert (own_home / "thusfar.db").is_file()
    assert thusfar("db", "upgrade", "--json").json == {"revision": NEWEST_REVISION, "changed": False}
    assert NEWEST_REVISION in thusfar("db", "upgrade").out


@pytest.mark.usefixtures("own_home")
def test_doctor_finds_nothing_wrong_in_a_fresh_home() -> None:
    checks = thusfar("doctor", "--json").json["checks"]
    assert all(list(check) == ["name", "ok", "detail"] for check in checks)
    assert all(check["ok"] for check in checks)
    names = [check["name"] for check in checks]
    assert names == [
        "python",
        "prompts",
        "sample novel",
        "home",
        "database",
        "database files",
        "index",
        "embeddings",
        "model",
        "notes",
        "discord",
        "slack",
    ]
    ran = thusfar("doctor")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.out.splitlines()) == len(checks)
    assert "PROBLEM" not in ran.out


def test_doctor_says_that_words_alone_are_searched_without_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUSFAR_EMBEDDINGS", "none")
    details = {check["name"]: check["detail"] for check in thusfar("doctor", "--json").json["checks"]}
    assert details["embeddings"] == "off"
    assert "words only" in details["index"]


def test_everything_works_without_embeddings(small_book: Path, monkeypatch: pytest.MonkeyPatch, own_home: Path) -> None:
    monkeypatch.setenv("THUSFAR_EMBEDDINGS", "none")
    added = thusfar("books", "add", str(small_book), "--json").json
    (found,) = thusfar("search", "lamp", "--book", "small", "--page", "3", "--json").json
    assert found["start_page"] == 1
    assert thusfar("books", "list", "--json").json[0]["status"] == "complete"
    assert thusfar("books", "reindex", "--json").json[0]["book_id"] == added["book_id"]
    assert not (own_home / "chroma").exists()


def test_a_model_that_comes_to_be_there_embeds_what_was_imported_before(
    small_book: Path, own_home: Path, tmp_path: Path
) -> None:
    thusfar("books", "add", str(small_book))
    assert thusfar("books", "list", "--json").json[0]["status"] == "complete"
    make_tiny_minilm(tmp_path / "minilm", [small_book.read_text(encoding="utf-8")])
    assert thusfar("books", "list", "--json").json[0]["status"] == "searchable"
    search = ("search", "lamp", "--book", "small", "--page", "3", "--json")
    assert thusfar(*search).json[0]["start_page"] == 1
    assert not (own_home / "chroma").exists()
    assert thusfar("books", "reindex", "--wait", "--json").json[0]["status"] == "complete"
    assert thusfar(*search).json[0]["start_page"] == 1
    assert (own_home / "chroma").is_dir()


def test_two_commands_at_once_share_a_fresh_home(small_book: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("A comet stood over the harbour.", encoding="utf-8")
    with ExitStack() as stack:
        started = [
            stack.enter_context(Program("books", "add", str(path), "--json"))
            for path in (small_book, other, small_book)
        ]
        ended = [program.ran() for program in started]
    assert len({ran.json["book_id"] for ran in ended}) == 2
    listed = thusfar("books", "list", "--json").json
    assert [(book["title"].lower(), book["status"]) for book in listed] == [
        ("other", "complete"),
        ("small", "complete"),
    ]
    found = thusfar("search", "comet", "--book", "other", "--page", "1", "--json").json
    assert [result["text"] for result in found] == ["A comet stood over the harbour."]


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "weighbridge", "--book", "short", "--page", "83", "--top-k", "100000", "--json"],
        ["search", "weighbridge", "--book", "short", "--page", "83", "--top-k", "100000"],
        ["books", "list"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_reader_that_goes_away_gives_no_traceback(arguments: list[str]) -> None:
    with Program(*arguments) as program:
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait() in {0, 1}
