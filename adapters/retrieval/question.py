"""A question as the ranking of pages looks at it: its words, and what it says of where its answer stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.text.questions import asks_who_somebody_is
from core.text.words import content_words, stem_words

_WHAT_IS_TOLD = (
    "now happened happens happening read said say says tell told did do does came come comes went go goes saw see sees "
    "heard hear found find left leave gave give got get met meet made make took take meant mean"
)
_JUST_NOW = re.compile(
    rf"\bjust\s+(?:{'|'.join(_WHAT_IS_TOLD.split())})\b|\bright now\b|\b(?:left|leave) off\b|\bdid (?:we|i) stop\b"
    r"|\bhappen\w* last\b|\b(?:this|these|the last)\s+(?:few\s+|two\s+|three\s+)?(?:pages?|scene)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The distinct words of a question that carry matter, and their stems.

    `asks_who`: somebody is to be explained; the book does so where they come in. `asks_now`: it is about what was read
    a moment ago ("What just happened?").
    """

    words: Sequence[str]
    stems: Sequence[str]
    asks_who: bool = False
    asks_now: bool = False

    @classmethod
    def of(cls, text: str, *, most: int) -> "Question":
        """Keep the first word of each stem."""
        words = content_words(text)
        first: dict[str, str] = {}
        for word, stem in zip(words, stem_words(words), strict=True):
            first.setdefault(stem, word)
        return cls(
            words=list(first.values())[:most],
            stems=list(first)[:most],
            asks_who=asks_who_somebody_is(text),
            asks_now=_JUST_NOW.search(text) is not None,
        )
