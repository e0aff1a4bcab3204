"""How long is waited between one attempt and the next, for whatever tries again."""

from collections.abc import Iterator


def doubling(first: float, *, longest: float) -> Iterator[float]:
    """Yield seconds without end: the first pause, then each twice the one before, up to the longest."""
    pause = first
    while True:
        yield pause
        pause = min(2 * pause, longest)
