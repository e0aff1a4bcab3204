"""What a member's words name: the people and places of a question, told by their capitals."""

import re
from typing import Final

from core.domain.folding import CAPITAL

_QUESTION_WORDS: Final = (
    "Who", "What", "Where", "When", "Why", "How", "Which", "Whose", "Did", "Does", "Do", "Is", "Are", "Was", "Were",
    "Has", "Have", "Had", "And", "But", "So", "The", "A", "An", "In", "On", "At", "Can", "Could", "Tell", "Remind",
    "Please", "Ok", "I", "Whats", "What's", "Who's", "Whos", "Where's",
)  # fmt: skip
_NAME = rf"[{CAPITAL}][\w'’-]+"
_NAMES: Final = re.compile(rf"(?:(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord)\.?\s+)?{_NAME}(?:\s+{_NAME})*")


def names_in(text: str) -> list[str]:
    """Return what a member's words name: runs of words with a capital, but for a first word that asks."""
    runs = _NAMES.findall(text)
    cleaned = (re.sub(rf"^(?:{'|'.join(_QUESTION_WORDS)})\b\s*", "", run, flags=re.IGNORECASE) for run in runs)
    return [re.sub(r"['’]s$", "", each) for each in cleaned if each]
