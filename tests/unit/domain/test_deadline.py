"""The one budget of a turn: its time and its further tries."""

import pytest

from core.domain.tool_use import Deadline


class _Stopwatch:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_the_time_left_counts_down_and_never_below_nothing() -> None:
    watch = _Stopwatch()
    deadline = Deadline(seconds=30, retries=0, now=watch)
    left = []
    for seconds in (1000.0, 1010.0, 1030.0, 1099.0):
        watch.seconds = seconds
        left.append(deadline.remaining())
    assert left == [30.0, 20.0, 0.0, 0.0]


def test_all_calls_of_a_turn_draw_on_the_same_tries() -> None:
    deadline = Deadline(seconds=30, retries=2, now=_Stopwatch())
    assert [deadline.take_retry(wait=1) for _ in range(4)] == [True, True, False, False]


@pytest.mark.parametrize(("wait", "granted"), [(0, True), (9.9, True), (10, False), (11, False), (1e9, False)])
def test_a_wait_that_does_not_fit_is_refused_and_costs_nothing(wait: float, granted: bool) -> None:
    deadline = Deadline(seconds=10, retries=1, now=_Stopwatch())
    assert deadline.take_retry(wait=wait) is granted
    assert deadline.take_retry(wait=0) is not granted
