"""What kind of question it is, as far as that tells where its answer stands."""

import re

from core.text.words import content_stems, words

_WHO_IS = re.compile(
    r"^\W*(?:(?:so|and|but|again|please|remind me|wait)\W+)*who(?:['’]s|\s+(?:is|was|are|were))\b", re.IGNORECASE
)
_MOST_STEMS = 2
_FEW_STEMS = 2
_POINTING_BACK = frozenset(
    words("he him his she her hers it its they them their theirs that this those these there then")
)


def asks_who_somebody_is(question: str) -> bool:
    """Whether somebody who was named is to be explained: the book does so where they first come in."""
    return _WHO_IS.match(question) is not None and 0 < len(content_stems(question)) <= _MOST_STEMS


def in_context(question: str, before: str) -> str:
    """Return what to search for: the question, and with one that points back, what was asked before it.

    "And why did he?" holds no word to search for; the message before it does.
    """
    points_back = bool(_POINTING_BACK.intersection(words(question))) or len(content_stems(question)) < _FEW_STEMS
    return f"{question} {before}".strip() if points_back and before else question
