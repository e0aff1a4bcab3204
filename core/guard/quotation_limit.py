"""How much of the book one answer may quote: at most 150 words, no matter who wrote it."""

import re
from collections.abc import Iterable
from typing import Final

from core.language.sentences import word_count

MOST_WORDS: Final = 150

_LEFT_OUT: Final = "[…]"
_CITED: Final = r"[(\[]pp?\.? ?\d[\d\s,;&–-]*[)\]]"
# The guard reads a sentence without mark-up and pages: between words may stand the signs of a quotation, of emphasis,
# or a page.
_BETWEEN: Final = rf"(?:[\s>*_~|]|{_CITED})+"
_TWICE = re.compile(rf"{re.escape(_LEFT_OUT)}(?:(?:[\s>”’\"']|{_CITED})*{re.escape(_LEFT_OUT)})+")


def within_limit(text: str, quoted: Iterable[str]) -> str:
    """Return a text without the sentences that quote beyond the limit; a mark stands where they stood.

    `quoted` are those of its sentences that stand word for word in the book, in their order.
    """
    sentences = list(quoted)
    if sum(map(word_count, sentences)) <= MOST_WORDS:  # then none is too much, and none has to be looked for
        sentences = []
    used, at = 0, 0
    for sentence in sentences:
        stands = re.compile(_BETWEEN.join(map(re.escape, sentence.split()))).search(text, at)
        if stands is None:
            continue
        used += word_count(sentence)
        kept = stands[0] if used <= MOST_WORDS else _LEFT_OUT
        text = text[: stands.start()] + kept + text[stands.end() :]
        at = stands.start() + len(kept)
    return _TWICE.sub(_LEFT_OUT, text)
