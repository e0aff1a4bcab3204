"""Stems as the guard compares them: forms that no stemmer brings together (ran and run, death and die) are one."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from core.text.words import stem_words


def guard_stems(words: Iterable[str]) -> list[str]:
    """Return the stem of each word."""
    same = _same_stems()
    return [same.get(stem, stem) for stem in stem_words(words)]


@cache
def _same_stems() -> dict[str, str]:
    lines = files("core.guard").joinpath("word_forms.txt").read_text(encoding="utf-8").splitlines()
    same: dict[str, str] = {}
    for forms in (stem_words(line.split()) for line in lines if not line.startswith("#")):
        for stem in forms:
            same.setdefault(stem, forms[0])
    return same
