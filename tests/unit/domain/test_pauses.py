"""Pauses double, up to the longest."""

from itertools import islice

from core.domain.pauses import doubling


def test_each_pause_is_twice_the_one_before_until_the_longest() -> None:
    assert list(islice(doubling(0.5, longest=3.0), 5)) == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_a_first_pause_that_is_the_longest_stays() -> None:
    assert list(islice(doubling(60.0, longest=60.0), 3)) == [60.0, 60.0, 60.0]
