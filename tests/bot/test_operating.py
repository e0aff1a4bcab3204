"""What whoever runs it does: looks after turns and clubs, backs up while it is served, restores."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from adapters.persistence.soundness import what_is_wrong
from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.inbound import InboundEvent
from core.domain.question import IncomingMessage, Reply
from core.domain.thread import Thread
from tests.bot.running import thusfar
from tests.chaos.whole_database import make_home, told_by

_PLACE = Thread(scope="discord:7", place="8", thread="")


@pytest.fixture
def club(own_home: Path, small_book: Path) -> None:
    """A club that has asked once, and two messages that are not done."""

    async def fill() -> None:
        application = build(Settings(thusfar_home=own_home, THUSFAR_EMBEDDINGS="none"))
        book = (await application.library.add(small_book, scope=_PLACE.scope, title="Small")).book
        await application.threads.use(_PLACE, book_id=book.book_id)
        ada = Author(member_id="discord:1", display_name="Ada")
        await application.clubs().positions.set(
            await application.threads.club(_PLACE), text="2", member=ada, confirmed=True
        )
        thread = Thread(scope=_PLACE.scope, place=_PLACE.place, thread="9")
        await application.answer_message.execute(IncomingMessage(thread=thread, author=ada, text="Who lit the lamp?"))
        first, second = (
            InboundEvent(platform="discord", place="8", message_id=key, payload={"text": "A secret question?"})
            for key in ("1", "2")
        )
        await application.clubs().inbox.take_in(first)
        await application.clubs().inbox.take_in(second)
        await application.clubs().inbox.settle(second, Reply(text="A secret answer.", failed=True))
        await application.close()

    asyncio.run(fill())


@pytest.mark.usefixtures("club")
def test_turns_are_listed_and_shown_without_what_was_said() -> None:
    first, second = thusfar("turns", "list", "--json").json
    assert (first["state"], first["attempts"], first["failed"]) == ("received", 0, None)
    assert (second["state"], second["failed"]) == ("answered", True)
    shown = thusfar("turns", "show", str(second["turn"]))
    assert "answered" in shown.out
    everything = thusfar("turns", "list").out + shown.out + str((first, second))
    assert "secret" not in everything


@pytest.mark.usefixtures("club")
def test_a_turn_is_tried_again_or_dropped() -> None:
    first, second = (str(one["turn"]) for one in thusfar("turns", "list", "--json").json)
    assert thusfar("turns", "retry", second).code == 0
    assert thusfar("turns", "show", second, "--json").json["state"] == "received"
    assert thusfar("turns", "drop", first).code == 0
    assert [str(one["turn"]) for one in thusfar("turns", "list", "--json").json] == [second]
    assert first in thusfar("turns", "retry", first).failed_in_one_line()
    assert thusfar("turns", "drop", second).code == 0
    assert thusfar("turns", "list").err == "Nothing is unfinished.\n"


@pytest.mark.usefixtures("club")
def test_a_club_takes_what_it_did_along() -> None:
    exported = thusfar("clubs", "export", "8", "--for", "discord:7", "--json").json
    (asked,) = exported["questions"]
    assert (exported["title"], asked["asker"], asked["question"], asked["page"]) == (
        "Small",
        "Ada",
        "Who lit the lamp?",
        2,
    )
    assert [move["page"] for move in exported["pages"]] == [2]
    text = thusfar("clubs", "export", "8", "--for", "discord:7").out
    assert text.startswith("# Small\n\n## The page\n\n- ")
    assert "Who lit the lamp?\n\n" + asked["answer"] in text
    refused = thusfar("clubs", "export", "99")
    assert (refused.code, refused.out) == (1, "")
    assert "thusfar clubs list" in refused.err


@pytest.mark.usefixtures("club")
def test_clubs_are_listed() -> None:
    (line,) = thusfar("clubs", "list", "--json").json
    assert (line["scope"], line["place"], line["title"], line["page"]) == ("discord:7", "8", "Small", 2)
    assert (line["threads"], line["turns"]) == (1, 1)
    assert thusfar("clubs", "list").out == "discord:7 8: Small, p. 2; 1 thread, 1 turn, 0 tokens, $0.00\n"


def test_whoever_reads_alone_is_listed_with_the_page_of_the_talk(small_book: Path) -> None:
    thusfar("chat", "--book", str(small_book), typed="Who lit the lamp?\n")
    assert ", no page yet; " in thusfar("clubs", "list").out
    thusfar("chat", "--book", str(small_book), typed="/setpage 2\n")
    assert ", p. 2; " in thusfar("clubs", "list").out


@pytest.mark.usefixtures("club")
def test_a_backup_under_load_is_whole_and_is_restored(own_home: Path, tmp_path: Path) -> None:
    copy, stopping, written = tmp_path / "copy.db", threading.Event(), threading.Event()

    def load() -> None:
        with closing(sqlite3.connect(own_home / "thusfar.db", timeout=30, isolation_level=None)) as connection:
            number = 0
            while not stopping.is_set():
                connection.execute("BEGIN IMMEDIATE")
                for table in ("a", "b"):  # both or none: a copy that was torn would have one of them
                    connection.execute(
                        "INSERT INTO inbound_event (platform, bot, place, message_id, payload, state, received_at) "
                        "VALUES (?, '', 'load', ?, '{}', 'done', '2026-01-01')",
                        [table, str(number)],
                    )
                connection.execute("COMMIT")
                number += 1
                written.set()

    writer = threading.Thread(target=load)
    writer.start()
    try:
        assert written.wait(20)
        assert thusfar("backup", str(copy), "--json").json["bytes"] > 0
    finally:
        stopping.set()
        writer.join()
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        per_platform = connection.execute(
            "SELECT platform, count(*) FROM inbound_event WHERE place = 'load' GROUP BY platform"
        ).fetchall()
    counts = {number for _, number in per_platform}
    assert len(per_platform) == 2
    assert len(counts) == 1
    thusfar("books", "remove", "Small", "--for", _PLACE.scope, "--yes")
    assert thusfar("restore", str(copy)).code == 0
    assert [one["title"] for one in thusfar("books", "list", "--for", _PLACE.scope, "--json").json] == ["Small"]
    assert len(list(own_home.glob("thusfar.db.before-*Z"))) == 1
    assert len(thusfar("turns", "list", "--json").json) == 2


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("DROP TABLE message", "is missing: table message"),
        ("ALTER TABLE book RENAME COLUMN title TO name", "is missing: column book.title"),
        ("DROP INDEX ix_inbound_event_undone", "is missing: index ix_inbound_event_undone"),
        ("CREATE TRIGGER later AFTER INSERT ON message BEGIN DELETE FROM book; END", "trigger later"),
        ("CREATE VIEW all_of_it AS SELECT * FROM message", "view all_of_it"),
        ("CREATE VIRTUAL TABLE words USING fts5(word)", "table words"),
        ("CREATE TABLE more (word TEXT)", "never makes: table more"),
        ("ALTER TABLE book ADD COLUMN more TEXT", "never makes: column book.more or null"),
        ("ALTER TABLE book ADD COLUMN more AS (upper(title))", "never makes: column book.more, computed"),
        ("ALTER TABLE book ADD COLUMN more TEXT CHECK (more <> 'x')", "check in book"),
        ("CREATE UNIQUE INDEX one ON message (content)", "never makes: index one of message.content"),
        ("CREATE INDEX one ON message (upper(content))", "never makes: index one of message.?"),
        ("UPDATE reading SET book_id = 'b_gone'", "missing ones, in table: reading"),
        ("UPDATE alembic_version SET version_num = '9999'", "update Thusfar"),
        ("DELETE FROM alembic_version", "schema None"),
    ],
)
def test_a_backup_that_is_not_whole_is_refused_and_doctor_says_the_same(
    own_home: Path, tmp_path: Path, change: str, why: str
) -> None:
    copy = tmp_path / "copy.db"
    thusfar("backup", str(copy))
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute(change)
        connection.commit()
    before = (own_home / "thusfar.db").read_bytes()
    sentence = thusfar("restore", str(copy)).failed_in_one_line()
    assert str(copy) in sentence
    assert why in sentence
    assert (own_home / "thusfar.db").read_bytes() == before
    assert [path.name for path in own_home.glob("thusfar.db.*")] == []
    assert why in str(what_is_wrong(copy))


@pytest.mark.usefixtures("club")
def test_doctor_and_backup_tell_of_a_table_that_is_missing(own_home: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    thusfar("backup", str(kept))
    with closing(sqlite3.connect(own_home / "thusfar.db")) as connection:
        connection.execute("DROP TABLE poll")
    whole = kept.read_bytes()
    assert "is missing: table poll" in thusfar("backup", str(kept)).failed_in_one_line()
    assert kept.read_bytes() == whole
    files = {check["name"]: check for check in json.loads(thusfar("doctor", "--json").out)["checks"]}["database files"]
    assert not files["ok"]
    assert "is missing: table poll" in files["detail"]


def test_a_database_behind_a_link_stays_where_it_is(own_home: Path, tmp_path: Path) -> None:
    """Its log lies beside what the link leads to, and so do the copies."""
    elsewhere = tmp_path / "elsewhere"
    make_home(elsewhere, said="linked")
    make_home(tmp_path / "other", said="whole", log=False)
    log = elsewhere / "thusfar.db-wal"
    log.write_bytes(b"\0" * 40 + log.read_bytes()[40:])
    own_home.mkdir()
    link = own_home / "thusfar.db"
    link.symlink_to(elsewhere / "thusfar.db")
    assert "log" in thusfar("books", "list").failed_in_one_line()
    kept = thusfar("restore", str(tmp_path / "other" / "thusfar.db"), "--json").json["before"]
    assert link.is_symlink()
    assert Path(f"{kept}-wal").exists()
    assert told_by(elsewhere / "thusfar.db") == "whole*40"


@pytest.mark.usefixtures("club")
def test_what_is_no_backup_is_not_restored(own_home: Path, tmp_path: Path) -> None:
    before = (own_home / "thusfar.db").read_bytes()
    other, empty, text = tmp_path / "other.db", tmp_path / "empty.db", tmp_path / "text.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE said (text)")
    empty.touch()
    text.write_text("no database at all, but long enough to be looked at" * 20)
    for each in (other, empty, text, tmp_path / "none.db"):
        assert str(each) in thusfar("restore", str(each)).failed_in_one_line()
    assert (own_home / "thusfar.db").read_bytes() == before
    assert list(own_home.glob("thusfar.db.*")) == []


@pytest.mark.usefixtures("club")
def test_nothing_is_restored_while_a_process_has_the_database_open(own_home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    thusfar("backup", str(copy))
    holds = (
        "import sqlite3, sys; held = sqlite3.connect(sys.argv[1]);"
        "print(*held.execute('SELECT count(*) FROM book'), flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(own_home / "thusfar.db")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert "Another process uses" in thusfar("restore", str(copy)).failed_in_one_line()
        other.communicate(b"\n")
    assert thusfar("restore", str(copy)).code == 0


def test_each_restore_keeps_what_it_replaced_and_the_newest_three_stay(own_home: Path, tmp_path: Path) -> None:
    """The first database is one that a SIGKILL left: all that was said stands in its log alone."""
    make_home(own_home, said="killed")
    backups = []
    for number in range(4):
        make_home(tmp_path / str(number), said=f"backup-{number}", log=False)
        backups.append(tmp_path / str(number) / "thusfar.db")
    for number, backup in enumerate(backups):
        assert thusfar("restore", str(backup)).code == 0
        copies = sorted(own_home.glob("thusfar.db.before-*Z"))
        told = ["killed*40", *(f"backup-{before}*40" for before in range(number))]
        assert [told_by(each) for each in copies] == told[-3:]
    oldest = min(own_home.glob("thusfar.db.before-*Z"))
    assert thusfar("restore", str(oldest)).code == 0
    assert told_by(own_home / "thusfar.db") == "backup-0*40"
    assert oldest.is_file()


def test_what_sqlite_cannot_read_is_kept_byte_for_byte_with_its_log(own_home: Path, tmp_path: Path) -> None:
    make_home(own_home, said="damaged")
    make_home(tmp_path / "other", said="whole", log=False)
    log = own_home / "thusfar.db-wal"
    log.write_bytes(b"\0" * 40 + log.read_bytes()[40:])
    before = [(own_home / f"thusfar.db{end}").read_bytes() for end in ("", "-wal")]
    kept = thusfar("restore", str(tmp_path / "other" / "thusfar.db"), "--json").json["before"]
    assert [Path(f"{kept}{end}").read_bytes() for end in ("", "-wal")] == before
    assert told_by(own_home / "thusfar.db") == "whole*40"


def test_an_upgrade_keeps_a_copy_and_says_how_to_go_back(own_home: Path, caplog: pytest.LogCaptureFixture) -> None:
    make_home(own_home, said="older", revision="0032")
    assert thusfar("books", "list").code == 0
    (kept,) = own_home.glob("thusfar.db.before-*Z")
    assert told_by(kept) == "older*40 at 0032"
    assert f"thusfar restore {kept}" in caplog.text


def test_a_postgres_database_is_backed_up_by_its_own_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somebody:secret@db/books")
    line = thusfar("restore", "x.db").failed_in_one_line()
    assert "pg_restore" in line
    assert "secret" not in line
