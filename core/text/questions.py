"""What kind of question it is, as far as that tells where its answer stands."""

import re

from core.text.words import content_stems

_WHO_IS = re.compile(
    r"^\W*(?:(?:so|and|but|again|please|remind me|wait)\W+)*who(?:['’]s|\s+(?:is|was|are|were))\b", re.IGNORECASE
)
_MOST_STEMS = 2


def asks_who_somebody_is(question: str) -> bool:
    """Whether somebody who was named is to be explained: the book does so where they first come in."""
    return _WHO_IS.match(question) is not None and 0 < len(content_stems(question)) <= _MOST_STEMS
