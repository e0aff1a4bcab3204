"""What is made when it is first asked for, once: one question from a shell needs little of what serves a club."""

from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Lazy(Generic[Value]):
    """A value that is made at its first use and is the same from then on. For one event loop."""

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
        """The value where it was asked for before; None otherwise."""
        return self._made[0] if self._made else None
