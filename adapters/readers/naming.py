"""Chooses a book's title and author from the best source; called by all readers."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from core.language.sentences import fold_space

_LONGEST_NAME = 300
# Control characters, invisible ones (such as direction marks), lone surrogates, and unassigned ones.
_NEVER_SHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_SMALL_WORDS = frozenset(
    {"a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)


def title_of(path: Path, candidates: Iterable[str | None]) -> str:
    """Return the first meaningful title, else a readable form of the file's name."""
    return first_name(candidates) or _from_stem(clean_name(path.stem)) or "Untitled"


def first_name(candidates: Iterable[str | None]) -> str | None:
    """Return the first meaningful name, cleaned for display."""
    return next((name for candidate in candidates if (name := clean_name(candidate or ""))), None)


def clean_name(text: str) -> str:
    """Return a name on one line, shortened, without invisible characters; it may be empty."""
    shown = (char for char in text if char.isspace() or unicodedata.category(char) not in _NEVER_SHOWN)
    return fold_space("".join(shown))[:_LONGEST_NAME].rstrip()


def shown_name(path: Path) -> str:
    """Return a file's name for messages."""
    return clean_name(path.name or str(path)) or "The file"


def _from_stem(stem: str) -> str:
    words = stem.replace("_", " ").replace("-", " ").split()
    if not stem.islower():
        return " ".join(words)
    return " ".join(
        word if place and word in _SMALL_WORDS else word[0].upper() + word[1:] for place, word in enumerate(words)
    )
