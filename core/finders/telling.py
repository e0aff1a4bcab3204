"""Which sentences of some pages tell most of what happens there."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from core.finders.cast import people
from core.finders.read_text import ReadSentence, ReadText, folded

_SHORTEST: Final = 10
_SPEECH: Final = 0.55
_WEIGHED: Final = 50
_PAGES_LOOKED_AT: Final = 100
_FEW_STEMS: Final = 11
_OF_PEOPLE: Final = 0.6
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
    weights = _weights(read, sentences)
    fits = (_fitting(part, words) for part in _equal_parts(sentences, most))
    return [max(part, key=lambda each: _worth(each, weights, named)) for part in fits if part]


def _weights(read: ReadText, sentences: Sequence[ReadSentence]) -> dict[str, float]:
    """Weigh the words that come again on some pages: the more, the oftener there and the seldomer on other pages.

    How seldom is told from some of the pages read, evenly chosen.
    """
    counts = Counter(stem for each in sentences for stem in set(each.stems))
    again = [(stem, count) for stem, count in counts.most_common(_WEIGHED) if count > 1]
    pages = read.folded[:: -(-len(read.folded) // _PAGES_LOOKED_AT)]
    held = {stem: sum(folded(stem.removesuffix("i")) in page for page in pages) for stem, _ in again}
    return {stem: math.log(count) * math.log1p(len(pages) / (1 + held[stem])) for stem, count in again}


def _equal_parts(sentences: Sequence[ReadSentence], count: int) -> list[Sequence[ReadSentence]]:
    bounds = [round(part * len(sentences) / count) for part in range(count + 1)]
    return [sentences[begin:end] for begin, end in pairwise(bounds)]


def _fitting(sentences: Sequence[ReadSentence], words: int) -> list[ReadSentence]:
    """Return the whole sentences that are long enough to tell something, and none longer than `words`."""
    return [each for each in sentences if _SHORTEST <= each.words <= words and each.is_whole]


def _worth(sentence: ReadSentence, weights: Mapping[str, float], named: Sequence[str]) -> float:
    stems = set(sentence.stems)
    if not stems:
        return 0.0
    matter = sum(weights.get(stem, 0.0) for stem in stems) / math.sqrt(max(len(stems), _FEW_STEMS))
    who = sum(name in sentence.text for name in named)
    score = matter + _OF_PEOPLE * min(who, 2)
    score *= _SPEECH if sentence.text.startswith(_EARLIER_TALK) or "”" in sentence.text else 1
    return score * (0.7 if sentence.text.startswith(_POINTS_BACK) else 1)
