"""Values built once, on first use: a single question from a shell needs few of them."""

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Lazy(Generic[Value]):
    """A value built at its first use and then kept. For one event loop."""

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._made: list[Value] = []

    def __call__(self) -> Value:
        """Return the value."""
        if not self._made:
            self._made.append(self._make())
        return self._made[0]

    @property
    def made(self) -> Value | None:
        """The value if it has been built; None otherwise."""
        return self._made[0] if self._made else None
