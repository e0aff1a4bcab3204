"""The labels of the sample novel stand on its text: evidence verbatim on its page, counts as its README promises."""

import json
from collections import Counter
from pathlib import Path

import pytest

_SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
_PAGES = [" ".join(page.split()) for page in (_SAMPLE / "novel.txt").read_text(encoding="utf-8").split("\f")]


def _labels(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (_SAMPLE / name).read_text(encoding="utf-8").splitlines()]


_STATEMENTS, _QUESTIONS = _labels("statements.jsonl"), _labels("questions.jsonl")


def _folded(text: object) -> str:
    return " ".join(str(text).split())


@pytest.mark.parametrize("label", [s for s in _STATEMENTS if s["kind"] != "safe"], ids=lambda label: str(label["id"]))
def test_the_evidence_of_a_statement_stands_first_on_the_page_that_reveals_it(label: dict[str, object]) -> None:
    first = next((number for number, page in enumerate(_PAGES, start=1) if _folded(label["evidence"]) in page), None)
    assert first == label["revealed_page"]


@pytest.mark.parametrize("label", [s for s in _STATEMENTS if s["kind"] == "safe"], ids=lambda label: str(label["id"]))
def test_general_talk_rests_on_the_first_page(label: dict[str, object]) -> None:
    assert label["revealed_page"] == 1
    assert _folded(label["evidence"]) in _PAGES[0]


@pytest.mark.parametrize("label", _QUESTIONS, ids=lambda label: str(label["id"]))
def test_the_evidence_of_a_question_stands_on_its_answer_pages(label: dict[str, object]) -> None:
    pages, evidence = label["answer_pages"], label["answer_evidence"]
    assert isinstance(pages, list)
    assert isinstance(evidence, list)
    assert all(any(_folded(words) in _PAGES[page - 1] for page in pages) for words in evidence)
    read = [page for page in pages if page <= int(str(label["at_page"]))]
    assert read == (pages if label["kind"] == "answerable" else [])


def test_the_novel_and_its_labels_are_as_many_as_they_should_be() -> None:
    meta = json.loads((_SAMPLE / "meta.json").read_text(encoding="utf-8"))
    assert meta["pages"] == len(_PAGES) >= 70
    assert meta["words"] == sum(len(page.split()) for page in _PAGES) >= 20_000
    kinds = Counter(str(label["kind"]) for label in _STATEMENTS)
    assert len(_STATEMENTS) >= 80
    assert kinds["safe"] * 4 >= len(_STATEMENTS)
    assert {"fact", "twist", "name", "paraphrase", "allusion"} <= set(kinds)
    answerable = sum(label["kind"] == "answerable" for label in _QUESTIONS)
    assert len(_QUESTIONS) >= 60
    assert answerable * 2 >= len(_QUESTIONS)
    assert len({label["id"] for label in (*_STATEMENTS, *_QUESTIONS)}) == len(_STATEMENTS) + len(_QUESTIONS)
