"""`thusfar eval retrieval`: its figures, its JSON, and that the home stays as it is."""

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.bot.running import thusfar

_FIGURES = ["hit@1", "hit@5", "hit@20", "mrr@10"]
_SIDES = ["thusfar", "yardstick", "difference"]
_PAGES = (
    "The keeper lit the lamp of the lighthouse and wound the clock.",
    "A storm broke the window of the tower; glass lay on the stairs.",
    "His daughter rowed out to the wreck in the small green boat.",
    "The doctor came from the village with brandy and a blanket.",
    "In the morning the bell rang, and everybody counted the men.",
)
_QUESTIONS = (
    ("What did the keeper light?", 5, 1),
    ("What broke in the tower?", 4, 2),
    ("Who rowed to the wreck?", 5, 3),
    ("Who was fetched from the village?", 5, 4),
    ("Which bell rang?", 5, 5),
)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    folder = tmp_path / "lamp"
    folder.mkdir()
    (folder / "book.txt").write_text("\f".join(_PAGES), encoding="utf-8")
    labels = [
        {"id": f"q{at}", "question": text, "at_page": page, "kind": "answerable", "answer_pages": [answer]}
        for at, (text, page, answer) in enumerate(_QUESTIONS)
    ]
    labels.append({"id": "a", "question": "Who died?", "at_page": 1, "kind": "ahead", "answer_pages": [5]})
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    return folder


def _check(part: dict[str, Any], *, questions: int) -> None:
    assert list(part) == ["questions", *_SIDES, "positions"]
    assert part["questions"] == questions
    assert list(part["positions"]) == ["page", "+10", "+30", "+60", "end"]
    for figures in (part, *part["positions"].values()):
        _check_sides(figures)
    for side in _SIDES:
        for name in _FIGURES:
            at_each = [figures[side][name]["value"] for figures in part["positions"].values()]
            assert part[side][name]["value"] == pytest.approx(fmean(at_each), abs=2e-4)


def _check_sides(part: dict[str, Any]) -> None:
    for side in _SIDES:
        assert list(part[side]) == _FIGURES
        for figure in part[side].values():
            assert list(figure) == ["value", "low", "high"]
            assert figure["low"] <= figure["value"] <= figure["high"]
    for name in _FIGURES:
        ours, theirs = part["thusfar"][name]["value"], part["yardstick"][name]["value"]
        assert part["difference"][name]["value"] == pytest.approx(ours - theirs, abs=2e-4)


def test_json_is_one_value_with_each_book_and_all_of_them(labelled: Path, own_home: Path) -> None:
    found = thusfar("eval", "retrieval", str(labelled), str(labelled), "--json").json
    assert list(found) == ["embedding", "books", "all"]
    assert found["embedding"] == "WordLlama"
    for book in found["books"]:
        assert book.pop("book") == "lamp"
        _check(book, questions=5)
    _check(found["all"], questions=10)
    assert found["all"]["thusfar"]["hit@5"]["value"] == 1.0
    assert found["all"]["yardstick"]["hit@1"]["value"] == pytest.approx(1.0)
    assert not own_home.exists()


def test_what_is_no_labelled_book_is_one_line(tmp_path: Path) -> None:
    assert "not a labelled book" in thusfar("eval", "retrieval", str(tmp_path), "--json").failed_in_one_line()


def test_a_wrong_label_is_one_line(labelled: Path) -> None:
    (labelled / "questions.jsonl").write_text('{"question": "Who?"}', encoding="utf-8")
    assert "line 1" in thusfar("eval", "retrieval", str(labelled), "--json").failed_in_one_line()
