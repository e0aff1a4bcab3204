"""How somebody was introduced: the read sentences that tell who it is, rather than what they do.

The rules and their worth were chosen by reading what they give for people of six novels.
"""

import re
from collections.abc import Iterator
from typing import Final

from core.finders.names import TITLE
from core.finders.people import Mentions
from core.finders.read_text import ReadSentence, ReadText

_FEW_WORDS: Final = 14
_LONGEST: Final = 70
_LOOKED_AT: Final = 40
_LATER: Final = 0.12
_LATEST: Final = 0.9
_PLAINLY: Final = 1.0
_AT_AN_END: Final = 12


def introduction(read: ReadText, mentions: Mentions) -> list[ReadSentence]:
    """Return the sentence that tells who somebody is, with the next where it is short or goes on about them.

    By apposition or description rather than by mere mention, and early rather than late.
    """
    return next(iter(introductions(read, mentions, most=1)), [])


def introductions(read: ReadText, mentions: Mentions, *, most: int) -> list[list[ReadSentence]]:
    """Return the best introductions, in the order of the book; after the best only what tells plainly who it is."""
    ranked = sorted(_introductions(read, mentions), key=lambda each: -each[0])
    chosen = [sentences for at, (score, sentences) in enumerate(ranked[:most]) if at == 0 or score >= _PLAINLY]
    return sorted(chosen, key=lambda sentences: sentences[0].page)


def _introductions(read: ReadText, mentions: Mentions) -> Iterator[tuple[float, list[ReadSentence]]]:
    """Give each sentence that may introduce somebody, with the next where that goes on about them, and its score."""
    for at, (order, sentence, following) in enumerate(_naming(read, mentions)):
        if sentence.words > _LONGEST:
            continue
        score = _tells_who(sentence.text, mentions) + _FIRST * (at == 0)
        goes_on = _goes_on(sentence, following, mentions) if score > 0 else 0.0
        later = min(_LATER * order, _LATEST)
        yield score + goes_on - later, _with_next(sentence, following, goes_on=goes_on > 0)


def _naming(read: ReadText, mentions: Mentions) -> Iterator[tuple[int, ReadSentence, ReadSentence | None]]:
    """Give the sentences that name somebody, with how many pages have done so before, and the next one there."""
    for order, page in enumerate(mentions.pages[:_LOOKED_AT]):
        sentences = [each for each in read.sentences(page, page) if not each.is_heading]
        for sentence, following in zip(sentences, [*sentences[1:], None], strict=False):
            if mentions.pattern.search(sentence.text):
                yield order, sentence, following


def _with_next(sentence: ReadSentence, following: ReadSentence | None, *, goes_on: bool = False) -> list[ReadSentence]:
    """Return a sentence, with the next where it goes on or this is short, and both together are not too long."""
    if following is None or following.words > _LONGEST - sentence.words:
        return [sentence]
    return [sentence, following] if goes_on or sentence.words < _FEW_WORDS else [sentence]


def _goes_on(sentence: ReadSentence, following: ReadSentence | None, mentions: Mentions) -> float:
    """Return what it is worth that the next sentence tells more of whom this one begins or ends with."""
    if following is None or not _TELLS_MORE.match(following.text):
        return 0.0
    ends = [(match.start(), len(sentence.text) - match.end()) for match in mentions.pattern.finditer(sentence.text)]
    return _GOING_ON if any(min(each) <= _AT_AN_END for each in ends) else 0.0


def _tells_who(sentence: str, mentions: Mentions) -> float:
    """Score how far a sentence tells who somebody is, rather than what they do."""
    with_name = mentions.pattern.sub(_NAME, sentence)
    score = max((worth for rule, worth in _RULES if rule.search(with_name)), default=0.0)
    if _LISTED.search(with_name):
        score = min(score, _IN_A_LIST)
    in_full = _NAMED_IN_FULL.search(with_name) is not None
    is_asked = sentence.rstrip("”’\"'").endswith("?")
    return score + _IN_FULL * in_full - _OF_SPEECH * sentence.startswith(("“", '"', "‘")) - _ASKED * is_asked


