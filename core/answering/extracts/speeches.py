"""Long speeches taken apart: a passage may begin and end within one, where a sentence of it does."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from core.answering.extracts.read_text import ReadSentence, ends_short
from core.domain.folding import CAPITAL
from core.language.sentences import word_count
from core.language.words import words as running_words

_LONG: Final = 100
_SENTENCES_KEPT: Final = 2_000
_WITHIN: Final = re.compile(rf"(?<=[.!?…])[”’\"')]*\s+(?=[“\"‘(]?[{CAPITAL}])")


def taken_apart(sentences: Sequence[ReadSentence]) -> list[ReadSentence]:
    """Return sentences with those that are long as several: what is said between two quotation marks counts as one.

    One of 150 words would fit into no passage, and none but its first words be near to what stands before it.
    """
    return [part for each in sentences for part in (_parts(each) if each.words > _LONG else (each,))]


@lru_cache(maxsize=_SENTENCES_KEPT)
def _parts(sentence: ReadSentence) -> tuple[ReadSentence, ...]:
    texts = list(_texts(sentence.text))
    return tuple(
        replace(
            sentence,
            text=text,
            words=word_count(text),
            running=len(running_words(text)),
            on_pages=(text,),
            is_whole=at < len(texts) or sentence.is_whole,
        )
        for at, text in enumerate(texts, start=1)
    )


def _texts(text: str) -> Iterator[str]:
    """Give the sentences of a text that is one speech; nothing ends behind `Mr.`."""
    begun = 0
    for match in _WITHIN.finditer(text):
        part = text[begun : match.end()].strip()
        if not ends_short(part):
            yield part
            begun = match.end()
    yield text[begun:]
