"""Three seconds are three of those in which the bot could run."""

from collections.abc import Callable

from tests.platform_servers.patience import Patience


class _Loop:
    """Calls what is due when it is told to, one at a time, as one does that was held up."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self._callbacks: list[Callable[[], None]] = []

    def call_later(self, delay: float, callback: Callable[[], None], /) -> "_Loop":
        self.asked.append(delay)
        self._callbacks.append(callback)
        return self

    def cancel(self) -> None:
        self._callbacks.clear()

    def go_on(self) -> None:
        """Run once, after however long."""
        due, self._callbacks = self._callbacks, []
        for callback in due:
            callback()


def test_a_moment_counts_as_a_tenth_of_a_second_however_long_it_was() -> None:
    loop, over = _Loop(), list[bool]()
    patience = Patience(0.25, lambda: over.append(True), call_later=loop.call_later)
    for _ in range(2):
        loop.go_on()
    assert (patience.is_over, over) == (False, [])
    loop.go_on()
    assert (patience.is_over, over) == (True, [True])
    assert [round(seconds, 2) for seconds in loop.asked] == [0.1, 0.1, 0.05]


def test_what_is_cancelled_is_never_over() -> None:
    loop, over = _Loop(), list[bool]()
    patience = Patience(0.1, lambda: over.append(True), call_later=loop.call_later)
    patience.cancel()
    loop.go_on()
    assert (patience.is_over, over) == (False, [])
