"""How much happens in a sentence: who does something in it, and whether it tells that rather than describes or wonders.

What a chapter's recap quotes is chosen by it; the words of matter alone would choose scenery and talk as gladly.
"""

import re
from collections.abc import Sequence
from typing import Final

from core.language.words import words

_IRREGULAR: Final = frozenset(
    words(
        "came went took found fell ran told gave saw met threw struck caught broke brought left sent began stood "
        "sprang rose drew flew rode drove shot fought won lost hid led leapt sat set shut spoke swore taught tore "
        "woke wrote bought built burst chose crept cut dug fled forgot forgave heard hit kept knew laid lay lit "
        "let made paid put read rang sang sank slept slid sold spent stole swam swung understood thrust bent bound "
        "bade bore beat became overcame overheard cast clung arose awoke"
    )
)
_NO_PAST: Final = frozenset(words("indeed hundred need seed kindred sacred wicked naked rugged crooked learned"))
_NO_DEED: Final = frozenset(words("is was has does his this its seems looks as"))
_WORD: Final = re.compile(r"[a-z]+")
_PERSONAL: Final = "I|he|she|they|we"
_SOMEBODY: Final = re.compile(r"\b(?:I|we|he|she|they|me|us|my)\b", re.IGNORECASE)
_STATE: Final = re.compile(r"\b(?:was|were|had been|seemed|appeared|looked like|is|are)\b")
_NOT_SO: Final = re.compile(r"\b(?:might|would|could|should|must|may|perhaps)\b")
_SHORTEST_PAST: Final = 5
_MOST_DEEDS: Final = 2
_MOST_NAMES: Final = 2
_MOST_VERBS: Final = 4
_OF_DEED: Final = 1.2
_OF_NAME: Final = 0.6
_OF_VERB: Final = 0.5
_OF_STATE: Final = 0.2
_OF_DOUBT: Final = 0.8
_OF_NOBODY: Final = 1.0
_OF_OUTCRY: Final = 1.5


class Deeds:
    """What some people do, by their names; whoever tells the story in the first person is one of them."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [name.split()[-1] for name in names]
        whoever = "|".join([*map(re.escape, self._names), _PERSONAL])
        self._acting = re.compile(rf"\b(?:{whoever})(?: \w+ly)?,? (?P<verb>[a-z]+)\b")

    def worth(self, text: str) -> float:
        """Say how much a text tells that happens."""
        named = sum(name in text for name in self._names)
        deeds = sum(_is_deed(match["verb"]) for match in self._acting.finditer(text))
        verbs = sum(map(_is_past, _WORD.findall(text)))
        return (
            _OF_NAME * min(named, _MOST_NAMES)
            + _OF_DEED * min(deeds, _MOST_DEEDS)
            + _OF_VERB * min(verbs, _MOST_VERBS)
            - _OF_STATE * len(_STATE.findall(text))
            - _OF_DOUBT * len(_NOT_SO.findall(text))
            - _OF_NOBODY * (not named and _SOMEBODY.search(text) is None)
            - _OF_OUTCRY * text.rstrip("”’\"'").endswith(("?", "!"))
        )


def _is_past(word: str) -> bool:
    is_regular = word.endswith("ed") and len(word) >= _SHORTEST_PAST and word not in _NO_PAST
    return word in _IRREGULAR or is_regular


def _is_deed(word: str) -> bool:
    """Whether what stands behind a name is something done, be it told in the present."""
    return _is_past(word) or (word.endswith("s") and word not in _NO_DEED)
