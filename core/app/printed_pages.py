"""Shows a book's own page labels in what is posted: inside, up to the guard and the record, citations are numbers."""

import re
from collections.abc import Callable
from typing import Final

from core.agent.citations import PAGE_NUMBERS

_CITATION: Final = re.compile(
    rf"[(\[]\s*(?:pp?\.?|pages?)\s*{PAGE_NUMBERS}\s*[)\]]|^\*\*pp?\. \d+(?:-\d+)?(?=\*\*|, )",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER: Final = re.compile(r"\d+")


def with_labels(text: str, name: Callable[[int], str]) -> str:
    """Return a text with the pages of its bracketed citations, `(p. 12)`, as people see them (`page_names`).

    So are those of a line above a passage: `**p. 12, chapter 3**`.
    """
    return _CITATION.sub(lambda citation: _NUMBER.sub(lambda page: name(int(page[0])), citation[0]), text)
