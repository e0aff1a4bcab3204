"""What a book is called and who wrote it, from the best source there is; called by the text and Markdown readers."""

from collections.abc import Iterable
from pathlib import Path

from core.text.sentences import fold_space

_LONGEST_NAME = 200
_SMALL_WORDS = frozenset(
    {"a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)


def title_of(path: Path, candidates: Iterable[str | None]) -> str:
    """Return the first title that says anything, else the file's name made readable."""
    return first_name(candidates) or _from_stem(path.stem) or "Untitled"


def first_name(candidates: Iterable[str | None]) -> str | None:
    """Return the first name that says anything, on one line."""
    folded = (fold_space(candidate or "")[:_LONGEST_NAME] for candidate in candidates)
    return next((name for name in folded if name), None)


def _from_stem(stem: str) -> str:
    words = stem.replace("_", " ").replace("-", " ").split()
    if not stem.islower():
        return " ".join(words)
    return " ".join(
        word if place and word in _SMALL_WORDS else word[0].upper() + word[1:] for place, word in enumerate(words)
    )
