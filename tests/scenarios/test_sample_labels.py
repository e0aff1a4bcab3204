"""The labels of the sample novel stand on its text: evidence verbatim on its page, counts as its README promises."""

import json
from collections import Counter
from pathlib import Path

_SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
_PAGES = [" ".join(page.split()) for page in (_SAMPLE / "novel.txt").read_text(encoding="utf-8").split("\f")]


def _labels(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (_SAMPLE / name).read_text(encoding="utf-8").splitlines()]


_STATEMENTS, _QUESTIONS = _labels("statements.jsonl"), _labels("questions.jsonl")


def _folded(text: object) -> str:
    return " ".join(str(text).split())


def test_the_evidence_of_a_statement_stands_first_on_the_page_that_reveals_it() -> None:
    told = [label for label in _STATEMENTS if label["kind"] != "safe"]
    assert [label["id"] for label in told if _first_page_with(label["evidence"]) != label["revealed_page"]] == []


def test_general_talk_rests_on_the_first_page() -> None:
    talk = [label for label in _STATEMENTS if label["kind"] == "safe"]
    rests = [label["id"] for label in talk if _first_page_with(label["evidence"]) == label["revealed_page"] == 1]
    assert rests == [label["id"] for label in talk]


def test_the_evidence_of_a_question_stands_on_its_answer_pages() -> None:
    assert [label["id"] for label in _QUESTIONS if not _rests_on_its_pages(label)] == []


def _first_page_with(evidence: object) -> int | None:
    return next((number for number, page in enumerate(_PAGES, start=1) if _folded(evidence) in page), None)


def _rests_on_its_pages(question: dict[str, object]) -> bool:
    """Whether each piece of evidence stands on a page of the answer, all of them read where it can be answered."""
    pages, evidence = question["answer_pages"], question["answer_evidence"]
    assert isinstance(pages, list)
    assert isinstance(evidence, list)
    stands = all(any(_folded(words) in _PAGES[page - 1] for page in pages) for words in evidence)
    read = [page for page in pages if page <= int(str(question["at_page"]))]
    return stands and read == (pages if question["kind"] == "answerable" else [])


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
