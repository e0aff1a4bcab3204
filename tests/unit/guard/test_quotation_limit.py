"""What is quoted beyond 150 words is left out of an answer, whoever wrote it."""

import pytest

from core.guard.draft import within_limit

_FIRST, _SECOND, _THIRD = (" ".join([f"{name}"] * 60) + "." for name in ("One", "Two", "Three"))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"He says: “{_FIRST} {_SECOND}” (p. 3)", f"He says: “{_FIRST} {_SECOND}” (p. 3)"),
        (f"Look: {_FIRST} {_SECOND} {_THIRD} So it is.", f"Look: {_FIRST} {_SECOND} […] So it is."),
        (f"{_FIRST}\n\n{_SECOND}\n\n{_THIRD}\n\n{_THIRD} Done.", f"{_FIRST}\n\n{_SECOND}\n\n[…] Done."),
    ],
)
def test_what_goes_beyond_is_left_out(text: str, left: str) -> None:
    quoted = [sentence for sentence in (_FIRST, _SECOND, _THIRD, _THIRD) if sentence in text]
    assert within_limit(text, quoted) == left
