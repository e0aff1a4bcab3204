"""`thusfar guard`: one text, and a batch with bad lines in it."""

import json

import pytest

from tests.bot.running import thusfar

_BOOK = ("--book", "short")
_LEAK = "The dock watchman is Alfred Coker."
_KINDS = {"quote", "name", "term", "pair", "meaning", "ungrounded", "unreadable"}


@pytest.mark.usefixtures("sample")
def test_json_says_verdict_reasons_and_score() -> None:
    found = thusfar("guard", _LEAK, *_BOOK, "--page", "20", "--json").json
    assert list(found) == ["verdict", "reasons", "score"]
    assert (found["verdict"], found["score"]) == ("spoiler", 1.0)
    assert {"kind": "name", "page": 49, "evidence": "coker"} in found["reasons"]
    assert {reason["kind"] for reason in found["reasons"]} <= _KINDS


@pytest.mark.usefixtures("sample")
def test_a_person_sees_each_sentence_and_why_it_leaks() -> None:
    ran = thusfar("guard", f"Thank you! {_LEAK}", *_BOOK, "--page", "20")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("spoiler  (1.00)\n")
    assert "ok" in ran.out
    assert "name (p. 49): coker" in ran.out


@pytest.mark.usefixtures("sample")
def test_a_batch_answers_each_line_and_goes_on_after_a_bad_one() -> None:
    lines = [
        {"id": "a", "text": _LEAK, "page": 20},
        {"id": "b", "text": _LEAK, "page": 49},
        {"id": "c", "text": "", "page": 1},
        {"id": "d", "text": _LEAK},
    ]
    typed = "\n".join(map(json.dumps, lines))
    a, b, c, d = thusfar("guard", "-", *_BOOK, typed=typed).json_lines
    assert [list(each) for each in (a, b, c)] == [["id", "verdict", "reasons", "score"]] * 3
    assert [each["verdict"] for each in (a, b, c)] == ["spoiler", "safe", "safe"]
    assert list(d) == ["id", "line", "error"]
    assert (d["id"], d["line"]) == ("d", 4)


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("line", "expected_id"),
    [
        ("this is no JSON", None),
        ('{"id": 7, "text": 5, "page": 3}', 7),
        ('{"id": 7, "page": 3}', 7),
        ('{"id": 7, "text": "Who?", "page": 84}', 7),
        ('{"id": 7, "text": "Who?", "page": -1}', 7),
        ('{"id": 7, "text": "Who?", "page": "3"}', 7),
        ('{"id": 7, "text": "Who?", "page": true}', 7),
        ('{"id": 7, "text": "Who?", "page": null}', 7),
        ('{"id": NaN, "text": "Who?", "page": 3}', None),
        ("[1, 2]", None),
        ("null", None),
    ],
)
def test_a_bad_line_is_answered_in_its_place(line: str, expected_id: int | None) -> None:
    good = json.dumps({"id": "good", "text": _LEAK, "page": 20})
    first, bad, last = thusfar("guard", "-", *_BOOK, typed=f"{good}\n{line}\n{good}\n").json_lines
    assert list(bad) == ["id", "line", "error"]
    assert (bad["id"], bad["line"]) == (expected_id, 2)
    assert first == last


@pytest.mark.usefixtures("sample")
def test_to_verify_without_a_model_is_one_clear_sentence() -> None:
    ran = thusfar("guard", _LEAK, *_BOOK, "--page", "20", "--verify")
    assert (ran.code, ran.out) == (1, "")
    assert "--verify needs a model" in ran.err
