"""Sentences and words of book text, for chunking, quoting and later the guard."""

import re

from sentencex import get_sentence_boundaries

_LANGUAGE = "en"
_PARAGRAPH_BREAK = re.compile(r"\n\s*\n")
_SPACE = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"”’)\]]*(?=\s|$)")


def paragraphs(text: str) -> list[str]:
    """Split at empty lines; paragraphs without any letter or digit are kept, empty ones are not."""
    return [part.strip() for part in _PARAGRAPH_BREAK.split(text) if part.strip()]


def sentences(text: str) -> list[str]:
    """Split a text into sentences, paragraph by paragraph; white space is folded to single spaces.

    Boundaries: sentencex (https://github.com/wikimedia/sentencex), chosen in ADR 0006.
    """
    found: list[str] = []
    for paragraph in paragraphs(text):
        flat = fold_space(paragraph)
        found.extend(
            piece for boundary in get_sentence_boundaries(_LANGUAGE, flat) if (piece := boundary["text"].strip())
        )
    return found


def fold_space(text: str) -> str:
    """Return the text on one line, each run of white space a single space."""
    return _SPACE.sub(" ", text).strip()


def word_count(text: str) -> int:
    """Count words as white space divides them."""
    return len(text.split())


def whole_sentences(text: str) -> str:
    """Return the text up to the end of its last whole sentence; all of it where there is none.

    For an answer that was cut off in the middle.
    """
    flat_end = max((match.end() for match in _SENTENCE_END.finditer(text)), default=None)
    return text[:flat_end].rstrip() if flat_end else text
