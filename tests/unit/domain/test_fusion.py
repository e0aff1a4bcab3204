"""Reciprocal rank fusion: one order from several."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.fusion import fuse

_RANKING = st.lists(st.integers(min_value=1, max_value=30), unique=True, max_size=15)


@pytest.mark.parametrize(
    ("rankings", "order"),
    [
        ([], []),
        ([(1.0, [])], []),
        ([(1.0, [3, 1, 2])], [3, 1, 2]),
        ([(1.0, [1, 2]), (1.0, [2, 3])], [2, 1, 3]),
        ([(1.0, [1, 2]), (0.3, [3, 2])], [2, 1, 3]),
        ([(1.0, [1]), (2.0, [2])], [2, 1]),
    ],
)
def test_what_stands_high_in_several_rankings_comes_first(
    rankings: list[tuple[float, list[int]]], order: list[int]
) -> None:
    assert [item for item, _ in fuse(rankings)] == order


def test_the_score_is_the_sum_of_weight_over_sixty_and_rank() -> None:
    assert dict(fuse([(1.0, ["a", "b"]), (0.5, ["b"])])) == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 0.5 / 61})


def test_equal_scores_keep_the_order_of_the_first_ranking() -> None:
    assert [item for item, _ in fuse([(1.0, ["a", "b"]), (1.0, ["b", "a"])])] == ["a", "b"]


@given(_RANKING, _RANKING)
def test_every_item_comes_once_best_first(one: list[int], other: list[int]) -> None:
    fused = fuse([(1.0, one), (0.3, other)])
    scores = [score for _, score in fused]
    assert sorted(item for item, _ in fused) == sorted({*one, *other})
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


@given(_RANKING)
def test_a_second_ranking_of_the_same_order_changes_no_order(ranking: list[int]) -> None:
    assert [item for item, _ in fuse([(1.0, ranking), (0.3, ranking)])] == ranking
