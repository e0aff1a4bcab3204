"""Finds the sentences of some pages that tell most of what happens there.

Content words alone would also choose scenery and talk, so the score counts people who act as well.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise, repeat, takewhile
from operator import contains
from typing import Final
from weakref import WeakKeyDictionary

from core.answering.extracts.cast import people
from core.answering.extracts.read_text import ReadSentence, ReadText, chapter_title, folded_bytes
from core.domain.folding import CAPITAL
from core.language.words import content_stems, words

_rare: Final[WeakKeyDictionary[ReadText, dict[str, float]]] = WeakKeyDictionary()
"""Cache of the rarity of a text's words, since a recap needs it for each chapter."""

Stretch = Sequence[ReadSentence]
"""Consecutive sentences of one paragraph."""

_SHORTEST: Final = 10
_SHORTEST_FIRST: Final = 4
_MOST_SENTENCES: Final = 3
_WEIGHED: Final = 50
_PAGES_LOOKED_AT: Final = 100
_FEW_STEMS: Final = 8
_PEOPLE: Final = 6
_OF_TITLE: Final = 4.0
_QUOTES: Final = re.compile(r"[“”\"]|(?:^|\s)‘|[.!?,]’(?=\s|$)")
_BEGINS: Final = re.compile(f"[{CAPITAL}]")
_POINTS_BACK: Final = re.compile(
    r"(?!(?:The|A|An|My|Our|One|Two|Some)\b)\w+ [^A-Z.!?]{0,60}?\b(?:he|she|they|it)\b"
    r"|(?:He|She|It|They|This|That|These|Those|But|And|Then|There|So|Nor|For|Yet|Or|His|Her|Their|Its|Such|Here|Thus"
    r"|Hence|However|Now|We|Him|Them|Which|Who)\b"
)
_IRREGULAR: Final = frozenset(
    words(
        "came went took found fell ran told gave saw met threw struck caught broke brought left sent began stood "
        "sprang rose drew flew rode drove shot fought won lost hid led leapt sat set shut spoke swore taught tore "
        "woke wrote bought built burst chose crept cut dug fled forgot forgave heard hit kept knew laid lay lit "
        "let made paid put read rang sang sank slept slid sold spent stole swam swung understood thrust bent bound "
        "bade bore beat became overcame overheard cast clung arose awoke"
    )
)
_NO_PAST: Final = frozenset(words("indeed hundred need seed kindred sacred wicked naked rugged crooked learned"))
_NO_ACTION: Final = frozenset(words("is was has does his this its seems looks as"))
_WORD: Final = re.compile(r"[a-z]+")
_PERSONAL: Final = "I|he|she|they|we"
_SOMEBODY: Final = re.compile(r"\b(?:I|we|he|she|they|me|us|my)\b", re.IGNORECASE)
_STATE: Final = re.compile(r"\b(?:was|were|had been|seemed|appeared|looked like|is|are)\b")
_NOT_SO: Final = re.compile(r"\b(?:might|would|could|should|must|may|perhaps)\b")
_SHORTEST_PAST: Final = 5
_MOST_ACTIONS: Final = 2
_MOST_NAMES: Final = 2
_MOST_VERBS: Final = 4
_OF_ACTION: Final = 1.2
_OF_NAME: Final = 0.6
_OF_VERB: Final = 0.5
_OF_STATE: Final = 0.2
_OF_DOUBT: Final = 0.8
_OF_NOBODY: Final = 1.0
_OF_OUTCRY: Final = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoredSentence:
    """A sentence, whether it contains speech, and how much happens in it."""

    sentence: ReadSentence
    is_spoken: bool
    happens: float


def telling_stretches(read: ReadText, first_page: int, last_page: int, *, most: int, words: int) -> list[Stretch]:
    """Return up to `most` stretches that tell what happens on some pages, in order and spread over them.

    No stretch has more than `words` words. Narration that can be understood alone is preferred to speech.
    """
    sentences = _prose(read, first_page, last_page)
    actions = ActionScore(people(read, first_page, last_page, most=_PEOPLE))
    weights = _weights(read, sentences, called=_called(read, first_page))
    told = [
        _ScoredSentence(sentence=each, is_spoken=is_spoken, happens=actions.of(each.text))
        for each, is_spoken in zip(sentences, _spoken(sentences), strict=True)
    ]
    chosen = (_best(part, weights, words) for part in _equal_parts(told, most))
    return [each for each in chosen if each]


def _prose(read: ReadText, first_page: int, last_page: int) -> list[ReadSentence]:
    """Return the prose of some pages, without the other chapter's part of a page that two chapters share."""
    sentences = read.sentences(first_page, last_page)
    begins = _headings(sentences, first_page) if _is_shared(read, first_page) else []
    ends = _headings(sentences, last_page) if _is_shared(read, last_page) and first_page < last_page else []
    prose = sentences[begins[-1] if begins else 0 : ends[0] if ends else len(sentences)]
    return [each for each in prose if not each.is_heading]


def _headings(sentences: Sequence[ReadSentence], page: int) -> list[int]:
    """Return the indexes of a page's headings among some sentences."""
    return [at for at, each in enumerate(sentences) if each.is_heading and each.page == page]


def _is_shared(read: ReadText, page: int) -> bool:
    """Whether one chapter ends and another begins on this page."""
    ends = any(each.first_page < page == each.last_page for each in read.chapters)
    return ends and any(each.first_page == page for each in read.chapters)


