"""Patterns that are compiled when they are first used."""

import importlib
import re
from collections.abc import Iterator

import pytest

from core.caching.patterns import LatePattern, late_pattern
from tests.architecture.source import modules, relative


def test_it_does_what_the_pattern_does() -> None:
    words = late_pattern(r"(?P<word>\w+)", re.IGNORECASE)
    found = words.search("  Ahab, and the whale")
    assert found is not None
    assert found["word"] == "Ahab"
    assert words.fullmatch("Ahab,") is None
    assert words.findall("Ahab, and") == ["Ahab", "and"]
    assert words.sub("-", "Ahab, and") == "-, -"
    assert words.pattern == r"(?P<word>\w+)"
    assert words.flags & re.IGNORECASE


def test_it_is_compiled_when_it_is_used() -> None:
    broken = late_pattern("(")
    with pytest.raises(re.error):
        broken.search("")


def test_every_pattern_of_core_compiles() -> None:
    names = (relative(path).removesuffix(".py").removesuffix("/__init__") for path in modules("core"))
    held = [vars(importlib.import_module(name.replace("/", "."))) for name in names]
    patterns = list(_patterns_in(held))
    assert len(patterns) > 100
    for each in patterns:
        re.compile(*each.given)


def _patterns_in(value: object) -> Iterator[LatePattern]:
    if type(value) is LatePattern:
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _patterns_in(each)
