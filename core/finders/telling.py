"""Which sentences of some pages tell most of what happens there."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from core.finders.cast import people
from core.finders.read_text import ReadSentence, ReadText

_SHORTEST: Final = 8
_SPEECH: Final = 0.55
_EARLIER_TALK = ("“", '"', "‘", "—")
_POINTS_BACK = ("He ", "She ", "It ", "They ", "This ", "That ", "But ", "And ", "Then ", "There ", "So ")


def telling_sentences(read: ReadText, first_page: int, last_page: int, *, most: int, words: int) -> list[ReadSentence]:
    """Return sentences that stand for some pages, in order, spread over them; none longer than `words` each.

    Those that hold the words which come again and again there, and its people; told rather than spoken.
    """
    sentences = [each for each in read.sentences(first_page, last_page) if not each.is_heading]
    if not sentences:
        return []
    named = [part for name in people(read, first_page, last_page, most=4) for part in name.split()[-1:]]
    frequency = Counter(stem for each in sentences for stem in set(each.stems))
    fits = (_fitting(part, words) for part in _equal_parts(sentences, most))
    return [max(part, key=lambda each: _worth(each, frequency, named)) for part in fits if part]


def _equal_parts(sentences: Sequence[ReadSentence], count: int) -> list[Sequence[ReadSentence]]:
    bounds = [round(part * len(sentences) / count) for part in range(count + 1)]
    return [sentences[begin:end] for begin, end in pairwise(bounds)]


def _fitting(sentences: Sequence[ReadSentence], words: int) -> list[ReadSentence]:
    """Return the whole sentences that are long enough to tell something, and none longer than `words`."""
    return [each for each in sentences if _SHORTEST <= each.words <= words and each.is_whole]


def _worth(sentence: ReadSentence, frequency: Counter[str], named: Sequence[str]) -> float:
    stems = set(sentence.stems)
    if not stems:
        return 0.0
    matter = sum(math.log1p(frequency[stem] - 1) for stem in stems) / math.sqrt(len(stems))
    who = sum(name in sentence.text for name in named)
    score = matter + 1.2 * min(who, 2)
    score *= _SPEECH if sentence.text.startswith(_EARLIER_TALK) or "”" in sentence.text else 1
    return score * (0.7 if sentence.text.startswith(_POINTS_BACK) else 1)
