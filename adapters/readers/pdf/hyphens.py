"""Mends words that a line's end has divided, by the words of the same book; called by the PDF reader."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from adapters.readers.pdf.lines import Line

_WORDS = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_LAST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*$")
_FIRST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_BOTH_KNOWN: Final = 3
_SHORTEST: Final = 3


class Hyphens:
    """Knows how often the book uses which word."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._seen: Counter[str] = Counter()
        after_part = False
        for line in lines:
            words = _WORDS.findall(line.text)
            ends_in_part = line.hyphenated or line.text.endswith(("-", "‐"))
            self._seen.update(map(str.casefold, words[after_part : len(words) - ends_in_part]))
            after_part = ends_in_part

    def mended(self, before: str, behind: str) -> str:
        """Return two lines as one; `before` has lost its hyphen, which is put back where the word needs it."""
        first, second = _LAST.search(before), _FIRST.match(behind)
        if not first or not second:
            return f"{before}-{behind}"
        joined = self._seen[(first[0] + second[0]).casefold()]
        apart = self._seen[f"{first[0]}-{second[0]}".casefold()]
        if behind[0].isupper() and not first[0].isupper():
            return f"{before}-{behind}"
        if joined or apart:
            return before + behind if joined >= apart else f"{before}-{behind}"
        both = min(len(first[0]), len(second[0])) >= _SHORTEST and self._known(first[0]) and self._known(second[0])
        return f"{before}-{behind}" if both else before + behind

    def knows(self, word: str) -> int:
        """Return how often the book uses a word."""
        return self._seen[word.casefold()]

    def _known(self, word: str) -> bool:
        return self._seen[word.casefold()] >= _BOTH_KNOWN
