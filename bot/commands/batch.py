"""Batches: commands that take `-` read one JSON object per line and answer each with a line of JSON."""

import sys
from collections.abc import Awaitable, Callable, Mapping

from bot.commands.running import print_json, sentence_of
from core.domain.errors import LLMError, ThusfarError

BATCH = "-"

AnswerLine = Callable[[Mapping[str, object]], Awaitable[Mapping[str, object]]]
"""Answers one line. Raises ThusfarError if something is missing, LLMError if a model fails."""


async def answer_lines(answer: AnswerLine, *, example: str) -> None:
    """Answer each line of stdin under its `id`; a bad line gets an error sentence, and the others continue.

    `example` shows the format of a line.
    """
    for number, line in enumerate(sys.stdin, start=1):
        if not line.strip():
            continue
        line_id: object = None
        try:
            given = _parsed(line, example)
            line_id = given.get("id")
            print_json({"id": line_id, **await answer(given)})
        except (LLMError, ThusfarError) as error:
            print_json({"id": line_id, "line": number, "error": sentence_of(error)})


def _parsed(line: str, example: str) -> dict[str, object]:
    """Read a line of JSON; some editors put a byte-order mark before the first."""
    import json

    try:
        given = json.loads(line.lstrip("\ufeff"), parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        raise ThusfarError("this line is not JSON") from None
    if not isinstance(given, dict):
        raise ThusfarError(f"a line must be an object such as {example}")
    return given


def _finite(number: str) -> float:
    """Refuse values that Python accepts and JSON does not; as an `id` they would be printed again."""
    import math

    if not math.isfinite(value := float(number)):
        raise ThusfarError("this line is not JSON")
    return value
