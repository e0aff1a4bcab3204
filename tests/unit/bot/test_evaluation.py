"""The figures of `thusfar eval`: intervals, ranks, and what is read from labelled folders."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.evaluation.retrieval import LabelledQuestion, Score, labelled_books, pages_asked, score
from core.domain.errors import BookError

_QUESTION = {"id": "1", "question": "Who?", "at_page": 3, "kind": "answerable", "answer_pages": [2]}


def _question(at_page: int, *answer_pages: int) -> LabelledQuestion:
    return LabelledQuestion(text="Who?", at_page=at_page, answer_pages=frozenset(answer_pages))


async def test_the_rank_is_that_of_the_first_result_that_covers_a_page_of_the_answer() -> None:
    async def ours(_text: str, _page: int) -> Sequence[tuple[int, int]]:
        return [(1, 1), (6, 8), (4, 4)]

    async def theirs(_text: str, _page: int) -> Sequence[tuple[int, int]]:
        return [(9, 9)] * 20 + [(4, 4)]

    (found,) = await score([_question(9, 4, 7)], pages=9, ours=ours, yardstick=theirs)
    assert found == Score(ours=[2] * 5, yardstick=[None] * 5)


@pytest.mark.parametrize(
    ("at_page", "pages", "asked"),
    [(5, 200, [5, 15, 35, 65, 200]), (5, 40, [5, 15, 35, 40, 40]), (40, 40, [40] * 5), (35, 40, [35, 40, 40, 40, 40])],
)
async def test_both_sides_are_asked_at_five_positions_and_never_past_the_last_page(
    at_page: int, pages: int, asked: list[int]
) -> None:
    heard: list[int] = []

    async def listening(_text: str, page: int) -> Sequence[tuple[int, int]]:
        heard.append(page)
        return [(page, page)]

    (found,) = await score([_question(at_page, at_page)], pages=pages, ours=listening, yardstick=listening)
    assert pages_asked(at_page, pages) == asked
    assert heard == sorted(set(asked)) * 2
    assert found.ours == found.yardstick == [1 if page == at_page else None for page in asked]


def _folder(path: Path, *lines: object, text: str = "book.txt") -> Path:
    path.mkdir()
    (path / text).write_text("One.\fTwo.\fThree.", encoding="utf-8")
    (path / "questions.jsonl").write_text("\n".join(map(str, lines)), encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["book.txt", "novel.txt"])
def test_only_answerable_questions_are_taken(tmp_path: Path, text: str) -> None:
    ahead = json.dumps(_QUESTION | {"kind": "ahead"})
    folder = _folder(tmp_path / "lamp", json.dumps(_QUESTION), "", ahead, text=text)
    (book,) = labelled_books([folder])
    assert (book.name, book.text) == ("lamp", folder / text)
    assert book.questions == (LabelledQuestion(text="Who?", at_page=3, answer_pages=frozenset({2})),)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1"),
        (json.dumps(_QUESTION | {"answer_pages": []}), "line 1"),
        (json.dumps(_QUESTION | {"at_page": "3"}), "line 1"),
        (json.dumps({key: value for key, value in _QUESTION.items() if key != "kind"}), "line 1"),
        (json.dumps(_QUESTION | {"kind": "attack"}), "no answerable question"),
    ],
)
def test_a_wrong_label_is_said_in_a_sentence(tmp_path: Path, line: str, said: str) -> None:
    folder = _folder(tmp_path / "lamp", line)
    with pytest.raises(BookError, match=said):
        labelled_books([folder])
