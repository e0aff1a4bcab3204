"""Finds the read sentences that introduce a person: who they are, not what they do.

The rules and their scores were chosen by checking their results for the people of six novels.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.answering.extracts.names import TITLE, title_of, without_title
from core.answering.extracts.passages import shortened
from core.answering.extracts.people import Mentions, find_name
from core.answering.extracts.places import taken_apart
from core.answering.extracts.read_text import ReadSentence, ReadText
from core.domain.folding import CAPITAL, SMALL

_FEW_WORDS: Final = 14
_LONGEST: Final = 70
_LOOKED_AT: Final = 40
_LATER: Final = 0.12
_LATEST: Final = 0.8
_PLAINLY: Final = 1.0
_BARELY: Final = 0.5
_AT_AN_END: Final = 12


def introduction(read: ReadText, mentions: Mentions) -> list[ReadSentence]:
    """Return the sentence that best introduces a person, with the next one if it is short or continues.

    Appositions and descriptions score higher than mere mentions, and early sentences higher than late ones.
    """
    introduced, _is_told = introductions(read, mentions, most=1)
    return introduced[0] if introduced else []


def introductions(read: ReadText, mentions: Mentions, *, most: int) -> tuple[list[list[ReadSentence]], bool]:
    """Return up to `most` introductions in the order of the book, and whether the best says who the person is.

    After the best one, only clear introductions are returned.
    """
    every = [*_introductions(read, mentions), *_without_title(read, mentions)]
    ranked = sorted(every, key=lambda each: -each[0])
    chosen = [sentences for at, (score, sentences) in enumerate(ranked[:most]) if at == 0 or score >= _PLAINLY]
    is_told = bool(ranked) and ranked[0][0] > _BARELY
    return sorted(chosen, key=lambda sentences: sentences[0].page), is_told


def _without_title(read: ReadText, mentions: Mentions) -> Iterator[tuple[float, list[ReadSentence]]]:
    """Yield clear introductions of a man without his title: "Bunting the vicar" for Mr. Bunting."""
    if title_of(mentions.name) not in _TITLES_OF_MEN:
        return
    bare = find_name(read, without_title(mentions.name))
    if bare is None:
        return
    for score, sentences in _introductions(read, bare):
        text = sentences[0].text
        is_titled = any(_TITLE_BEFORE.search(text[: match.start()]) for match in bare.pattern.finditer(text))
        if score >= _PLAINLY and not is_titled:
            yield score, sentences


def _introductions(read: ReadText, mentions: Mentions) -> Iterator[tuple[float, list[ReadSentence]]]:
    """Yield a score and a sentence for each sentence that may introduce a person, with the next if it continues."""
    named = list(_naming(read, mentions))
    usual = _usual_first_name([sentence.text for _, sentence, _ in named], mentions)
    for at, (order, sentence, following) in enumerate(named):
        score = tells_who(sentence.text, mentions)
        if sentence.words > _LONGEST:
            if score >= _PLAINLY:
                yield score - min(_LATER * order, _LATEST), [shortened(sentence, mentions.pattern, most_words=_LONGEST)]
            continue
        score += _FIRST * (at == 0)
        score -= _SOMEBODY_ELSE * bool(_first_names(sentence.text, mentions) - {usual})
        goes_on = _goes_on(sentence, following, mentions) if score >= 0 else 0.0
        later = min(_LATER * order, _LATEST)
        yield score + goes_on - later, _with_next(sentence, following, goes_on=goes_on > 0)


def _naming(read: ReadText, mentions: Mentions) -> Iterator[tuple[int, ReadSentence, ReadSentence | None]]:
    """Yield the sentences that name a person: the number of earlier pages that do, the sentence, and the next one."""
    given: ReadSentence | None = None  # a sentence over a page break is found on both pages
    for order, page in enumerate(mentions.pages[:_LOOKED_AT]):
        sentences = _prose_of(read, page)
        for sentence, following in zip(sentences, [*sentences[1:], None], strict=False):
            if sentence != given and mentions.pattern.search(sentence.text):
                yield order, sentence, following
                given = sentence


def _prose_of(read: ReadText, page: int) -> list[ReadSentence]:
    return [part for each in read.sentences_on(page) if not each.is_heading for part in _parts(each)]


def _parts(sentence: ReadSentence) -> list[ReadSentence]:
    """Return a sentence, or the parts of a long speech, each with an opening quotation mark."""
    parts = taken_apart([sentence])
    if len(parts) == 1:
        return parts
    return [part if part.text.startswith(_SPOKEN) else replace(part, text=_FROM_WITHIN + part.text) for part in parts]


def _with_next(sentence: ReadSentence, following: ReadSentence | None, *, goes_on: bool = False) -> list[ReadSentence]:
    """Return a sentence, with the next one if that continues or this is short, and both are not too long."""
    if following is None or following.words > _LONGEST - sentence.words:
        return [sentence]
    both = [sentence, replace(following, text=following.text.removeprefix(_FROM_WITHIN))]
    return both if goes_on or sentence.words < _FEW_WORDS else [sentence]


def _goes_on(sentence: ReadSentence, following: ReadSentence | None, mentions: Mentions) -> float:
    """Return the score for a next sentence that says more about the person this one begins or ends with."""
    if following is None or not _TELLS_MORE.match(following.text):
        return 0.0
    ends = [(match.start(), len(sentence.text) - match.end()) for match in mentions.pattern.finditer(sentence.text)]
    return _GOING_ON if any(min(each) <= _AT_AN_END for each in ends) else 0.0


def _usual_first_name(sentences: Sequence[str], mentions: Mentions) -> str:
    """Return the most frequent first name before a surname; empty where there is none."""
    counts = Counter(name for text in sentences for name in _first_names(text, mentions))
    return counts.most_common(1)[0][0] if counts else ""


def _first_names(sentence: str, mentions: Mentions) -> set[str]:
    """Return the words before a name in a sentence that look like first names."""
    found = (_FIRST_NAME.search(sentence[: match.start()]) for match in mentions.pattern.finditer(sentence))
    return {each[1] for each in found if each is not None}


def tells_who(sentence: str, mentions: Mentions) -> float:
    """Score how far a sentence says who a person is, and not what they do."""
    with_name = mentions.pattern.sub(_NAME, sentence)
    score = max((worth for rule, worth in _RULES if rule.search(with_name)), default=0.0)
    if _LISTED.search(with_name):
        score = min(score, _IN_A_LIST)
    in_full = _NAMED_IN_FULL.search(with_name) is not None
    is_asked = sentence.rstrip("”’\"'").endswith("?")
    return score + _IN_FULL * in_full - _OF_SPEECH * sentence.startswith(_SPOKEN) - _ASKED * is_asked


_IN_A_LIST: Final = 0.4
_IN_FULL: Final = 0.25
_FROM_WITHIN: Final = "“… "
_SPOKEN: Final = ("“", '"', "‘")
_OF_SPEECH: Final = 0.25
_ASKED: Final = 0.5
_FIRST: Final = 0.45
_TITLES_OF_MEN: Final = frozenset({"mr", "dr", "capt", "sir", "lord", "professor", "colonel"})
_TITLE_BEFORE: Final = re.compile(rf"\b{TITLE}\.?\s+(?:[{CAPITAL}][{SMALL}]+\s+)?$")
_SOMEBODY_ELSE: Final = 1.0
_FIRST_NAME: Final = re.compile(rf"[{SMALL},;:“] ([{CAPITAL}][{SMALL}]{{2,}}) $")
_GOING_ON: Final = 0.7
_KIN = (
    "husband|wife|son|daughter|brother|sister|father|mother|uncle|aunt|cousin|friend|nephew|niece|master|servant|captain"
    "|doctor|maid|housemaid|housekeeper|gardener|clerk|widow|gentleman|lady|man|woman|boy|girl|lad|child|baby|orphan"
    "|fellow|constable|detective|inspector|magistrate|professor|schoolmaster|vicar|landlord|landlady|innkeeper|builder"
    "|grocer|carpenter|sailor|seaman|boatswain|cook|squire|pirate|gamekeeper|carrier|driver|lawyer|judge|baker|smith"
    "|mate|comrade|shipmate|partner|neighbou?r|lodger|guest|pupil|patient|ward|heir|leader|chief|officer|soldier|farmer"
    "|shepherd|groom|coachman|butler|nurse|governess|priest|parson|curate|merchant|banker|student|teacher|sergeant"
)
_LOOKS = "old|young|tall|thin|stout|fat|years|face|eyes|hair|beard|complexion"
_ARTICLE = "a|an|the|one of|my|his|her|our|their"
_NO_PLACE = r"(?! (?:little|bit|moment|good deal|great deal|first|second|third|fourth|fifth|last|next|same|only one)\b)"
_TELLS_MORE = re.compile(
    rf"^(?:He|She) (?:was|is|had been) (?:(?:{_ARTICLE})\b(?! (?:little|bit|moment|good deal|great deal)\b)|now \w+teen"
    rf"|(?:\w+ )?(?:{_LOOKS})\b)|^(?:He|She) had (?:an? |the )(?:\w+,? )+(?:{_LOOKS})\b"
    r"|^(?:He|She) (?:taught|kept|owned) "
)
_BETWEEN = r"(?:(?!and\b|or\b|to\b|said\b|but\b|with\b|like\b|than\b|as\b|of\b)\w+\.? ){0,2}"
_GIVES_NAME = "call me|named|called|name (?:is|was)|(?:by|bearing) the name of|known as"
_SURNAME = rf"(?: (?-i:[{CAPITAL}])[{SMALL}]+)?"
_NOT_SAID_OF = "(?:now|in|at|on|there|here|still|not|so|sent|gone|already|up|out|back|to)"
_SUBJECT = r"(?<!\bof )(?<!\band )(?<!\bwith )(?<!\bto )"
"""What may not come before a name that is the subject: "the father of Safie was" says nothing about Safie."""
_TELLS: Final = (
    (rf"{_SUBJECT}NAME,? (?:who )?(?:was|is) (?:an?|the) (?:[\w-]+,? ){{0,3}}(?:{_KIN}|native|owner)\b", 1.9),
    (rf"{_SUBJECT}NAME,? (?:who |which )?(?:was|is|were|are|had been|became) (?:{_ARTICLE})\b{_NO_PLACE}", 1.5),
    (rf"NAME{_SURNAME}, (?:an?|the|one of)\b(?! (?:other|first|last|next)\b)", 1.3),
    (r"NAME,? (?:he|she) (?:is|was) called\b", 1.3),
    (rf"NAME['’]s (?:an?|the|our|my) (?:\w+[ -]){{0,2}}(?:{_KIN})\b", 1.2),
    (rf"NAME{_SURNAME}, who (?:was|is|had)\b", 0.8),
    (rf"\b(?:{_GIVES_NAME}|I am|I['’]m|this is|that is|introduce\w*)\W+{_BETWEEN}NAME", 1.3),
    (rf"\b(?:{_KIN})\b,? (?:named |called )?{_BETWEEN}NAME", 1.1),
    (rf"NAME{_SURNAME},? (?:the|our|my|his|her) (?:\w+[ -]){{0,2}}(?:{_KIN})\b", 1.2),
    (rf"NAME,? (?:\w+ ){{0,6}}(?:{_KIN}|{_LOOKS})\b", 0.6),
    (rf"NAME,? as (?:an?|the)\b{_NO_PLACE}", 0.9),
    (r"NAME.*\bintroduc", 0.8),
    (r"\b(?:for the first time|first (?:saw|met)|recogni[sz]ed|made? the acquaintance)\b.*NAME", 0.7),
    (r"NAME\b.*\bfor the first time\b", 0.9),
    (r"\b(?:little|young|old|poor|dear|good) NAME", 0.3),
    (r"NAME had come (?:to|with|from)\b", 0.3),
    (rf"{_SUBJECT}NAME had been (?:an?|the|for|(?-i:[{CAPITAL}]\w+))\b", 1.0),
    (r"\b(?:famous|celebrated|renowned|well-known|notorious) NAME", 0.7),
    (rf"{_SUBJECT}NAME (?:was|is) (?!{_NOT_SAID_OF}\b|\w+ing\b)", 0.4),
)
"""Patterns around a name that say who the person is, with their scores."""
_NAME: Final = "ꙮ"
"""Replaces the name in a sentence, so that the patterns fit every name. No book contains this letter."""
_RULES: Final = [(re.compile(rule.replace("NAME", _NAME), re.IGNORECASE), worth) for rule, worth in _TELLS]
_LISTED: Final = re.compile(rf", (?:{TITLE}\.? )?{_NAME}, (?!who|whose|of\b|an? |the |my |his |her )", re.IGNORECASE)
_WRITTEN: Final = f"[{CAPITAL}][{SMALL}]+"
_NO_FIRST_NAME: Final = r"(?!(?:Then|And|But|When|So|If|As|While|After|At|In|On|For|Now|Yet|What|That|The|Or|Here)\b)"
_NAMED_IN_FULL: Final = re.compile(rf"\b{_NO_FIRST_NAME}{_WRITTEN} {_NAME}|{_NAME} {_WRITTEN}")
