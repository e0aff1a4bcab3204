"""Parses notes from a model's answer, even if its JSON is broken, fenced, cut off or of another form."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Final

from core.language.sentences import encodable, fold_space

_MOST_A_PAGE: Final = 10
_LONGEST: Final = 500
_SHORTEST: Final = 8
_BEGINS: Final = re.compile(r"[\[{]")
_TRAILING_COMMA: Final = re.compile(r",\s*(?=[\]}])")
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*+)("?)', re.DOTALL)
_PAGE: Final = re.compile(r'"page"\s*:\s*"?(\d{1,6})"?')
_MARKS: Final = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")
_THOUGHT: Final = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)

Notes = dict[int, list[str]]

SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "pages": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "page": {"type": "integer"},
                    "notes": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["page", "notes"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["pages"],
    "additionalProperties": False,
}
"""The JSON schema of an answer, for models that support one."""


def read_notes(answer: str) -> Notes:
    """Return the notes by page for each page in an answer, including pages with no notes."""
    plain = _TRAILING_COMMA.sub("", _THOUGHT.sub("", encodable(answer)))
    found: Notes = {}
    for page, texts in _whole(plain) or _pieces(plain):
        found.setdefault(page, []).extend(filter(None, map(_note, texts)))
    return {page: list(dict.fromkeys(texts))[:_MOST_A_PAGE] for page, texts in found.items()}


def _whole(text: str) -> list[tuple[int, list[str]]]:
    """Return the pages and notes in the JSON values of a text; empty if one of them cannot be parsed."""
    decoder = json.JSONDecoder(strict=False)
    found: list[tuple[int, list[str]]] = []
    begins = _BEGINS.search(text)
    while begins is not None:
        try:
            value, end = decoder.raw_decode(text, begins.start())
        except (ValueError, RecursionError):
            return []
        found += _pages_in(value)
        begins = _BEGINS.search(text, end)
    return found


def _pages_in(value: object) -> Iterator[tuple[int, list[str]]]:
    """Yield pages with their notes: `{"pages": [...]}`, a list of entries, one entry, or notes by their page."""
    for key, inner in _entries(value):
        page = _number(key)
        if page is not None:
            yield page, _texts(inner)
        else:
            yield from _pages_in(inner)


def _entries(value: object) -> Iterable[tuple[object, object]]:
    """Return the entries of a value, each with what may be its page."""
    if isinstance(value, list):
        return [(None, each) for each in value]
    if not isinstance(value, dict):
        return []
    return [(value["page"], value.get("notes", value.get("note")))] if "page" in value else value.items()


def _pieces(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield pages of broken JSON with the complete strings between one page number and the next.

    A page is left out if the answer was cut off before its first note.
    """
    marks = list(_PAGE.finditer(text))
    for mark, following in zip_longest(marks, marks[1:]):
        between = text[mark.end() : following.start() if following else len(text)]
        strings = [_unescaped(string) for string, closed in _STRING.findall(between) if closed]
        notes = [string for string in strings if string not in {"notes", "note", "page"}]
        if notes or "]" in between:
            yield int(mark[1]), notes


def _unescaped(string: str) -> str:
    try:
        return str(json.loads(f'"{string}"', strict=False))
    except ValueError:
        return string


def _number(value: object) -> int | None:
    text = str(value).strip() if not isinstance(value, bool) else ""
    return int(text) if text.isdecimal() and len(text) < len("1000000") else None


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _note(text: str) -> str | None:
    """Return a cleaned note; None if the text is no note."""
    plain = encodable(_MARKS.sub("", fold_space(text.replace("\x00", ""))))
    return plain if _SHORTEST <= len(plain) <= _LONGEST else None
