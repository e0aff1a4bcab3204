"""`thusfar books prebuild`, and the database of the sample that it made for `fixtures/`."""

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from adapters.persistence.migrate import NEWEST_REVISION
from tests.bot.running import ROOT, thusfar

_PREBUILT = ROOT / "fixtures" / "sample" / "prebuilt.db"
_STALE = "the sample, the schema or the embedding has changed since: run `make fixtures`"
_MOST_BYTES = 3_000_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command makes of the sample today."""
    home = tmp_path_factory.mktemp("prebuilt") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
        ran = thusfar("books", "prebuild", "sample", "--to", str(home), "--json")
    assert ran.json["title"] == "Short Weight"
    assert ran.json["home"] == str(home)
    return home


def _rows(database: Path, query: str) -> list[tuple[object, ...]]:
    # Immutable: a reader of a database in WAL mode would leave two files beside it, here in the repository.
    with closing(sqlite3.connect(f"file:{database}?immutable=1", uri=True)) as connection:
        return connection.execute(query).fetchall()


def _schema(database: Path) -> list[tuple[object, ...]]:
    return _rows(database, "SELECT name, sql FROM sqlite_master ORDER BY name")


def _book(database: Path) -> Iterable[list[tuple[object, ...]]]:
    yield _rows(database, "SELECT book_id, scope, content_hash, title, author, chunk_count FROM book")
    for table in ("page", "chapter", "chunk"):
        yield _rows(database, f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608 (three names of our own)


def test_the_home_is_ready_and_the_own_home_is_left_alone(
    made: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not own_home.exists()
    assert {path.name for path in made.parent.iterdir()} == {"home"}
    assert (made / "chroma" / "chroma.sqlite3").is_file()
    assert not (made / "thusfar.db-wal").exists()
    monkeypatch.setenv("THUSFAR_HOME", str(made))
    (listed,) = thusfar("books", "list", "--json").json
    assert (listed["title"], listed["status"]) == ("Short Weight", "complete")
    assert thusfar("search", "weighbridge", "--book", "short", "--page", "20", "--json").json


def test_the_prebuilt_sample_is_what_the_command_makes_today(made: Path) -> None:
    fresh = made / "thusfar.db"
    assert _rows(_PREBUILT, "SELECT version_num FROM alembic_version") == [(NEWEST_REVISION,)], _STALE
    assert _schema(_PREBUILT) == _schema(fresh), _STALE
    assert list(_book(_PREBUILT)) == list(_book(fresh)), _STALE
    assert _PREBUILT.stat().st_size < _MOST_BYTES
    assert [path.name for path in _PREBUILT.parent.glob("prebuilt.db*")] == ["prebuilt.db"]


def test_the_prebuilt_sample_has_the_vectors_that_ship_with_the_program() -> None:
    held = _rows(_PREBUILT, "SELECT model_id, count(*) FROM chunk_vector GROUP BY model_id")
    assert held == [("wordllama-l2-supercat-256", *_rows(_PREBUILT, "SELECT chunk_count FROM book")[0])], _STALE


def test_the_prebuilt_sample_alone_is_a_home(own_home: Path) -> None:
    own_home.mkdir()
    shutil.copy(_PREBUILT, own_home / "thusfar.db")
    (book,) = thusfar("books", "list", "--json").json
    assert (book["title"], book["status"]) == ("Short Weight", "complete")
    found = thusfar("search", "Who killed Prewett?", "--book", book["book_id"], "--page", "20", "--json").json
    assert found
    assert all(passage["end_page"] <= 20 for passage in found)


def test_an_empty_folder_is_taken_and_a_home_is_not(small_book: Path, tmp_path: Path) -> None:
    home = tmp_path / "target"
    home.mkdir()
    command = ("books", "prebuild", str(small_book), "--to", str(home))
    assert thusfar(*command).code == 0
    before = sorted(home.iterdir())
    assert "new or empty" in thusfar(*command).failed_in_one_line()
    assert sorted(home.iterdir()) == before


@pytest.mark.parametrize("content", [None, b"", b"   \n"])
def test_a_file_that_is_no_book_leaves_nothing(tmp_path: Path, content: bytes | None) -> None:
    path, place = tmp_path / "book.txt", tmp_path / "place"
    place.mkdir()
    if content is not None:
        path.write_bytes(content)
    thusfar("books", "prebuild", str(path), "--to", str(place / "home")).failed_in_one_line()
    assert list(place.iterdir()) == []
