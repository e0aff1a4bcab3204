"""`thusfar books`: what each command prints, and what it leaves in the home."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.bot.running import thusfar
from tests.tiny_minilm import make_tiny_minilm

_KEYS = ["book_id", "title", "author", "pages", "chapters", "chunks"]


def _add(path: Path, *more: str) -> dict[str, Any]:
    added = thusfar("books", "add", str(path), "--json", *more).json
    assert isinstance(added, dict)
    return added


def test_add_prints_the_book(small_book: Path) -> None:
    added = _add(small_book, "--title", "The Lamp", "--author", "A. Nobody")
    assert list(added) == [*_KEYS, "seconds"]
    assert re.fullmatch(r"b_[0-9a-f]{12}", added["book_id"])
    assert (added["title"], added["author"]) == ("The Lamp", "A. Nobody")
    assert (added["pages"], added["chapters"], added["chunks"]) == (3, 2, 3)
    assert isinstance(added["seconds"], float)


def test_the_same_file_twice_is_one_book(small_book: Path) -> None:
    first, second = _add(small_book), _add(small_book)
    assert first["book_id"] == second["book_id"]
    assert second["title"] == first["title"]
    again = thusfar("books", "add", str(small_book))
    assert again.code == 0
    assert again.err == "This text was already imported.\n"
    assert len(thusfar("books", "list", "--json").json) == 1


def test_list_prints_every_book_of_the_scope_with_its_status(small_book: Path) -> None:
    assert thusfar("books", "list", "--json").json == []
    added = _add(small_book)
    (listed,) = thusfar("books", "list", "--json").json
    assert list(listed) == [*_KEYS, "status"]
    assert listed == {key: added[key] for key in _KEYS} | {"status": "complete"}
    assert thusfar("books", "list", "--for", "discord:1", "--json").json == []
    _add(small_book, "--for", "discord:1")
    assert len(thusfar("books", "list", "--for", "discord:1", "--json").json) == 1
    assert len(thusfar("books", "list", "--json").json) == 1


def test_show_prints_the_chapters_without_their_titles_unless_asked(small_book: Path) -> None:
    _add(small_book)
    shown = thusfar("books", "show", "small", "--json").json
    told = ["status", "page_source", "labels", "first_story_page", "last_story_page", "left_out", "notes"]
    told += ["chapter_list"]
    assert list(shown) == [*_KEYS, *told]
    assert (shown["page_source"], shown["labels"]) == ("form_feeds", None)
    assert (shown["first_story_page"], shown["last_story_page"]) == (1, 3)
    assert shown["chapter_list"] == [
        {"number": 1, "first_page": 1, "last_page": 2},
        {"number": 2, "first_page": 3, "last_page": 3},
    ]
    titled = thusfar("books", "show", "small", "--titles", "--json").json["chapter_list"]
    assert [chapter["title"] for chapter in titled] == ["CHAPTER I", "CHAPTER II"]
    assert "CHAPTER I" not in thusfar("books", "show", "small").out


def test_what_is_worked_out_of_a_text_is_kept_at_the_import_and_erased_with_its_last_book(
    small_book: Path, own_home: Path
) -> None:
    for scope in ("local", "discord:1"):
        _add(small_book, "--for", scope)
    indexes = own_home / "indexes"
    kept = {path.relative_to(indexes): path.stat().st_mtime_ns for path in indexes.rglob("*.npz")}
    assert sorted(path.name for path in kept) == ["guard.npz", "words.npz"]
    thusfar("ask", "Who lit the lamp?", "--book", "small", "--page", "2")
    assert {path.relative_to(indexes): path.stat().st_mtime_ns for path in indexes.rglob("*.npz")} == kept
    thusfar("books", "remove", "small", "--for", "discord:1", "--yes")
    assert len(list(indexes.iterdir())) == 1
    thusfar("books", "remove", "small", "--yes")
    assert list(indexes.iterdir()) == []


def test_remove_takes_the_book_out_of_everything(small_book: Path) -> None:
    added = _add(small_book)
    removed = thusfar("books", "remove", "small", "--json").json
    assert removed == {"book_id": added["book_id"], "title": added["title"], "removed": True}
    assert thusfar("books", "list", "--json").json == []
    for command in (["show", "small"], ["remove", "small"]):
        thusfar("books", *command).failed_in_one_line()
    thusfar("search", "lamp", "--book", "small", "--page", "1").failed_in_one_line()
    assert _add(small_book)["book_id"] == added["book_id"]
    assert "lamp" in thusfar("search", "lamp", "--book", "small", "--page", "3", "--json").json[0]["text"]


def test_reindex_builds_the_indexes_anew(small_book: Path, own_home: Path, tmp_path: Path) -> None:
    make_tiny_minilm(tmp_path / "minilm", [small_book.read_text(encoding="utf-8")])
    added = _add(small_book)
    before = thusfar("search", "keeper", "--book", "small", "--page", "3", "--json").json
    for arguments in (["reindex"], ["reindex", "--wait"], ["reindex", "small"]):
        (done,) = thusfar("books", *arguments, "--json").json
        assert done == {key: added[key] for key in _KEYS} | {"status": "complete"}
    assert thusfar("search", "keeper", "--book", "small", "--page", "3", "--json").json == before
    assert (own_home / "chroma" / "chroma.sqlite3").is_file()


def test_an_ambiguous_name_lists_what_fits(small_book: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("Another small text altogether.", encoding="utf-8")
    ids = [_add(small_book, "--title", "Small One")["book_id"], _add(other, "--title", "Small Two")["book_id"]]
    line = thusfar("books", "show", "small").failed_in_one_line()
    assert all(book_id in line for book_id in ids)
    assert "Small One" in line


def _missing(_folder: Path) -> str:
    return "missing.txt"


def _empty(folder: Path) -> str:
    (folder / "empty.txt").touch()
    return "empty.txt"


def _blank(folder: Path) -> str:
    (folder / "blank.txt").write_text(" \n\f\n ")
    return "blank.txt"


def _binary(folder: Path) -> str:
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 40)
    return "binary.txt"


def _unknown(folder: Path) -> str:
    (folder / "book.xyz").write_text("text")
    return "book.xyz"


def _folder(folder: Path) -> str:
    (folder / "folder.txt").mkdir()
    return "folder.txt"


@pytest.mark.parametrize("make", [_missing, _empty, _blank, _binary, _unknown, _folder])
def test_what_is_no_book_is_one_line_and_leaves_nothing(make: Any, tmp_path: Path) -> None:
    path = tmp_path / make(tmp_path)
    assert path.name in thusfar("books", "add", str(path), "--json").failed_in_one_line()
    assert thusfar("books", "list", "--json").json == []


def test_a_book_that_is_too_large_is_refused(small_book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUSFAR_MAX_BOOK_MB", "1")
    small_book.write_text("The sea was grey. " * 70_000, encoding="utf-8")
    thusfar("books", "add", str(small_book)).failed_in_one_line()
    assert thusfar("books", "list", "--json").json == []


def test_edit_mends_what_an_import_got_wrong(small_book: Path) -> None:
    added = _add(small_book)
    options = ["--title", "The Lamp", "--author", "A. N.", "--first-page", "2", "--last-page", "3"]
    edited = thusfar("books", "edit", "small", *options, "--chapter", "2=The Wreck = The End", "--json").json
    assert (edited["book_id"], edited["title"], edited["author"]) == (added["book_id"], "The Lamp", "A. N.")
    assert (edited["first_story_page"], edited["last_story_page"]) == (2, 3)
    assert [chapter["title"] for chapter in edited["chapter_list"]] == ["CHAPTER I", "The Wreck = The End"]
    again = thusfar("books", "edit", "the lamp", "--author", "")
    assert again.out.splitlines()[0].startswith(f"{added['book_id']}  The Lamp: 3 pages")
    assert "story: p. 2-3" in again.out
    assert thusfar("books", "show", "the lamp", "--json").json["author"] is None


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--first-page", "4"], 1),
        (["--first-page", "3", "--last-page", "2"], 1),
        (["--title", " "], 1),
        (["--chapter", "9=No"], 1),
        (["--first-page", "0"], 2),
        (["--first-page", "x"], 2),
        (["--chapter", "No"], 2),
        (["--chapter", "=No"], 2),
        (["--chapter", "1="], 2),
    ],
)
def test_an_edit_that_cannot_be_is_one_line_and_changes_nothing(
    small_book: Path, options: list[str], code: int
) -> None:
    _add(small_book)
    before = thusfar("books", "show", "small", "--titles", "--json").json
    thusfar("books", "edit", "small", "--author", "Me", *options).failed_in_one_line(code)
    assert thusfar("books", "show", "small", "--titles", "--json").json == before


def test_share_gives_a_book_to_another_scope(small_book: Path) -> None:
    added = _add(small_book)
    shared = thusfar("books", "share", "small", "--to", "discord:1", "--json").json
    assert list(shared) == [*_KEYS, "status", "scope"]
    assert (shared["scope"], shared["status"], shared["pages"]) == ("discord:1", "complete", 3)
    assert shared["book_id"] != added["book_id"]
    (listed,) = thusfar("books", "list", "--for", "discord:1", "--json").json
    assert listed["book_id"] == shared["book_id"]
    again = thusfar("books", "share", "small", "--to", "discord:1")
    assert (again.code, again.err) == (0, "It was already there.\n")
    thusfar("books", "remove", "small", "--yes")
    back = thusfar("books", "share", "small", "--for", "discord:1", "--to", "local", "--json").json
    assert back["book_id"] == added["book_id"]
    assert thusfar("search", "lamp", "--book", "small", "--page", "3", "--json").json


def test_a_changed_file_takes_the_place_of_the_earlier_import_and_keeps_the_page(
    small_book: Path, tmp_path: Path
) -> None:
    first = _add(small_book, "--title", "The Lamp")
    thusfar("chat", typed="/setpage 2\n")
    changed = tmp_path / "changed.txt"
    changed.write_text("A foreword to the new file.\f" + small_book.read_text("utf-8"), encoding="utf-8")
    ran = thusfar("books", "add", str(changed), "--title", "The Lamp")
    assert ran.code == 0
    assert ran.err == "It replaces the earlier import of this title. Everyone keeps their page.\n"
    (listed,) = thusfar("books", "list", "--json").json
    assert listed["pages"] == 4
    assert listed["book_id"] != first["book_id"]
    assert "The Lamp, 4 pages: up to p. 3.\n" in thusfar("chat", typed="/where\n").out
