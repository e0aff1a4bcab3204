"""Names as the read pages have them: where they stand, who comes up where, and how somebody was introduced."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from core.domain.book import Page
from core.finders.read_text import ReadSentence, ReadText
from core.text.words import FUNCTION_WORDS, words

_NEAR: Final = 0.8
_SHORTEST_NAME: Final = 3
_MOST_OF_NAME: Final = 2
_LONG_ENOUGH: Final = 4
_FEW_WORDS: Final = 14
_LONGEST: Final = 70
_LOOKED_AT: Final = 40
_LATER: Final = 0.12
_PLAINLY: Final = 1.0
_LEAST_OFTEN: Final = 2
_ANY_APOSTROPHE: Final = "['’ʼ]"
_APOSTROPHES: Final = re.compile(_ANY_APOSTROPHE)
_TITLE = (
    r"(?:Mr|Mrs|Ms|Miss|Dr|Doctor|Captain|Capt|Sir|Lady|Lord|Squire|Uncle|Aunt|Professor|Inspector|Constable|Mistress"
    r"|Colonel|Mayor|Alderman)"
)
_TITLES = re.compile(rf"^{_TITLE}\b\.?\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|that|this|old|young|our|his|her)\s+", re.IGNORECASE)
_INSIDE = re.compile(rf"(?<=[a-z,;:] )(?:{_TITLE}\.? )?[A-Z][a-z’'-]{{2,}}(?: [A-Z][a-z’'-]{{2,}}){{0,2}}")
_AFTER_PLACE = re.compile(r"\b(?:in|at|from|to|near|into|towards|for|of|on|through)$")
_DOES = re.compile(
    r"^['’]?\s*,?\s*(?:said|asked|cried|answered|replied|was|had|is|has|looked|went|came|took|turned|stood|sat|thought|knew"
    r"|gave|made|would|could|did|\w+ed)\b"
)
_NO_NAMES: Final = frozenset(
    words(
        "god lord heaven sunday monday tuesday wednesday thursday friday saturday january february march april may "
        "june july august september october november december christmas easter english french german american yes "
        "sir madam chapter part"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Where a name stands on the read pages: how it is written there, and how often on which page."""

    name: str
    pattern: re.Pattern[str]
    on_pages: Sequence[tuple[int, int]]

    @property
    def total(self) -> int:
        """How often it stands there in all."""
        return sum(count for _, count in self.on_pages)

    @property
    def pages(self) -> list[int]:
        """The pages, in order."""
        return [page for page, _ in self.on_pages]


def find_mentions(read: ReadText, name: str) -> Mentions | None:
    """Return where a name or word stands, however it is cased or its lines are broken; None where it stands nowhere."""
    parts = name.split()
    if not parts:
        return None
    anywhere = _APOSTROPHES.sub(_ANY_APOSTROPHE, r"\s+(?:[A-Z]\.\s+)?".join(_part(each) for each in parts))
    pattern = re.compile(rf"(?<!\w){anywhere}(?!\w)", re.IGNORECASE)
    counts = [(page, len(pattern.findall(page.text))) for page in read.pages]
    found = [(page, count) for page, count in counts if count]
    if not found:
        return None
    return Mentions(
        name=_as_written(found[0][0], pattern),
        pattern=pattern,
        on_pages=[(page.number, count) for page, count in found],
    )


def find_somebody(read: ReadText, subject: str) -> Mentions | None:
    """Return where somebody stands whom a member named in their own way: without the title, misspelt, by a surname.

    A description ("the old captain") is taken by its last word only where that stands there often, as a name does.
    """
    plain = " ".join(subject.split())
    without = _TITLES.sub("", plain)
    bare = _without_articles(without)
    length = len(bare.split())
    as_given = _as_given(read, dict.fromkeys([plain, without, bare]), only_named=length <= 1)
    if as_given is not None:
        return as_given
    if not bare or length > _MOST_OF_NAME:
        return None
    is_name = plain == bare or plain[:1].isupper()
    return _misspelt(read, bare) if is_name else _described(read, bare)


