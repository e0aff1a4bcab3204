"""`thusfar eval guard`: its figures and its JSON on a small labelled book, and the floor on the sample novel."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.bot.running import ROOT, thusfar

_SAMPLE = ROOT / "fixtures" / "sample"
_LEAST_CAUGHT = 0.65
_LEAST_AREA = 0.96
_LEAST_CAUGHT_NAMES = 0.97
_MOST_WRONGLY_BLOCKED = 0.02
_PAGES = [f"On day {number} the crew sailed on, and nothing happened at all." for number in range(1, 21)]
_STATEMENTS = (
    ("A man called Tobias comes aboard.", "name", 10),
    ("The ship sails.", "fact", 1),
    ("Enjoy your reading!", "safe", 1),
)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    folder = tmp_path / "crew"
    folder.mkdir()
    pages = [*_PAGES]
    pages[9] += " Then Tobias came aboard with a lamp."
    (folder / "book.txt").write_text("\f".join(pages), encoding="utf-8")
    lines = [{"id": text, "text": text, "kind": kind, "revealed_page": page} for text, kind, page in _STATEMENTS]
    (folder / "statements.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return folder


def _check(figures: dict[str, Any], *, leaks: int, others: int) -> None:
    assert list(figures) == ["leaks", "caught", "others", "wrongly_blocked"]
    assert (figures["leaks"], figures["others"]) == (leaks, others)
    for name, count in (("caught", leaks), ("wrongly_blocked", others)):
        if not count:
            assert figures[name] is None
        else:
            assert list(figures[name]) == ["value", "low", "high"]
            assert figures[name]["low"] <= figures[name]["value"] <= figures[name]["high"]


def test_json_is_one_value_with_all_groups_and_the_curve(labelled: Path, own_home: Path) -> None:
    found = thusfar("eval", "guard", str(labelled), "--json").json
    groups = ["away", "near", "kinds", "bands", "books", "auc", "caught_at", "milliseconds"]
    assert list(found) == [*groups, "with_notes"]
    assert found["with_notes"] is None
    # Tobias: pages 1, 5, 7 before; 13, 15, 20 after; 9 and 10 are near. The others: 1, 4, 10, 20, of which 1 is near
    # to where the ship sails.
    _check(found["away"], leaks=3, others=10)
    _check(found["near"], leaks=1, others=2)
    assert list(found["kinds"]) == ["name", "fact", "safe"]
    _check(found["kinds"]["name"], leaks=3, others=3)
    assert found["kinds"]["name"]["caught"]["value"] == 1.0
    assert sum(band["others"] for band in found["bands"].values()) == 10
    assert list(found["books"]) == ["crew"]
    assert list(found["caught_at"]) == ["0.02", "0.05", "0.10", "0.20"]
    assert found["auc"]["value"] == 1.0
    assert 0 < found["milliseconds"]["median"] <= found["milliseconds"]["p95"]
    assert not own_home.exists()


@pytest.fixture
def noted(labelled: Path) -> Path:
    notes = [{"page": page, "note": text} for page in range(1, 21) for text in ("The crew sailed on.", "A calm day.")]
    notes.append({"page": 10, "note": "Tobias came aboard with a lamp."})
    (labelled / "notes.jsonl").write_text("\n".join(map(json.dumps, notes)), encoding="utf-8")
    return labelled


def test_a_book_with_notes_is_judged_with_them_and_without(noted: Path) -> None:
    found = thusfar("eval", "guard", str(noted), "--json").json
    with_notes = found.pop("with_notes")
    assert list(with_notes) == list(found)
    for key in ("leaks", "others"):
        assert with_notes["away"][key] == found["away"][key]
    ran = thusfar("eval", "guard", str(noted))
    assert ran.err == "crew: 3 statements, with notes\n"
    heading, *rows = ran.out.splitlines()
    assert heading.split() == ["leaks", "caught", "with", "notes", "others", "wrongly", "blocked", "with", "notes"]
    assert rows[0].count("[") == 4
    assert "area under the curve: 1.00 [1.00, 1.00]; with notes 1.00" in ran.out
    assert "a statement, with notes:" in ran.out


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "no statement"), ("{", "line 1"), ('{"text": "A", "kind": "fact", "revealed_page": 99}', "page 99 of 20")],
)
def test_wrong_labels_are_said_in_a_sentence(content: str, said: str, labelled: Path) -> None:
    (labelled / "statements.jsonl").write_text(content, encoding="utf-8")
    ran = thusfar("eval", "guard", str(labelled), "--json")
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err


def test_the_sample_holds_the_floor(tmp_path: Path) -> None:
    """Judged without notes alone, which is what the floor is for."""
    for name in ("novel.txt", "meta.json", "statements.jsonl"):
        shutil.copy(_SAMPLE / name, tmp_path)
    found = thusfar("eval", "guard", str(tmp_path), "--json").json
    assert found["away"]["caught"]["value"] >= _LEAST_CAUGHT
    assert found["away"]["wrongly_blocked"]["value"] <= _MOST_WRONGLY_BLOCKED
    assert found["auc"]["value"] >= _LEAST_AREA
    assert found["kinds"]["name"]["caught"]["value"] >= _LEAST_CAUGHT_NAMES
