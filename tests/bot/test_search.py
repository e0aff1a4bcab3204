"""`thusfar search`: one query, and a batch with bad lines in it."""

import json

import pytest

from tests.bot.running import thusfar

_BOOK = ("--book", "short")


@pytest.mark.usefixtures("sample")
def test_one_query_prints_the_passages_best_first() -> None:
    found = thusfar("search", "weighbridge", *_BOOK, "--page", "20", "--json").json
    assert len(found) == 5
    for result in found:
        assert list(result) == ["start_page", "end_page", "score", "text"]
        assert type(result["start_page"]) is int
        assert result["start_page"] == result["end_page"] <= 20
        assert isinstance(result["score"], float)
    assert [r["score"] for r in found] == sorted((r["score"] for r in found), reverse=True)
    assert any("weighbridge" in result["text"] for result in found)


@pytest.mark.usefixtures("sample")
def test_nothing_read_gives_an_empty_list() -> None:
    assert thusfar("search", "weighbridge", *_BOOK, "--page", "0", "--json").json == []
    ran = thusfar("search", "weighbridge", *_BOOK, "--page", "0")
    assert (ran.code, ran.out, ran.err) == (0, "Nothing found.\n", "")


@pytest.mark.usefixtures("sample")
def test_a_person_sees_pages_and_shortened_passages() -> None:
    ran = thusfar("search", "weighbridge", *_BOOK, "--page", "3", "--top-k", "2")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("p. ")
    assert "{" not in ran.out


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("page", ["-1", "84", "1000000000000000000000"])
def test_a_page_outside_the_book_is_one_line(page: str) -> None:
    line = thusfar("search", "x", *_BOOK, f"--page={page}", "--json").failed_in_one_line()
    assert "83" in line


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "x", "--book", "short"],
        ["search", "x", "--book", "short", "--page", "abc"],
        ["search", "x", "--book", "short", "--page", "1.5"],
        ["search", "x", "--book", "short", "--page", "3", "--top-k", "0"],
        ["search", "x", "--book", "short", "--page", "3", "--top-k", "-1"],
        ["search", "x", "--page", "3"],
        ["search", "x", "--book", "short", "--page", "3", "--nonsense"],
        ["search", "--book", "short", "--page", "3"],
        ["ask", "x", "--book", "short"],
        ["ask", "x", "--book", "short", "--page", "abc"],
        ["books", "add"],
        ["books", "nonsense"],
        ["nonsense"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_2_in_one_line(arguments: list[str]) -> None:
    thusfar(*arguments).failed_in_one_line(code=2)


@pytest.mark.usefixtures("sample")
def test_a_batch_answers_each_line_in_order() -> None:
    lines = [
        {"id": 1, "query": "weighbridge", "page": 20},
        {"id": "two", "query": "weighbridge", "page": 20, "top_k": 2},
        {"id": None, "query": "the", "page": 20},
        {"query": "weighbridge", "page": 0},
        {"id": {"any": ["json"]}, "query": "夜 🎉 \\", "page": 83, "more": "is ignored"},
    ]
    typed = "\n".join(json.dumps(line) for line in lines) + "\n\n   \n"
    answers = thusfar("search", "-", *_BOOK, typed=typed).json_lines
    assert [answer["id"] for answer in answers] == [1, "two", None, None, {"any": ["json"]}]
    assert all(list(answer) == ["id", "results"] for answer in answers)
    assert [len(answer["results"]) for answer in answers[:4]] == [5, 2, 0, 0]
    alone = thusfar("search", "weighbridge", *_BOOK, "--page", "20", "--json").json
    assert answers[0]["results"] == alone


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("line", "expected_id"),
    [
        ("this is no JSON", None),
        ('{"id": 7, "query": "weighbridge"', None),
        ('{"id": 7, "query": "weighbridge"}', 7),
        ('{"id": 7, "page": 3}', 7),
        ('{"id": 7, "query": 5, "page": 3}', 7),
        ('{"id": 7, "query": "weighbridge", "page": 84}', 7),
        ('{"id": 7, "query": "weighbridge", "page": -1}', 7),
        ('{"id": 7, "query": "weighbridge", "page": "3"}', 7),
        ('{"id": 7, "query": "weighbridge", "page": 3.0}', 7),
        ('{"id": 7, "query": "weighbridge", "page": true}', 7),
        ('{"id": 7, "query": "weighbridge", "page": NaN}', None),
        ('{"id": 7, "query": "weighbridge", "page": 1e999}', None),
        ('{"id": 1e999, "query": "weighbridge", "page": 3}', None),
        ('{"id": NaN, "query": "weighbridge", "page": 3}', None),
        ('{"id": [-Infinity], "query": "weighbridge", "page": 3}', None),
        ('{"id": 7, "query": "weighbridge", "page": null}', 7),
        ('{"id": 7, "query": "weighbridge", "page": 3, "top_k": 0}', 7),
        ('{"id": 7, "query": "weighbridge", "page": 3, "top_k": "5"}', 7),
        ('{"id": 7, "query": "weighbridge", "page": 3, "top_k": null}', 7),
        ('{"id": 7, "query": "weighbridge", "page": ' + "9" * 30 + "}", 7),
        ('{"id": 7, "query": "weighbridge", "page": ' + "9" * 5_000 + "}", None),
        ("[1, 2]", None),
        ('"weighbridge"', None),
        ("null", None),
        ("[" * 100_000, None),
    ],
    ids=lambda value: str(value)[:48],
)
def test_a_bad_line_is_answered_in_its_place_and_the_rest_goes_on(line: str, expected_id: int | None) -> None:
    good = '{"id": "good", "query": "weighbridge", "page": 3, "top_k": 1}'
    first, bad, last = thusfar("search", "-", *_BOOK, typed=f"{good}\n{line}\n{good}\n").json_lines
    assert list(bad) == ["id", "line", "error"]
    assert (bad["id"], bad["line"]) == (expected_id, 2)
    assert bad["error"]
    assert first == last
    assert len(first["results"]) == 1


@pytest.mark.usefixtures("sample")
def test_bytes_that_are_no_text_do_not_break_a_batch() -> None:
    typed = (
        b'{"id": "a\xff", "query": "weigh\xfebridge", "page": 3}\n{"id": "\\ud800", "query": "\\ud800", "page": 3}\n'
    )
    first, second = thusfar("search", "-", *_BOOK, typed=typed).json_lines
    assert first["id"] == "a\ufffd"
    assert second["id"] == "\ud800"


@pytest.mark.usefixtures("sample")
def test_a_batch_of_nothing_prints_nothing() -> None:
    ran = thusfar("search", "-", *_BOOK, typed="")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
