"""Words of asking as they are spelled, whatever way a member types them, and without what is said beside the question.

"wat happend in chap 4 i skipped it oops" asks "what happened in chap 4".
"""

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

LEADS_IN = r"^\W*(?:(?:so|and|but|ok(?:ay)?|hey|hi|hello|wait|sorry|u[mh]+|oh|again|please|pls|now|well|thusfar)\b\W*)*"
ASKS = (
    r"(?:(?:can|could|would|will)\s+(?:you|someone|somebody)\s+(?:(?:please|kindly|maybe)\s+)?)?"
    r"(?:(?:remind|tell|give|show)\s+(?:me|us)(?:\s+again)?\s+|do\s+you\s+know\s+"
    r"|(?:do(?:es)?\s+)?any(?:one|body|\s+of\s+you)\s+(?:here\s+)?(?:know|remember|recall)s?\s+|i(?:\s+have|'ve)?\s+forg[eo]t(?:ten)?\s+"
    r"|remember\s+|i\s+(?:can(?:'?t|not)|do\s?n'?t)\s+(?:remember|recall|know)\s+)?(?:please\s+)?"
)
BEGINS = LEADS_IN + ASKS
ENDS = (
    r"(?:[\s,]+(?:again|please|pls|anyway|then|so far|up to (?:now|here)|at this point|here|to us|by now|sorry|thanks"
    r"|thx|lol|for me|though|in (?:the|this|our) (?:book|story|novel)"
    r"|in (?:this|that|the) (?:context|sentence|bit|part|passage|scene)))*\W*$"
)
WE = r"(?:we|i|you|us|me)"
BOOK = r"(?:the|this|our)\s+(?:\w+\s+)?(?:book|story|novel|tale)"
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
    "mention",
    "mentioned",
    "remember",
    "summarise",
    "summarize",
)
_NEAR: Final = 0.83
_SHORTEST_MISSPELT: Final = 5
_WORDS_KEPT: Final = 1_000
_WORD: Final = re.compile(r"[^\W\d_]+")
_FOR_EMPHASIS: Final = re.compile(
    r"\b(who|what|where|when|how|why)((?:'?s)?)\s+(?:the\s+(?:heck|hell|devil|deuce|f\w*)|on\s+earth|in\s+the\s+world|tf"
    r"|even|exactly|again(?=\s+(?:is|was)\b))\b",
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
        ("wtf", "what"),
        ("dat", "that"),
        ("dis", "this"),
        ("da", "the"),
        ("abt", "about"),
        ("bout", "about"),
        ("w", "with"),
        ("b4", "before"),
        ("rn", "now"),
        ("lil", "little"),
        ("goin", "going"),
        ("happenin", "happening"),
        ("what'?d", "what did"),
        ("where'?d", "where did"),
        ("when'?d", "when did"),
        ("chp", "chapter"),
        ("chpt", "chapter"),
        ("cuz", "because"),
    )
]
_OWNED: Final = r"(?:(?:sorry|oops|because|cause|since|but|and|cos)\W+)?\bi(?:['’]?m|['’]?ve)?\s+(?:\w+\s+){0,2}?"
_SLIPS: Final = (
    r"(?:skip\w*|skimm\w*|missed|forg[eo]t\w*|zon\w+|blank\w*|slept|dozed|mix\w*|confus\w*|los[te]\w*"
    r"|haven['’]?t|don['’]?t\s+(?:remember|recall|know)|can['’]?t\s+(?:remember|recall))\b"
)
_ASKING: Final = r"\b(?:who|what|where|when|why|how|which|whose|about|of|if)\b"
_ASIDE_BEHIND: Final = re.compile(
    rf"(?<=\S)(?<!\bhave)(?<!\bdid)(?<!\bhad)[\s,;:(–—-]+{_OWNED}{_SLIPS}(?:(?!{_ASKING})[^.?!])*$", re.IGNORECASE
)
_ASIDE_BEFORE: Final = re.compile(
    rf"^\W*{_OWNED}{_SLIPS}(?:(?!{_ASKING})[^,;:.!?–—-])*[,;:.!?–—-]+\s*(?=\w)", re.IGNORECASE
)
_OR_NOT: Final = re.compile(r"[\s,]+or\s+(?:nah|nope|no|not|what|something)\W*$", re.IGNORECASE)