def sentence_with(read: ReadText, page: int, mentions: Mentions, *, last: bool = False) -> ReadSentence | None:
    """Return the first sentence of a page that names somebody, or the last one."""
    fits = [each for each in read.sentences(page, page) if mentions.pattern.search(each.text) and not each.is_heading]
    fits = [each for each in fits if each.words <= _LONGEST] or fits
    return fits[-1 if last else 0] if fits else None


def introduction(read: ReadText, mentions: Mentions) -> list[ReadSentence]:
    """Return the sentence that tells who somebody is, with the next where it is short.

    By apposition or description rather than by mere mention, and early rather than late.
    """
    return next(iter(introductions(read, mentions, most=1)), [])


def introductions(read: ReadText, mentions: Mentions, *, most: int) -> list[list[ReadSentence]]:
    """Return the best introductions, in the order of the book; after the best only what tells plainly who it is."""
    ranked = sorted(_introductions(read, mentions), key=lambda each: -each[0])
    chosen = [sentences for at, (score, sentences) in enumerate(ranked[:most]) if at == 0 or score >= _PLAINLY]
    return sorted(chosen, key=lambda sentences: sentences[0].page)


def people(read: ReadText, first_page: int, last_page: int, *, most: int) -> list[str]:
    """Return who comes up most on some read pages: names that do something, told from places by what stands around."""
    counts: Counter[str] = Counter()
    does: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for page in read.pages[max(first_page, 1) - 1 : last_page]:
        text = " ".join(page.text.split())
        for name, begin, end in _names_in(text):
            counts[name] += 1
            places[name] += _AFTER_PLACE.search(text[:begin].rstrip()) is not None
            does[name] += _DOES.match(text[end : end + 20]) is not None or bool(_TITLES.match(name))
    named = [name for name in counts if does[name] and places[name] * 2 <= counts[name] + does[name]]
    named.sort(key=lambda name: -counts[name])
    return _of_different_people(named)[:most]


def _names_in(text: str) -> Iterator[tuple[str, int, int]]:
    """Give what is written like a name within the sentences of a text, and where it begins and ends."""
    for match in _INSIDE.finditer(text):
        name = re.sub(r"['’]s$", "", match[0])
        is_word = name.casefold() in _NO_NAMES or name.casefold() in FUNCTION_WORDS
        if not is_word and "’" not in name and "'" not in name:
            yield name, match.start(), match.end()


def _of_different_people(names: Iterable[str]) -> list[str]:
    """Return names without those that share a part, other than a title, with an earlier one."""
    chosen: list[str] = []
    for name in names:
        if not any(set(name.split()) & set(each.split()) - {"Mr.", "Mrs.", "Miss", "Dr."} for each in chosen):
            chosen.append(name)
    return chosen


def _introductions(read: ReadText, mentions: Mentions) -> Iterator[tuple[float, list[ReadSentence]]]:
    """Give each sentence that may introduce somebody, with the next where it is short, and its score."""
    for order, page in enumerate(mentions.pages[:_LOOKED_AT]):
        sentences = [each for each in read.sentences(page, page) if not each.is_heading]
        for sentence, following in zip(sentences, [*sentences[1:], None], strict=False):
            if sentence.words <= _LONGEST and mentions.pattern.search(sentence.text):
                score = _tells_who(sentence.text, mentions) - _LATER * order
                yield score, _with_next(sentence, following)


def _with_next(sentence: ReadSentence, following: ReadSentence | None) -> list[ReadSentence]:
    """Return a sentence, with the next where it is short and both together are not too long."""
    if following is None or sentence.words >= _FEW_WORDS or following.words > _LONGEST - sentence.words:
        return [sentence]
    return [sentence, following]


def _without_articles(name: str) -> str:
    while _ARTICLE.match(name):
        name = _ARTICLE.sub("", name)
    return name


def _as_given(read: ReadText, names: Iterable[str], *, only_named: bool) -> Mentions | None:
    """Return where the first of some names stands that stands anywhere; `only_named`: written as a name there."""
    for name in names:
        mentions = find_mentions(read, name)
        if mentions is not None and (not only_named or _is_named(read, mentions)):
            return mentions
    return None


