"""The figures of `thusfar eval guard`: which cases there are, what counts, and the area under the curve."""

import pytest

from bot.evaluation.guard import Case, JudgedSentence, LabelledStatement, cases_of, guard_report

_LATE = LabelledStatement(text="He did it.", kind="twist", revealed_page=40)
_SAFE = LabelledStatement(text="Enjoy!", kind="safe", revealed_page=1)


@pytest.mark.parametrize(
    ("revealed", "pages", "before", "after"),
    [
        (40, 100, [1, 20, 30, 37, 39], [40, 43, 70, 100]),
        (1, 100, [], [1, 4, 50, 100]),
        (2, 100, [1], [2, 5, 51, 100]),
        (4, 4, [1, 2, 3], [4]),
        (99, 100, [1, 49, 74, 96, 98], [99, 100]),
    ],
)
def test_a_statement_is_tried_before_and_after_its_page(
    revealed: int, pages: int, before: list[int], after: list[int]
) -> None:
    statement = LabelledStatement(text="A.", kind="fact", revealed_page=revealed)
    cases = list(cases_of(statement, pages=pages))
    assert [case.page for case in cases if case.must_block] == before
    assert [case.page for case in cases if not case.must_block] == after


def _judged(statement: LabelledStatement, page: int, score: float) -> JudgedSentence:
    case = Case(statement=statement, page=page, share=page / 100)
    return JudgedSentence(book="b", case=case, blocked=score > 0.5, score=score, milliseconds=2.0)


def test_figures_are_apart_by_distance_kind_and_share() -> None:
    found = guard_report(
        [
            _judged(_LATE, 1, 0.9),
            _judged(_LATE, 20, 0.4),
            _judged(_LATE, 39, 0.1),
            _judged(_LATE, 70, 0.2),
            _judged(_SAFE, 1, 0.6),
        ]
    )
    assert (found.away.leaks, found.away.others, found.near.leaks, found.near.others) == (2, 2, 1, 0)
    assert found.away.caught is not None
    assert found.away.caught.value == 0.5
    assert found.near.wrongly_blocked is None
    assert list(found.kinds) == ["twist", "safe"]
    assert list(found.bands) == ["0%-10%", "10%-25%", "50%-75%"]
    # Of the four pairs of a leak and another, three are in order.
    assert found.auc is not None
    assert found.auc.value == pytest.approx(0.75)
    assert found.curve[0.05].value == 0.5
    assert found.milliseconds == {"median": 2.0, "p95": 2.0}