_TALK_BEFORE: Final = re.compile(
    r"^\W*(?:(?:(?:hang|hold)\s+on|wait(?:\s+(?:up|a\s+(?:sec|second|min|minute|moment)))?|(?:one|a|1)\s+sec|k|yo|uh+|u[mh]+|er+m?|h[mu]+h?"
    r"|(?:hey|hi|hello)(?:\s+(?:all|everyone|folks|guys|team|there|y'?all))?|guys|folks|lol|lmao|ha(?:ha)+|omg|ugh+|argh|oops|sorry"
    r"|(?:(?:a\s+)?(?:dumb|stupid|silly|random|quick|noob)\s+)?q(?:uestion)?|alright|honestly|btw|anyway|ok(?:ay)?|also)\b[\s,;:.!?–—-]*)+",
    re.IGNORECASE,
)
_TALK_BEHIND: Final = re.compile(
    r"(?:(?<=\S)[\s,;:.!?–—(-]{1,8}(?:lol|lmao|ha(?:ha)+|omg|ugh+|thx|thanks|ty|cheers|tho|btw|ffs|actually|exactly|really|(?:real\s+)?quick(?:ly)?|if\s+we\s+(?:even\s+)?know(?:\s+(?:that|yet|it))*|rq|asap|if\s+you\s+can"
    r"|before\s+(?:tonight|tomorrow|(?:(?:the|our)\s+)?(?:book\s+)?(?:meeting|call|club)(?:\s+(?:tonight|tomorrow))?|we\s+(?:meet|start))"
    r"|it'?s\s+been\s+(?:a\s+(?:while|minute|week|month)|ages|forever|so\s+long|(?:\w+\s+)?(?:days|weeks|months))"
    r"|i'?m\s+(?:(?:so|totally|completely|a\s+bit|really|kinda)\s+)*(?:lost|confused|behind|blanking|(?:bad|terrible|awful)\s+with\s+names))"
    r"(?=\W|$))+\W*$",
    re.IGNORECASE,
)


def without_asides(text: str) -> str:
    """Return a question without what is only talk, and the reader's own slips that go with it: "..., I skipped it"."""
    plain = _OR_NOT.sub("", _ASIDE_BEFORE.sub("", _ASIDE_BEHIND.sub("", text)))
    return _TALK_BEFORE.sub("", _TALK_BEHIND.sub("", plain)) or plain


_LAUGHS: Final = re.compile(r"(?<=\w)\s+(?:lol|lmao|rofl|ha(?:ha)+|omg)\b", re.IGNORECASE)
_OF_THE_READER: Final = re.compile(
    r"^(?P<asking>\S+\s+\S.*?)[\s,;–—-]{1,4}(?:(?:and|but|sorry|again|because|since)\s+)*i(?:\s+(?:was|had|have|am|got|did|do|can|could|only|just|really"
    r"|totally|literally|always|never|keep|kept|read|think|thought|know|feel|swear)\b|'m\b|m\b|'ve\b|ve\b)(?!\s+i\b)",
    re.IGNORECASE,
)
_STILL_ASKS: Final = re.compile(
    r"\b(?:did|do|does|am|was|were|have|had|should|can|could|will|would|that|the|chapter|page|bit|part)$"
)


def before_the_reader(text: str) -> str:
    """Return what stands before a reader who goes on about themselves; empty where none does."""
    found = _OF_THE_READER.match(text)
    return found["asking"] if found and not _STILL_ASKS.search(found["asking"]) else ""


def as_spelled(text: str) -> str:
    """Return the text with misspelt words of asking as they are spelled."""

    def spelled(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) < _SHORTEST_MISSPELT or word[0].isupper():
            return word
        return _nearest(word)

    text = _FOR_EMPHASIS.sub(r"\1\2", text)
    text = _LAUGHS.sub(" ", text).strip()
    for short, whole in _SHORTENED:
        text = short.sub(whole, text)
    return _WORD.sub(spelled, text)


@lru_cache(maxsize=_WORDS_KEPT)
def _nearest(word: str) -> str:
    near = get_close_matches(word, _SPELLED, n=1, cutoff=_NEAR)
    return near[0] if near else word
