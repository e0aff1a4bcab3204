"""Clauses of a sentence that could stand alone: what is hung on a true statement must not hide behind it."""

import re
from typing import Final

_LEAST_WORDS: Final = 4
_BETWEEN = re.compile(
    r"(?<=[;:])\s+|\s*[–—]\s*|\s+-{1,2}\s+"
    r"|,\s+(?=(?:and|but|so|yet|while|whereas|because|though|although|since|until|then)\s)",
    re.IGNORECASE,
)


def clauses(sentence: str) -> list[str]:
    """Return the parts of a sentence between semicolons, colons, dashes and joining words; a short one stays whole."""
    found: list[str] = []
    for part in filter(None, _BETWEEN.split(sentence)):
        if found and min(len(found[-1].split()), len(part.split())) < _LEAST_WORDS:
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found
