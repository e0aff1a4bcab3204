"""Words for whoever started the program, out of the way of what it prints."""

import sys


def say_to_operator(line: str) -> None:
    """Tell whoever started the program one line."""
    print(line, file=sys.stderr)  # noqa: T201
