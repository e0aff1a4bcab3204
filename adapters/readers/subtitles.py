"""Distinguishes the title under a bare `Chapter I` from the first words of its text; called when chapters are named."""

import re
from collections.abc import Sequence

from adapters.readers.marks import looks_like_title, mark_of, title_mark

_LONGEST = 80
_MOST_WORDS = 14
_USUAL = 0.6
_FEWEST_FOR_USUAL = 3
_SALUTATION = re.compile(
    r"(?:my\s+)?(?:very\s+)?(?:own\s+)?(?:dear(?:est)?|beloved|darling)\b|(?:dear|sir|madam|gentlemen)[,:;—-]"
    r"|to\s+(?:mr|mrs|miss|ms|dr|sir|lady|lord|my|madame|monsieur|m)\b",
    re.IGNORECASE,
)
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\b{_MONTH}\s+(?:the\s+)?\d|\d(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:\s|[,.]|$)|\b1[0-9]{{3}}\b|\b20[0-9]{{2}}\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.*(?:\d|morning|evening|night|afternoon)|\d\s*o['’]clock|\d+[:.]\d\d\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?,;:—–-]$")


def subtitles(headings: Sequence[tuple[int, str]], paragraphs: Sequence[str]) -> dict[int, str]:
    """Return the subtitle for each bare heading (its index, its text) that has one in the next paragraph."""
    under = {index: text for index, _ in headings if (text := _candidate(index, paragraphs))}
    # Text that isn't written like a title counts only if nearly every chapter of the book has one.
    usual = len(headings) >= _FEWEST_FOR_USUAL and len(under) >= _USUAL * len(headings)
    return {index: text for index, text in under.items() if _is_certain(text) or usual}


def joined(heading: str, subtitle: str | None) -> str:
    """Return the chapter's title."""
    return f"{heading.rstrip(' .:—–-')}: {subtitle.rstrip('.')}" if subtitle else heading


def is_head_of_letter(text: str) -> bool:
    """Whether a line is the date or the salutation of a letter."""
    return bool(_SALUTATION.match(text) or _DATE.search(text))


def _candidate(index: int, paragraphs: Sequence[str]) -> str | None:
    if index + 2 >= len(paragraphs):
        return None  # nothing would be left of the chapter
    text, following = paragraphs[index + 1 : index + 3]
    if (
        len(text) > _LONGEST
        or len(text.split()) > _MOST_WORDS
        or "\n" in text
        or text[0] in "“\"‘'«([*_—–-"
        or text[-1] in ",;:—–-"
        or not any(map(str.isalpha, text))
        or text[0].islower()
        or title_mark(text)
        or mark_of(following)
        or is_head_of_letter(text)
    ):
        return None
    return text


def _is_certain(text: str) -> bool:
    if text.isupper():
        return text[-1] not in "!?"
    return looks_like_title(text) and not _SENTENCE_END.search(text)
