"""`thusfar ask`: with and without a session, at any page, from read pages alone."""

import json
import os
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from core.domain.messages import CANNOT_SAY
from tests.bot.running import in_a_new_interpreter, thusfar

_KEYS = [
    "answer",
    "session_id",
    "turn_number",
    "guardrail_score",
    "sources",
    "tool_calls",
    "max_iterations_reached",
    "blocked",
    "usage",
    "provider",
    "model",
]
_QUESTION = "What did the policeman find under the weighbridge?"
_NOTED = "What did Miss Tasker find in the pit?"


def _ask(question: str, *more: str, book: str = "sample", page: int = 20) -> dict[str, Any]:
    answer = thusfar("ask", question, "--book", book, "--page", str(page), "--json", *more).json
    assert isinstance(answer, dict)
    return answer


def _rows(home: Path, table: str) -> int:
    connection = sqlite3.connect(home / "thusfar.db")
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 (a table's name)
    connection.close()
    return int(count)


@pytest.mark.usefixtures("sample")
def test_an_answer_has_every_key_in_its_type() -> None:
    answer = _ask(_QUESTION)
    assert list(answer) == _KEYS
    assert isinstance(answer["answer"], str)
    assert (answer["session_id"], answer["turn_number"], answer["guardrail_score"]) == (None, 0, 100)
    assert (answer["tool_calls"], answer["blocked"], answer["max_iterations_reached"]) == ([], [], False)
    assert answer["usage"] == {"input_tokens": 0, "output_tokens": 0}
    assert (answer["provider"], answer["model"]) == ("none", None)
    assert answer["sources"]
    for source in answer["sources"]:
        assert list(source) == ["start_page", "end_page", "text"]
        assert source["end_page"] <= 20


@pytest.mark.usefixtures("sample")
def test_the_answer_quotes_its_sources_with_their_pages() -> None:
    answer = _ask(_NOTED)
    folded = " ".join(" ".join(source["text"].split()) for source in answer["sources"])
    in_short, *places = answer["answer"].split("\n\n**p")
    assert in_short.startswith("**In short** (reading notes, not the book's words): ")
    pages = {int(page) for place in places for page in re.findall(r"\d+", place.partition(",")[0])}
    assert {source["start_page"] for source in answer["sources"]} == pages
    assert {int(number) for number in re.findall(r"\(p\. (\d+)\)", in_short)} & pages
    for _, *quoted in map(str.splitlines, places):
        assert all(line.removeprefix("> ") in folded for line in quoted if line.strip("> "))
        assert sum(len(line.removeprefix(">").split()) for line in quoted) <= 90


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("page", [1, 3, 10, 40, 83])
def test_an_answer_rests_on_read_pages_alone(page: int) -> None:
    answer = _ask("Who killed Arthur Prewett, and why?", page=page)
    assert all(source["end_page"] <= page for source in answer["sources"])


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("question", "page"),
    [(_QUESTION, 0), ("Who is the harbour master of Garsby?", 1), ("the of and", 20)],
)
def test_what_cannot_be_said_is_always_the_same_sentence(question: str, page: int) -> None:
    answer = _ask(question, page=page)
    assert (answer["answer"], answer["sources"]) == (CANNOT_SAY, [])


@pytest.mark.usefixtures("sample")
def test_a_person_sees_the_answer_and_how_far_it_goes() -> None:
    ran = thusfar("ask", _NOTED, "--book", "sample", "--page", "20")
    assert (ran.code, ran.err) == (0, "")
    assert "\n\n**p" in ran.out
    assert ran.out.endswith("(up to p. 20)\n")


def test_without_a_session_nothing_is_written(sample: Path) -> None:
    before = [_rows(sample, table) for table in ("club", "conversation", "message", "turn")]
    _ask(_QUESTION)
    assert [_rows(sample, table) for table in ("club", "conversation", "message", "turn")] == before


@pytest.mark.usefixtures("sample")
def test_a_session_goes_on_under_its_name() -> None:
    first = _ask(_QUESTION, "--session", "evening")
    assert (first["session_id"], first["turn_number"]) == ("evening", 1)
    second = _ask("And who rang the bell?", "--session", "evening", page=5)
    assert (second["session_id"], second["turn_number"]) == ("evening", 2)
    assert all(source["end_page"] <= 5 for source in second["sources"])
    assert _ask("And now?", "--session", "local:evening", page=83)["turn_number"] == 3
    assert _ask(_QUESTION, "--session", "another")["turn_number"] == 1


@pytest.mark.parametrize(
    "session", ["discord:1:2", "slack:T1:C1", "local:discord:1", "", "  ", "local:", "x" * 201, "a\nb", "a\x1b[31mb"]
)
def test_a_session_that_is_not_the_command_lines_own_is_refused(sample: Path, session: str) -> None:
    before = _rows(sample, "conversation")
    thusfar("ask", "x", "--book", "sample", "--page", "3", "--session", session, "--json").failed_in_one_line()
    assert _rows(sample, "conversation") == before


def test_a_file_is_imported_first(small_book: Path) -> None:
    answer = _ask("Who lit the lamp?", book=str(small_book), page=2)
    assert "lighthouse keeper lit the lamp" in answer["answer"]
    assert [book["title"].lower() for book in thusfar("books", "list", "--json").json] == ["small"]


@pytest.mark.usefixtures("sample")
def test_an_answer_is_json_in_whatever_encoding_question_and_terminal_have() -> None:
    question = b"What did the polic\xffman find under the weighbridge?"
    asked = (b"ask", question, b"--book", b"sample", b"--page", b"20", b"--json")
    assert in_a_new_interpreter(*asked, PYTHONIOENCODING="ascii").json == _ask(os.fsdecode(question))


@pytest.mark.usefixtures("sample")
def test_a_batch_answers_each_line_as_a_question_alone_is_answered() -> None:
    lines = [
        {"id": 1, "question": _QUESTION, "page": 20},
        {"id": "two", "question": _QUESTION},
        {"id": 3, "question": 5},
        {"id": 4, "question": _QUESTION, "page": "12"},
        {"id": 5, "question": _QUESTION, "page": 84},
        {"question": "half a character: \ud800", "page": 0},
    ]
    typed = "\n".join(["no JSON", *map(json.dumps, lines)])
    answers = thusfar("ask", "-", "--book", "sample", "--page", "20", typed=typed).json_lines
    assert [answer["id"] for answer in answers] == [None, 1, "two", 3, 4, 5, None]
    assert ["error" in answer for answer in answers] == [True, False, False, True, True, True, False]
    assert answers[1] == {"id": 1, **_ask(_QUESTION)}
    assert answers[1] | {"id": 2} == answers[2] | {"id": 2}
    assert "`question`" in answers[3]["error"]
    assert "`page`" in answers[4]["error"]
    assert "83" in answers[5]["error"]


@pytest.mark.usefixtures("sample")
def test_a_question_without_a_page_is_one_line() -> None:
    ran = thusfar("ask", _NOTED, "--book", "sample")
    assert (ran.code, ran.out) == (2, "")
    assert "'--page': the last page" in ran.err


def test_how_it_ends_is_said_of_no_page_before_the_end(small_book: Path) -> None:
    asked = "How does it end?"
    ahead, at_the_end = (_ask(asked, book=str(small_book), page=page) for page in (2, 3))
    assert (ahead["answer"], ahead["sources"]) == (CANNOT_SAY, [])
    assert at_the_end["answer"].startswith("The last words you read (p. 3)")
