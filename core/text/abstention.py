"""Sentences that say only that nothing can be said: they need no page to rest on, and answer nothing."""

import re
from typing import Final

from core.text.words import content_stems

_PAGES = (
    r"(?:(?:the|these|those|our)\s+(?:(?:\d+|few|first)\s+)?)?"
    r"(?:pages?|passages?|text|book|novel|story|chapters?)\b(?:\s+[\w'’]+){0,6}?"
)
_DENIAL = re.compile(
    rf"^\W*(?:(?:sorry|i['’]?m\s+(?:sorry|afraid)|unfortunately|but|no|so\s+far|from\s+{_PAGES})\W+)*(?:that\s+)?(?:"
    r"(?:i|we|you)\s+(?:can\s*not|can['’]t|could\s*n[o'’]t|do\s+not|don['’]t|am\s+not\s+able\s+to|am\s+unable\s+to)"
    r"(?:\s+yet)?\s+(?:say|tell|know|find|see|answer)"
    rf"|{_PAGES}\s+(?:(?:do|does|did|have|has)(?:\s+not|n['’]t)|never)(?:\s+yet)?(?:\s+(?:really|actually|directly))?"
    r"\s+(?:say|said|tell|told|mention(?:ed)?|answer(?:ed)?|explain(?:ed)?|reveal(?:ed)?|describe[d]?|state[d]?|give)"
    rf"|(?:nothing|none|nowhere)\b(?:\s+(?:of|in|from|on)\s+{_PAGES})?\s+(?:says|tells|mentions|answers|explains)"
    r")\b",
    re.IGNORECASE,
)
_ITS_OWN: Final = frozenset(
    content_stems(
        "say says said tell tells told know find see answer answers mention mentions explain explains reveal describe "
        "state give page pages passage passages text book novel story chapter chapters read reading far yet question "
        "nothing none nowhere never anything something sorry afraid unfortunately able unable unknown up now come"
    )
) | frozenset(content_stems("really actually directly i've we've you've"))


def abstains(sentence: str, question: str) -> bool:
    """Whether a sentence denies that something can be said, in words of that kind and of the question alone."""
    return _DENIAL.match(sentence) is not None and set(content_stems(sentence)) <= _ITS_OWN | set(
        content_stems(question)
    )
