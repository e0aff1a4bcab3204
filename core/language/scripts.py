"""Detects languages written without spaces by their letters. The program cannot find words in them yet."""

import re
from collections.abc import Iterable
from typing import Final

from core.catalogue.sentences import sentence

_KANA: Final = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d"
_HAN: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SCRIPTS: Final = {
    sentence("Thai"): "\u0e01-\u0e5b",
    sentence("Lao"): "\u0e80-\u0eff",
    sentence("Tibetan"): "\u0f00-\u0fff",
    sentence("Burmese"): "\u1000-\u109f",
    sentence("Khmer"): "\u1780-\u17ff",
    sentence("Javanese"): "\ua980-\ua9df",
    sentence("Japanese"): _KANA,
    sentence("Chinese"): _HAN,
}
_LETTERS: Final = {language: re.compile(f"[{letters}]") for language, letters in _SCRIPTS.items()}
_MOST: Final = 0.2
"""A larger share of the words makes a book one of that language; any novel may have a few foreign words."""
_LETTERS_A_WORD: Final = 2
_WORD = re.compile(rf"[^\W\d_{''.join(_SCRIPTS.values())}]+")
_LEAST_KANA: Final = 0.05
"""Japanese has so much kana among its Chinese letters; Chinese has none."""


def language_without_spaces(texts: Iterable[str]) -> str | None:
    """Return the name of a book's language if it is written without spaces; None for other languages."""
    text = "\n".join(texts)
    counts = {language: len(letters.findall(text)) for language, letters in _LETTERS.items()}
    words = sum(counts.values()) / _LETTERS_A_WORD
    if words <= _MOST * (words + sum(1 for _ in _WORD.finditer(text))):
        return None
    if counts["Japanese"] > _LEAST_KANA * counts["Chinese"]:
        counts["Japanese"] += counts["Chinese"]
    return max(counts, key=lambda language: counts[language])
