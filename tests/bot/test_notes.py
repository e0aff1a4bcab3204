"""`thusfar notes`: what comes in, what stays out, what is shown, and what another club gets."""

import json
from pathlib import Path

import pytest

from tests.bot.running import thusfar

_NOTES = (
    (1, "The lighthouse keeper lights the lamp."),
    (2, "A storm breaks a window of the tower."),
    (3, "The keeper has a daughter, who rows out to a wreck."),
)


@pytest.fixture
def book(small_book: Path) -> str:
    return str(thusfar("books", "add", str(small_book), "--title", "Small Light", "--json").json["book_id"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps({"page": page, "note": note}) + "\n" for page, note in _NOTES), encoding="utf-8")
    return path


def test_notes_come_in_are_shown_and_go(book: str, file: Path) -> None:
    assert thusfar("notes", "import", "small", str(file), "--json").json == {
        "book_id": book,
        "notes": 3,
        "pages": 3,
        "left_out": [],
    }
    (shown,) = thusfar("notes", "show", "small", "--page", "2", "--json").json
    assert (shown["page"], shown["number"], shown["note"], shown["moved_from"]) == (2, 1, _NOTES[1][1], None)
    assert thusfar("notes", "show", "small", "--page", "2").out == f"1. {_NOTES[1][1]}\n"
    assert thusfar("notes", "remove", "small", "--json").json == {"book_id": book, "removed": 3}
    assert thusfar("notes", "show", "small", "--page", "2", "--json").json == []
    assert "has no notes" in thusfar("notes", "export", "small").failed_in_one_line()


def test_what_is_exported_can_be_imported(book: str, file: Path, tmp_path: Path) -> None:
    thusfar("notes", "import", "small", str(file))
    exported = thusfar("notes", "export", "small").json_lines
    assert [(line["page"], line["note"]) for line in exported] == list(_NOTES)
    again = tmp_path / "again.jsonl"
    again.write_text("\n".join(map(json.dumps, exported)), encoding="utf-16")
    assert thusfar("notes", "import", "small", str(again), "--json").json["notes"] == 3


def test_bad_lines_are_told_with_their_reason(book: str, file: Path) -> None:
    with file.open("a", encoding="utf-8") as more:
        more.write(f"what?\n{json.dumps({'page': 9, 'note': 'The lamp goes out.'})}\n")
    told = thusfar("notes", "import", "small", str(file))
    assert told.code == 0
    assert told.out == "Small Light: 3 notes on 3 of 3 pages.\n"
    assert told.err == "left out, line 4: this line is no JSON\nleft out, line 5: this book has pages 1 to 3\n"
    imported = thusfar("notes", "import", "small", str(file), "--json").json
    assert imported["left_out"][0] == {"line": 4, "reason": "this line is no JSON"}


def test_a_note_that_tells_of_later_pages_moves_and_says_so(book: str, file: Path) -> None:
    file.write_text(json.dumps({"page": 1, "note": _NOTES[2][1]}), encoding="utf-8")
    assert "1 of them were about later pages" in thusfar("notes", "import", "small", str(file)).out
    assert thusfar("notes", "show", "small", "--page", "3").out == f"1. {_NOTES[2][1]}  (written for p. 1)\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b'{"page": 1,\n "note": "caf\xe9"}', "is no UTF-8 text (line 2)"),
        (b"\x00\x01\x02\xff\xfe", "is no UTF-8 text"),
        (b"what?", "There is no note of Small Light: line 1: this line is no JSON. Nothing has changed."),
    ],
)
def test_a_file_that_holds_no_notes_is_refused_in_one_line(book: str, file: Path, content: bytes, told: str) -> None:
    thusfar("notes", "import", "small", str(file))
    file.write_bytes(content)
    assert told in thusfar("notes", "import", "small", str(file)).failed_in_one_line()
    assert len(thusfar("notes", "export", "small").json_lines) == 3


@pytest.mark.parametrize(("page", "code"), [("0", 2), ("x", 2), ("4", 1)])
def test_a_page_that_the_book_does_not_have_is_an_error(book: str, page: str, code: int) -> None:
    thusfar("notes", "show", "small", "--page", page).failed_in_one_line(code)
