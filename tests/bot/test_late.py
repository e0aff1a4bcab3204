"""What is made at its first use."""

from itertools import count

from bot.lazy import Lazy


def test_it_is_made_when_it_is_first_asked_for_and_once() -> None:
    numbers = count(1)
    late = Lazy(lambda: next(numbers))
    assert late.made is None
    assert [late(), late(), late.made] == [1, 1, 1]
    assert next(numbers) == 2
