"""Cuts a piece of a book into what an embedding model is given at once: a sentence or three."""

from typing import Final

from core.text.chunking import sentence_cuts

WINDOW_WORDS: Final = 30
_LONGEST_SENTENCE: Final = 90
_ASKS: Final = "?"


def windows(text: str) -> list[str]:
    """Return the text in windows of whole sentences, each of `WINDOW_WORDS` words or a little more.

    What answers a question stays with it. A rest of less than half a window belongs to the one before it.
    """
    found: list[str] = []
    start = words = 0
    cuts = sentence_cuts(text, longest=_LONGEST_SENTENCE) if text.strip() else []
    for cut in cuts:
        is_enough = cut.words - words >= WINDOW_WORDS and not _asks(text[start : cut.offset])
        if is_enough and cuts[-1].words - cut.words >= WINDOW_WORDS // 2:
            found.append(text[start : cut.offset].strip())
            start, words = cut.offset, cut.words
    return [*found, text[start:].strip()]


def _asks(text: str) -> bool:
    return text.rstrip("\"'”’)] \n").endswith(_ASKS)
