"""Words, capitals and stems as the guard compares them, and common words with a capital that are no names.

Used for judged sentences and for indexed books, so that both are treated alike.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from core.domain.folding import unaccented
from core.language.words import WORD, stem_words, words


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The words of a text in order, and whether each begins with a capital."""

    words: tuple[str, ...]
    capital: tuple[bool, ...]

    def __bool__(self) -> bool:
        """Whether the text has any words."""
        return bool(self.words)


def tokens(text: str) -> Tokens:
    """Return the words of a text, and which of them begin with a capital."""
    shown = unaccented(text)
    return Tokens(words=tuple(words(shown)), capital=tuple(word[0].isupper() for word in WORD.findall(shown)))


def guard_stems(words: Iterable[str]) -> list[str]:
    """Return the stem of each word. Irregular forms (ran and run, death and die) have the same stem."""
    same = _same_stems()
    return [same.get(stem, stem) for stem in stem_words(words)]


def is_latin(letter: str) -> bool:
    """Whether a letter belongs to the Latin script."""
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") or letter in "ªº"


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


COMMON_NAMES: Final = word_set("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter michaelmas god lord bible gothic victorian georgian regency
    romantic edwardian elizabethan renaissance medieval modernist english british scottish scots irish welsh french
    german italian spanish american european russian greek latin roman turkish indian african asian christian catholic
    protestant jewish muslim hebrew norse danish swedish norwegian dutch swiss belgian austrian hungarian polish
    portuguese celtic saxon norman arab arabic egyptian persian chinese japanese australian canadian mexican
    englishman englishmen frenchman frenchmen irishman irishmen scotsman scotsmen dutchman norseman norsemen viking
    vikings scots danes dane swedes norwegians germans italians spaniards spaniard russians greeks romans turks indians
    americans europeans africans arabs saxons normans christians catholics protestants jew jews muslims england britain
    scotland ireland wales france germany italy spain america europe russia
    thusfar discord slack mr mrs miss ms dr sir madam lady chapter page part volume book detective inspector i ok okay
    """)
"""Words with a capital that are no names of characters. A reply may use them even if the book does not."""


@cache
def _same_stems() -> dict[str, str]:
    lines = files("core.guard").joinpath("word_forms.txt").read_text(encoding="utf-8").splitlines()
    same: dict[str, str] = {}
    for forms in (stem_words(line.split()) for line in lines if not line.startswith("#")):
        for stem in forms:
            same.setdefault(stem, forms[0])
    return same
