"""`thusfar embeddings get`, and what a model that is at hand changes."""

import json
from pathlib import Path

import pytest

from tests.bot.running import thusfar
from tests.tiny_minilm import make_tiny_minilm

_NOWHERE = "http://127.0.0.1:9/onnx.tar.gz"


def _details() -> dict[str, str]:
    return {check["name"]: check["detail"] for check in thusfar("doctor", "--json").json["checks"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that the settings of every test name."""
    return tmp_path / "minilm"


def test_chromas_own_folder_is_where_it_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THUSFAR_MINILM_FOLDER")
    monkeypatch.setenv("HOME", str(tmp_path))
    usual = tmp_path / ".cache" / "chroma" / "onnx_models" / "all-MiniLM-L6-v2" / "onnx"
    make_tiny_minilm(usual, ["a lamp"])
    assert thusfar("embeddings", "get", "--from", _NOWHERE, "--json").json["folder"] == str(usual)
    assert _details()["embeddings"].startswith("minilm-")


def test_doctor_says_which_model_there_is_and_how_to_get_the_better_one(folder: Path) -> None:
    details = _details()
    assert "embeddings get" in details["embeddings"]
    assert details["embeddings"].startswith("wordllama-")
    assert details["index"] == "Chroma"
    make_tiny_minilm(folder, ["a lamp"])
    details = _details()
    assert details["embeddings"].endswith("-384, 384 dimensions")
    assert details["index"] == "Chroma"


@pytest.mark.parametrize(("chosen", "index"), [("wordllama", "Chroma"), ("none", "words only (no passage vectors)")])
def test_a_model_that_was_not_chosen_is_left_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, chosen: str, index: str
) -> None:
    make_tiny_minilm(folder, ["a lamp"])
    monkeypatch.setenv("THUSFAR_EMBEDDINGS", chosen)
    details = _details()
    assert not details["embeddings"].startswith("minilm-")
    assert details["index"] == index


def test_a_model_that_was_chosen_and_is_not_there_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUSFAR_EMBEDDINGS", "minilm")
    line = thusfar("books", "list").failed_in_one_line()
    assert str(folder) in line
    assert "embeddings get" in line


def test_a_model_that_is_broken_leaves_the_search_to_words_and_doctor_says_so(folder: Path, small_book: Path) -> None:
    make_tiny_minilm(folder, ["a lamp"])
    (folder / "model.onnx").write_bytes(b"half a model")
    assert thusfar("books", "add", str(small_book)).code == 0
    assert thusfar("search", "lamp", "--book", "small", "--page", "3", "--json").json[0]["start_page"] == 1
    ran = thusfar("doctor")
    (problem,) = [line for line in ran.out.splitlines() if line.startswith("PROBLEM")]
    assert problem.startswith("PROBLEM embeddings: ")
    assert str(folder) in problem


def test_a_book_is_found_by_a_sentence_of_its_pages_and_never_by_an_unread_one(folder: Path, tmp_path: Path) -> None:
    pages = ["The keeper lit the lamp.", "A storm broke over the bay.", "The cook drowned in the storm."]
    book = tmp_path / "bay.txt"
    book.write_text("\f".join(" ".join([page] * 13) for page in pages), encoding="utf-8")
    make_tiny_minilm(folder, pages, alike={"zorple": "drowned"})
    added = thusfar("books", "add", str(book), "--json").json
    assert thusfar("books", "list", "--json").json[0]["status"] == "complete"
    search = ("search", "zorple", "--book", added["book_id"], "--json", "--page")
    assert thusfar(*search, "3").json[0]["start_page"] == 3
    assert {found["start_page"] for found in thusfar(*search, "2").json} <= {1, 2}


def test_a_page_is_found_by_what_a_note_of_it_means_and_never_by_an_unread_one(folder: Path, tmp_path: Path) -> None:
    pages = ["The keeper lit the lamp.", "A storm broke over the bay.", "The cook drowned in the storm."]
    told = ["The keeper kindles fire.", "The storm turns.", "A death: the cook drowned."]
    book, notes = tmp_path / "bay.txt", tmp_path / "notes.jsonl"
    book.write_text("\f".join(" ".join([page] * 13) for page in pages), encoding="utf-8")
    lines = [json.dumps({"page": number, "note": note}) for number, note in enumerate(told, 1) for _ in range(2)]
    notes.write_text("\n".join(lines), encoding="utf-8")
    make_tiny_minilm(folder, [*pages, *told], alike={"zorple": "death", "zurple": "cook"})
    added = thusfar("books", "add", str(book), "--json").json
    assert thusfar("notes", "import", added["book_id"], str(notes)).code == 0
    search = ("search", "zorple zurple", "--book", added["book_id"], "--json", "--page")
    assert thusfar(*search, "3").json[0]["start_page"] == 3
    assert {found["start_page"] for found in thusfar(*search, "2").json} <= {1, 2}