def _described(read: ReadText, description: str) -> Mentions | None:
    """Return where the last word of a description stands after "the", if it stands there often."""
    mentions = find_mentions(read, f"the {_last_word(description)}")
    return mentions if mentions is not None and mentions.total >= _LONG_ENOUGH else None


def _last_word(name: str) -> str:
    return name.rsplit(maxsplit=1)[-1]


def _part(word: str) -> str:
    """Return the pattern of a word; a title may stand with or without its point."""
    return rf"{re.escape(word.rstrip('.'))}\.?" if _TITLES.match(f"{word} ") else re.escape(word)


def _as_written(page: Page, pattern: re.Pattern[str]) -> str:
    found = pattern.search(page.text)
    return " ".join(found[0].split()) if found else ""


def _is_named(read: ReadText, mentions: Mentions) -> bool:
    """Whether what was found is written as a name: with a capital more often than not."""
    forms: list[str] = [
        form for page in mentions.pages[:_LOOKED_AT] for form in mentions.pattern.findall(read.by_number[page].text)
    ]
    return sum(_last_word(form)[:1].isupper() for form in forms) * 2 > len(forms)


def _misspelt(read: ReadText, name: str) -> Mentions | None:
    """Return the name of the read pages that a misspelt one is near to; that of the most mentions, among several."""
    last = _last_word(name)
    if len(last) < _SHORTEST_NAME:
        return None
    names: Counter[str] = Counter()
    for page in read.pages:
        names.update(word for form in _INSIDE.findall(" ".join(page.text.split())) for word in form.split())
    known = {each.casefold(): each for each, count in names.items() if count >= _LEAST_OFTEN}
    near = get_close_matches(last.casefold(), list(known), n=1, cutoff=_NEAR)
    return find_mentions(read, known[near[0]]) if near else None


def _tells_who(sentence: str, mentions: Mentions) -> float:
    """Score how far a sentence tells who somebody is, rather than what they do."""
    name = mentions.pattern.pattern
    score = max(
        (worth for rule, worth in _TELLS if re.search(rule.replace("NAME", name), sentence, re.IGNORECASE)), default=0.0
    )
    if re.search(rf", (?:{_TITLE}\.? )?{name}, ", sentence, re.IGNORECASE):
        score = min(score, _IN_A_LIST)
    in_full = re.search(rf"\b[A-Z][a-z]+ (?i:{name})", sentence) is not None
    return score + _IN_FULL * in_full - _OF_SPEECH * sentence.startswith(("“", '"', "‘"))


_IN_A_LIST: Final = 0.4
_IN_FULL: Final = 0.25
_OF_SPEECH: Final = 0.3
_KIN = (
    "husband|wife|son|daughter|brother|sister|father|mother|uncle|aunt|cousin|friend|nephew|niece|master|servant|captain"
    "|doctor|maid|clerk|widow|gentleman|lady|man|woman|boy|girl|child"
)
_LOOKS = "old|young|tall|thin|stout|years|face|eyes|hair"
_TELLS: Final = (
    (
        (
            r"NAME,? (?:who )?(?:was|is|were|are|had been) (?:a|an|the|one of|\w+ of|my|his|her|our)\b"
            r"(?! (?:little|bit|moment|good deal|great deal)\b)"
        ),
        1.5,
    ),
    (r"NAME, (?:a|an|the|my|his|her|our|their|who|whose|of)\b", 1.3),
    (
        r"\b(?:named|called|name (?:is|was|of)|known as|I am|I['’]m|this is|that is|it was)\W+(?:\w+\.? ){0,2}NAME",
        1.3,
    ),
    (rf"\b(?:{_KIN})\b,? (?:of |named |called )?(?:\w+\.? ){{0,2}}NAME", 1.1),
    (rf"NAME.{{0,60}}\b(?:{_KIN}|{_LOOKS})\b", 0.6),
    (r"NAME had been\b", 1.0),
    (r"NAME (?:was|had)\b", 0.5),
)
"""What tells who somebody is, as patterns around the name, and how much that is worth."""
