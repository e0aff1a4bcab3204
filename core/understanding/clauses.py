"""A message of several clauses: which of them asks, and what the others are beside it.

"whos starbuck, is he the first mate??" asks who Starbuck is and guesses; "tom i think... who is he" names him before.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.patterns import late_pattern

_BREAK: Final = late_pattern(
    r"[,;:!?…()]+\s*|\.{2,}\s*|\s+[-–—=]+\s+|(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bdr)(?<!\bst)(?<!\bcapt)(?<!\b[a-z])\.(?:\s+|$)",
    re.IGNORECASE,
)
_ASKS: Final = late_pattern(
    r"\b(?:who|what|where|when|why|how|which|whose|who's|what's|where's|how's|whos|whats|wheres)\b|^(?:please\s+)?(?:remind|tell)\s+(?:me|us)\b"
    r"|^(?:and |but |so )?(?:did|does|do|is|was|are|were|has|have|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
_TOLD_APART: Final = late_pattern(
    r"^(?:(?:like|i think|maybe)\s+)?(?:the|an?|that|this|some|one of the)\s+(?:[\w'-]+\s+){1,4}"
    r"(?:who|which|whose|that)\b",
    re.IGNORECASE,
)
"""A clause that only says which one is meant: "the kid who teased her"."""
_GUESSES: Final = late_pattern(
    r"^(?:(?:and|so|or|like|i mean|wait)\s+)*"
    r"(?:(?:is|was|isn'?t|wasn'?t|are|were)\s+(?:s?he|it|they|that|this)\b|or\s+what\b|right\b"
    r"|.*\bright$|what$)(?!.*\b(?:who|why|where|how|when|which)\b)",
    re.IGNORECASE,
)
_POINTS_BACK: Final = late_pattern(
    r"^which\s+one(?:'s|s|\s+is|\s+was)\s+(?:s?he|it|that|this)(?:\s+again)?$|^(?:please\s+)?(?:remind|tell)\s+(?:me|us)(?:\s+(?:again|please|who))*$|^(?:(?:can|could)\s+(?:you|someone|anyone)\s+)?(?:(?:please\s+)?(?:remind|tell)\s+(?:me|us)(?:\s+again)?\s+"
    r"|i\s+(?:forgot|forget|don'?t\s+(?:remember|know))\s+|any(?:one|body)\s+(?:know|remember)\s+)?"
    r"who(?:'s|s|\s+(?:is|was|are|were))?(?:\s+(?:he|she|they|that|this|it|those))?(?:\s+(?:is|was|are|were))?"
    r"(?:\s+(?:again|even|guy|please|supposed\s+to\s+be))*$",
    re.IGNORECASE,
)
_POINTS_TO_WORD: Final = late_pattern(
    r"^what(?:'s|s|\s+is|\s+are)\s+(?:that|this|those|these|it)(?:\s+(?:mean|again))*$"
    r"|^what\s+(?:does|do)\s+(?:that|this|it|they)\s+(?:even\s+)?mean(?:\s+here)?$",
    re.IGNORECASE,
)
_UNSURE: Final = late_pattern(
    r"\s*\b(?:(?:i\s+)?(?:can'?t|cannot|don'?t|didn'?t)\s+(?:quite\s+)?(?:place|remember|recall|know)|i\s+(?:think|guess|believe)|maybe|or\s+(?:something|smth|whatever|so)|right|i\s+mean|whatever|thingy)\b\s*",
    re.IGNORECASE,
)
_OF_READERS: Final = late_pattern(
    r"\b(?:i|i'm|im|i've|ive|we|we've|my|our|me|us|been|lost|sorry|behind|late|joined|missed|skipped|absent|away|reading|book|meeting|tonight)\b",
    re.IGNORECASE,
)
_MOST_OF_NAME: Final = 5
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Clauses:
    """The one clause that asks, whom the clause before it names where it points back, and what stands beside it.

    `is_word`: what is named is asked for as a word. `is_guessed`: another clause guesses at the answer.
    `is_of_readers`: what stands beside it is about those who read, and so says nothing of what is asked.
    """

    asking: str
    named: str
    is_word: bool = False
    is_guessed: bool
    is_of_readers: bool


def clauses_of(text: str) -> Clauses | None:
    """Return what the clauses of a message are; None where it has one alone, or several that ask."""
    parts = [part.strip() for part in _BREAK.split(text) if part.strip()]
    said = [*parts[:1], *(part for part in parts[1:] if not _GUESSES.search(part))]
    asking = _asking(said)
    if len(parts) < _FEWEST or len(asking) > 1:
        return None
    if not asking:
        return _only_guessed(said) if len(said) < len(parts) else None
    before, asked, behind = said[: asking[0]], said[asking[0]], said[asking[0] + 1 :]
    return Clauses(
        asking=asked,
        named=_named(before) if _POINTS_BACK.match(asked) or _POINTS_TO_WORD.match(asked) else "",
        is_word=_POINTS_TO_WORD.match(asked) is not None,
        is_guessed=len(said) < len(parts),
        is_of_readers=all(map(_OF_READERS.search, before + behind)),
    )


def _only_guessed(said: Sequence[str]) -> Clauses | None:
    """Return who is guessed at where nothing is asked: "zeena... thats the wife right"."""
    named = _named(said)
    return Clauses(asking="", named=named, is_guessed=True, is_of_readers=False) if named else None


def _asking(said: Sequence[str]) -> list[int]:
    """Return which clauses ask; where one asks who somebody is that was named before, that one alone."""
    asking = [at for at, part in enumerate(said) if _asks(part)]
    pointing = [at for at in asking if at and _POINTS_BACK.match(said[at])]
    return pointing if len(pointing) == 1 else asking


def _asks(part: str) -> bool:
    return _ASKS.search(part) is not None and _TOLD_APART.search(part) is None


def _named(before: Sequence[str]) -> str:
    """Return what the nearest clause before names that is no more than a name; empty for none."""
    plain = (_UNSURE.sub(" ", part).strip() for part in reversed(before))
    return next((part for part in plain if part and len(part.split()) <= _MOST_OF_NAME), "")
