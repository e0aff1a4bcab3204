"""Words of the book that a question quotes: where they stand on the read pages, they are shown in their surroundings.

Words that stand further on, or nowhere, are looked for like any others.
"""

import re
from collections.abc import Sequence
from typing import Final

from core.finders.passages import Passage, stretch
from core.finders.read_text import ReadSentence, ReadText, folded

_QUOTED: Final = re.compile(r"[\"“„«]([^\"“”„«»]{8,300})[\"”“»]")
_LEAST_WORDS: Final = 3
_ENDS: Final = " .,;:!?…'-—"


def quotes_words(question: str) -> bool:
    """Whether a question quotes anything at all."""
    return _QUOTED.search(question) is not None


def passage_with_quoted(question: str, read: ReadText) -> Passage | None:
    """Return the first passage that holds what a question quotes, word for word; None where it quotes nothing read."""
    for match in _QUOTED.finditer(question):
        words = _plain(match[1]).strip(_ENDS)
        if len(words.split()) >= _LEAST_WORDS and (found := _passage_with(words, read)):
            return found
    return None


def _passage_with(words: str, read: ReadText) -> Passage | None:
    longest = folded(max(re.findall(r"\w+", words), key=len, default=""))
    for page, letters in zip(read.pages, read.folded, strict=True):
        if longest in letters:
            sentences = read.sentences(page.number, page.number + 1)
            at = _first_with(words, sentences)
            if at is not None:
                return _around(sentences, at)
    return None


def _first_with(words: str, sentences: Sequence[ReadSentence]) -> int | None:
    """Return the sentence in which the words begin, be it that they end in the next one."""
    plain = [_plain(each.text) for each in sentences]
    for at, text in enumerate(plain):
        if words in text:
            return at
        following = plain[at + 1] if at + 1 < len(plain) else ""
        if words in f"{text} {following}" and words not in following:
            return at
    return None


def _around(sentences: Sequence[ReadSentence], at: int) -> Passage | None:
    """Return as much as fits from the sentence before on; from the sentence itself where it would be left out."""
    for begin in (max(at - 1, 0), at):
        shown = stretch(sentences[begin:])
        if shown is not None and sentences[at] in shown.sentences:
            return shown
    return None


def _plain(text: str) -> str:
    """Return a text in small letters with one kind of mark and of white space."""
    return " ".join(re.sub(r"[‘’]", "'", re.sub(r"[\"“”]", "", text)).casefold().split())
