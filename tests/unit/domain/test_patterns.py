"""Patterns that are compiled when they are first used."""

import copy
import importlib
import pickle
import re

import pytest

from core.domain.patterns import LatePattern, compile_patterns, late_pattern
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
    broken = LatePattern("(", 0)
    with pytest.raises(re.error):
        _ = broken.search


def test_it_can_be_copied_and_sent_to_another_process() -> None:
    words = late_pattern(r"\w+")
    for other in (copy.copy(words), copy.deepcopy(words), pickle.loads(pickle.dumps(words))):  # noqa: S301 (ours)
        assert other.findall("Ahab, and") == ["Ahab", "and"]


def test_every_pattern_of_core_compiles() -> None:
    for path in modules("core"):
        importlib.import_module(relative(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    assert compile_patterns() > 100