_IN_A_LIST: Final = 0.4
_IN_FULL: Final = 0.25
_OF_SPEECH: Final = 0.25
_ASKED: Final = 0.5
_FIRST: Final = 0.45
_GOING_ON: Final = 0.5
_KIN = (
    "husband|wife|son|daughter|brother|sister|father|mother|uncle|aunt|cousin|friend|nephew|niece|master|servant|captain"
    "|doctor|maid|housemaid|housekeeper|gardener|clerk|widow|gentleman|lady|man|woman|boy|girl|lad|child|baby|orphan"
    "|fellow|constable|detective|inspector|magistrate|professor|schoolmaster|vicar|landlord|landlady|innkeeper|builder"
    "|grocer|carpenter|sailor|seaman|boatswain|cook|squire|pirate|gamekeeper|carrier|driver|lawyer|judge|baker|smith"
)
_LOOKS = "old|young|tall|thin|stout|fat|years|face|eyes|hair|beard|complexion"
_ARTICLE = "a|an|the|one of|my|his|her|our|their"
_NO_PLACE = r"(?! (?:little|bit|moment|good deal|great deal|first|last|next|same|only one)\b)"
_TELLS_MORE = re.compile(
    rf"^(?:He|She) (?:was|is|had been) (?:(?:{_ARTICLE})\b(?! (?:little|bit|moment|good deal|great deal)\b)|now \w+teen"
    rf"|(?:\w+ )?(?:{_LOOKS})\b)|^(?:He|She) had (?:an? |the )(?:\w+,? )+(?:{_LOOKS})\b"
)
_BETWEEN = r"(?:(?!and\b|or\b|to\b|said\b|but\b|with\b)\w+\.? ){0,2}"
_SURNAME = r"(?: (?-i:[A-Z])[a-z]+)?"
_NOT_SAID_OF = "(?:now|in|at|on|there|here|still|not|so|sent|gone|already|up|out|back|to)"
_TELLS: Final = (
    (rf"NAME,? (?:who |which )?(?:was|is|were|are|had been|became) (?:{_ARTICLE})\b{_NO_PLACE}", 1.5),
    (rf"NAME{_SURNAME}, (?:an?|the|one of)\b(?! (?:other|first|last|next)\b)", 1.3),
    (rf"NAME{_SURNAME}, who (?:was|is|had)\b", 0.8),
    (rf"\b(?:named|called|name (?:is|was|of)|known as|I am|I['’]m|this is|that is|introduce\w*)\W+{_BETWEEN}NAME", 1.3),
    (rf"\b(?:{_KIN})\b,? (?:of |named |called )?{_BETWEEN}NAME", 1.1),
    (rf"NAME{_SURNAME},? (?:the|our|my|his|her) (?:\w+[ -]){{0,2}}(?:{_KIN})\b", 1.2),
    (rf"NAME,? (?:\w+ ){{0,6}}(?:{_KIN}|{_LOOKS})\b", 0.6),
    (r"NAME.*\bintroduc", 0.8),
    (r"\b(?:for the first time|first (?:saw|met)|recogni[sz]ed|made? the acquaintance)\b.*NAME", 0.7),
    (r"NAME\b.*\bfor the first time\b", 0.9),
    (r"\b(?:little|young|old|poor|dear|good) NAME", 0.3),
    (r"NAME had been (?:an?|the|for|(?-i:[A-Z]\w+))\b", 1.0),
    (rf"NAME (?:was|is) (?!{_NOT_SAID_OF}\b|\w+ing\b)", 0.4),
)
"""What tells who somebody is, as patterns around the name, and how much that is worth."""
_NAME: Final = "ꙮ"
"""Stands for the name in a sentence, so that the patterns are the same for everybody: a letter that no book has."""
_RULES: Final = [(re.compile(rule.replace("NAME", _NAME), re.IGNORECASE), worth) for rule, worth in _TELLS]
_LISTED: Final = re.compile(rf", (?:{TITLE}\.? )?{_NAME}, (?!who|whose|of\b|an? |the |my |his |her )", re.IGNORECASE)
_NAMED_IN_FULL: Final = re.compile(rf"\b[A-Z][a-z]+ {_NAME}|{_NAME} [A-Z][a-z]+")
