"""`thusfar eval listening`: its figures and its JSON, and what it says of no such file."""

import json
from pathlib import Path

import pytest

from tests.bot.running import thusfar

_SHARES = ["precision", "recall", "butted_in"]


def _written(folder: Path, *rows: object) -> str:
    path = folder / "threads.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


def _says(by: str, text: str, answer: object = None, mentions: tuple[str, ...] = ()) -> dict[str, object]:
    return {"by": by, "text": text, "mentions": list(mentions), "reply_to": None, "answer": answer}


def test_json_is_one_value_with_the_figures(tmp_path: Path, own_home: Path) -> None:
    lines = [
        _says("Ana", "@Thusfar who is Hallam?", True, ("bot",)),
        _says("bot", "The surveyor (p. 10)."),
        _says("Ben", "lol", False),
        _says("Ben", "@Ana see you on Friday", False, ("Ana",)),
        _says("Ben", "hm", "either"),
    ]
    found = thusfar("eval", "listening", _written(tmp_path, {"id": "t", "lines": lines}), "--json").json
    assert list(found) == ["threads", "lines", "asked", *_SHARES, "in_doubt", "wrong"]
    assert (found["threads"], found["lines"], found["asked"], found["wrong"]) == (1, 3, 1, [])
    assert [found[name]["value"] for name in _SHARES] == [1, 1, 0]
    assert not (own_home / "thusfar.db").exists()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"id": "x"}], "line 1 is not a labelled thread."),
        ([{"lines": [{"by": "Ana"}]}], "line 1 is not a labelled thread."),
        ([[]], "line 1 is not a labelled thread."),
        ([{"lines": []}], "These files have no labelled line."),
    ],
)
def test_a_file_that_is_none_is_refused_in_one_line(
    tmp_path: Path, own_home: Path, rows: list[object], said: str
) -> None:
    assert thusfar("eval", "listening", _written(tmp_path, *rows)).failed_in_one_line().endswith(said)
