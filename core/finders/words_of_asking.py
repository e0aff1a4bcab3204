"""Words of asking as they are spelled, whatever way a member types them, and without what is said beside the question.

"wat happend in chap 4 i skipped it oops" asks "what happened in chap 4".
"""

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

_SPELLED: Final = (
    "happened",
    "happens",
    "chapter",
    "chapters",
    "recap",
    "summary",
    "previous",
    "introduced",
    "character",
    "characters",
    "meaning",
    "definition",
    "description",
    "describe",
    "mentioned",
    "summarise",
    "summarize",
)
_NEAR: Final = 0.83
_SHORTEST_MISSPELT: Final = 5
_WORDS_KEPT: Final = 1_000
_WORD: Final = re.compile(r"[^\W\d_]+")
_FOR_EMPHASIS: Final = re.compile(
    r"\b(who|what|where|when|how|why)((?:'?s)?)\s+(?:the\s+(?:heck|hell|devil|deuce)|on\s+earth|in\s+the\s+world)\b",
    re.IGNORECASE,
)
_SHORTENED: Final = [
    (re.compile(rf"\b{short}\b"), whole)
    for short, whole in (
        ("1st", "first"),
        ("n", "and"),
        ("pg", "page"),
        ("pgs", "pages"),
        ("sb", "somebody"),
        ("this chapters", "this chapter"),
        ("r", "are"),
        ("u", "you"),
        ("ppl", "people"),
        ("plz", "please"),
        ("wats", "whats"),
        ("wat", "what"),
    )
]
_OWNED: Final = r"(?:(?:sorry|oops|because|cause|since|but|and|cos)\W+)?\bi(?:['’]?m|['’]?ve)?\s+(?:\w+\s+){0,2}?"
_SLIPS: Final = (
    r"(?:skip\w*|skimm\w*|missed|forg[eo]t\w*|zon\w+|blank\w*|slept|dozed|mix\w*|confus\w*|los[te]\w*"
    r"|haven['’]?t|don['’]?t\s+(?:remember|recall|know)|can['’]?t\s+(?:remember|recall))\b"
)
_ASKING: Final = r"\b(?:who|what|where|when|why|how|which|whose|about|of|if)\b"
_ASIDE_BEHIND: Final = re.compile(rf"(?<=\S)[\s,;:(–—-]+{_OWNED}{_SLIPS}(?:(?!{_ASKING})[^.?!])*$", re.IGNORECASE)
_ASIDE_BEFORE: Final = re.compile(
    rf"^\W*{_OWNED}{_SLIPS}(?:(?!{_ASKING})[^,;:.!?–—-])*[,;:.!?–—-]+\s*(?=\w)", re.IGNORECASE
)
_OR_NOT: Final = re.compile(r"[\s,]+or\s+(?:nah|nope|no|not|what|something)\W*$", re.IGNORECASE)


def without_asides(text: str) -> str:
    """Return a question without the reader's own slips that go with it: "..., I skipped it", "I forgot, ..."."""
    return _OR_NOT.sub("", _ASIDE_BEFORE.sub("", _ASIDE_BEHIND.sub("", text)))


def as_spelled(text: str) -> str:
    """Return the text with misspelt words of asking as they are spelled."""

    def spelled(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) < _SHORTEST_MISSPELT or word[0].isupper():
            return word
        return _nearest(word)

    text = _FOR_EMPHASIS.sub(r"\1\2", text)
    for short, whole in _SHORTENED:
        text = short.sub(whole, text)
    return _WORD.sub(spelled, text)


@lru_cache(maxsize=_WORDS_KEPT)
def _nearest(word: str) -> str:
    near = get_close_matches(word, _SPELLED, n=1, cutoff=_NEAR)
    return near[0] if near else word
