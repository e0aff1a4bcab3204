"""Whether a question asks how the book ends, or what is still to come: of neither a page that is read says anything."""

import re

from core.understanding.words_of_asking import BEGINS, BOOK, ENDS

_AT_THE_END = rf"(?:at|in)\s+the\s+(?:very\s+)?end(?:\s+of\s+{BOOK})?"
_THE_END = re.compile(
    BEGINS
    + r"(?:"
    + rf"how\s+(?:does|will|is)\s+(?:it|this|that|everything|{BOOK})\s+(?:all\s+|going\s+to\s+)*"
    + r"(?:end|finish|turn\s+out)"
    + rf"|(?:what|who|how|where|why|does|do|will|is|are)\b(?!.*\b(?:was|were|did|happened)\b).*\s{_AT_THE_END}"
    + rf"|(?:what(?:['’]?s|\s+is)\s+)?the\s+ending(?:\s+of\s+{BOOK})?"
    + r")"
    + ENDS,
    re.IGNORECASE | re.DOTALL,
)
_TO_COME = (
    r"(?:next|following|coming|remaining|rest\s+of\s+the)\s+(?:\w+\s+)?(?:pages?|chapters?|parts?|sections?|book|story)"
)
_AHEAD = re.compile(
    BEGINS
    + r"(?:"
    + r"what(?:['’]?s|\s+is|\s+will|\s+does)?\s+(?:going\s+to\s+)?(?:happens?|come|comes)\s+"
    + r"(?:next|later(?:\s+on)?|after\s+(?:this|that|here)|from\s+here(?:\s+on)?)"
    + r"|who(?:m)?\s+(?:will|are|do|shall)\s+we\s+(?:going\s+to\s+)?(?:meet|see)\s+(?:later(?:\s+on)?|next|soon)"
    + r"|who(?:m)?\s+have(?:n['’]?t\s+we|\s+we\s+not)\s+(?:met|seen)(?:\s+yet)?"
    + rf"|(?:what|who|does|do|is|are|will|how|when|where)\b.*\b(?:in|on|over|during)\s+the\s+{_TO_COME}"
    + r")"
    + ENDS,
    re.IGNORECASE | re.DOTALL,
)


def asks_the_end(question: str) -> bool:
    """Whether it asks how the book ends: no page before the last one says so, whatever words it shares with it."""
    return _THE_END.match(" ".join(question.replace("’", "'").split())) is not None


def asks_ahead(question: str) -> bool:
    """Whether it asks in so many words what is still to come: no page read says so, whatever words it shares."""
    return _AHEAD.match(" ".join(question.replace("’", "'").split())) is not None