def _best(part: Sequence[_ScoredSentence], weights: Mapping[str, float], words: int) -> Stretch:
    """Return the stretch of a part that tells most; empty where none fits."""
    unspoken = [each for each in part if not each.is_spoken]
    fitting = list(_narrated(part, words)) or _alone(unspoken, words) or _alone(part, words)
    best = max(fitting, key=lambda each: _worth(each, weights), default=())
    return [each.sentence for each in best]


def _narrated(part: Sequence[_ScoredSentence], words: int) -> Iterator[Sequence[_ScoredSentence]]:
    """Yield the stretches without speech that can be understood alone."""
    for begin, first in enumerate(part):
        if not _can_begin(first.sentence):
            continue
        following = part[begin : begin + _MOST_SENTENCES]
        fits = list(takewhile(partial(_continues, first), following))
        counts = accumulate(each.sentence.words for each in fits)
        yield from (fits[:end] for end, count in enumerate(counts, start=1) if _SHORTEST <= count <= words)


def _can_begin(sentence: ReadSentence) -> bool:
    """Whether a sentence can be understood without the one before it."""
    is_whole = _BEGINS.match(sentence.text) is not None and sentence.words >= _SHORTEST_FIRST
    return is_whole and _POINTS_BACK.match(sentence.text) is None


def _continues(first: _ScoredSentence, each: _ScoredSentence) -> bool:
    return not each.is_spoken and each.sentence.is_whole and each.sentence.paragraph == first.sentence.paragraph


def _alone(part: Iterable[_ScoredSentence], words: int) -> list[Sequence[_ScoredSentence]]:
    """Return each complete sentence of moderate length as a stretch."""
    return [[each] for each in part if _SHORTEST <= each.sentence.words <= words and each.sentence.is_whole]


def _spoken(sentences: Sequence[ReadSentence]) -> Iterator[bool]:
    """Yield for each sentence whether it contains speech, which may continue over several sentences of a paragraph."""
    paragraph, is_open = 0, False
    for each in sentences:
        is_open = is_open and each.paragraph == paragraph
        paragraph = each.paragraph
        yield is_open or _QUOTES.search(each.text) is not None
        marks = each.text.count("“") - each.text.count("”")
        is_open = (is_open or marks > 0) and marks >= 0
        is_open ^= each.text.count('"') % 2 == 1


def _called(read: ReadText, first_page: int) -> Iterable[str]:
    """Return the stems of the title of the chapter that begins on a page."""
    return [
        stem for each in read.chapters if each.first_page == first_page for stem in content_stems(chapter_title(each))
    ]


def _weights(read: ReadText, sentences: Sequence[ReadSentence], *, called: Iterable[str]) -> dict[str, float]:
    """Return weights of the words that are repeated on some pages: higher if frequent there and rare elsewhere.

    Words of the chapter's title weigh more.
    """
    counts = Counter(stem for each in sentences for stem in set(each.stems))
    again = [(stem, count) for stem, count in counts.most_common(_WEIGHED) if count > 1]
    weights = {stem: math.log(count) * _rarity(read, stem) for stem, count in again}
    return weights | {stem: weights[stem] + _OF_TITLE for stem in called if stem in weights}


def _rarity(read: ReadText, stem: str) -> float:
    """Return how rare a word is on an evenly chosen sample of the read pages."""
    known = _rare.setdefault(read, {})
    if stem not in known:
        pages = read.folded[:: -(-len(read.folded) // _PAGES_LOOKED_AT)]
        letters = folded_bytes(stem.removesuffix("i"))
        known[stem] = math.log1p(len(pages) / (1 + sum(map(contains, pages, repeat(letters)))))
    return known[stem]


def _equal_parts(told: Sequence[_ScoredSentence], count: int) -> list[Sequence[_ScoredSentence]]:
    bounds = [round(part * len(told) / count) for part in range(count + 1)]
    return [told[begin:end] for begin, end in pairwise(bounds)]


def _worth(stretch: Sequence[_ScoredSentence], weights: Mapping[str, float]) -> float:
    stems = {stem for each in stretch for stem in each.sentence.stems}
    matter = math.fsum(weights.get(stem, 0.0) for stem in stems) / math.sqrt(max(len(stems), _FEW_STEMS))
    return matter + sum(each.happens for each in stretch) / math.sqrt(len(stretch))


class ActionScore:
    """Scores how much happens in a text, by people who act in it. A first-person narrator counts as a person."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [name.split()[-1] for name in names]
        actor = "|".join([*map(re.escape, self._names), _PERSONAL])
        self._acting = re.compile(rf"\b(?:{actor})(?: \w+ly)?,? (?P<verb>[a-z]+)\b")

    def of(self, text: str) -> float:
        """Return the score of a text: higher where more happens."""
        named = sum(name in text for name in self._names)
        actions = sum(_is_action(match["verb"]) for match in self._acting.finditer(text))
        verbs = sum(map(_is_past, _WORD.findall(text)))
        return (
            _OF_NAME * min(named, _MOST_NAMES)
            + _OF_ACTION * min(actions, _MOST_ACTIONS)
            + _OF_VERB * min(verbs, _MOST_VERBS)
            - _OF_STATE * len(_STATE.findall(text))
            - _OF_DOUBT * len(_NOT_SO.findall(text))
            - _OF_NOBODY * (not named and _SOMEBODY.search(text) is None)
            - _OF_OUTCRY * text.rstrip("”’\"'").endswith(("?", "!"))
        )


def _is_past(word: str) -> bool:
    is_regular = word.endswith("ed") and len(word) >= _SHORTEST_PAST and word not in _NO_PAST
    return word in _IRREGULAR or is_regular


def _is_action(word: str) -> bool:
    """Whether the word after a name is a verb of action, in the past or the present tense."""
    return _is_past(word) or (word.endswith("s") and word not in _NO_ACTION)
