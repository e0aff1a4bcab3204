"""Reads a verifier's answer: one verdict for each numbered sentence, as JSON or as lines, whichever it wrote.

Models that are not held to a form put fences, bold marks, reasons or a greeting around it. Those are read over; what
is missing, contradicts itself or cannot be read counts as not supported.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from core.domain.verification import Verdict

SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "verdict": {"type": "string", "enum": [each.value for each in Verdict]},
                },
                "required": ["number", "verdict"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["verdicts"],
    "additionalProperties": False,
}
"""The form of an answer where a provider can hold its model to one."""

_WORDS: Final = "|".join(each.value for each in Verdict)
_MARKS: Final = r"[\s*_`\"'|>]*"
_LINE = re.compile(
    rf"^{_MARKS}(?:[-•#(\[]{_MARKS})?(?:sentence\s+|no\.?\s*)?(\d{{1,3}}){_MARKS}[\])]?[.:)=–—-]*{_MARKS}[\[(]?{_MARKS}"
    rf"(NOT|UNSUPPORTED|{_WORDS})(?![A-Za-z])",
    re.IGNORECASE | re.MULTILINE,
)
_OBJECT = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)


def read_verdicts(answer: str, count: int) -> tuple[Verdict, ...]:
    """Return one verdict for each of `count` sentences, in their order."""
    given: defaultdict[int, set[Verdict]] = defaultdict(set)
    for number, verdict in [*_of_json(answer)] or [*_of_lines(answer)]:
        given[number].add(verdict)
    found = (given.get(number, set()) for number in range(1, count + 1))
    return tuple(next(iter(each)) if len(each) == 1 else Verdict.NOT for each in found)


def _of_lines(answer: str) -> Iterator[tuple[int, Verdict]]:
    for number, word in _LINE.findall(answer):
        yield int(number), _verdict(word)


def _of_json(answer: str) -> Iterator[tuple[int, Verdict]]:
    for number, verdict in _pairs(_loaded(answer)):
        if str(number).isdecimal() and isinstance(verdict, str):
            yield int(str(number)), _verdict(verdict)


def _loaded(answer: str) -> object:
    found = _OBJECT.search(answer)
    try:
        given: object = json.loads(found[0]) if found else None
    except ValueError:
        return None
    return given.get("verdicts", given) if isinstance(given, dict) else given


def _pairs(given: object) -> Iterable[tuple[object, object]]:
    if isinstance(given, dict):
        return given.items()
    items = given if isinstance(given, list) else []
    return [(item.get("number"), item.get("verdict")) for item in items if isinstance(item, dict)]


def _verdict(word: str) -> Verdict:
    """Return the verdict that a word is; any other word is none."""
    try:
        return Verdict(word.strip().upper())
    except ValueError:
        return Verdict.NOT
