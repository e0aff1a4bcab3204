"""Finds names on the read pages: where they occur, how often, and which one a member means."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain, takewhile, zip_longest
from typing import Final

from core.answering.extracts.names import TITLE, names_seen, title_of, ways_to_write, without_title, words_of_names
from core.answering.extracts.read_text import ReadSentence, ReadText, folded_bytes
from core.domain.book import Page
from core.domain.folding import CAPITAL, SMALL, as_printed, folded, unaccented
from core.domain.numbers import read_number
from core.language.words import FUNCTION_WORDS, content_words, words

_NEAR: Final = 0.8
_SHORTEST_NAME: Final = 3
_SHORTEST_NEAR: Final = 5
"""Shorter words are similar to too many others."""
MOST_OF_NAME: Final = 2
_LONG_ENOUGH: Final = 4
_LOOKED_AT: Final = 40
_LONGEST: Final = 70
_LEAST_OFTEN: Final = 2
_LONG_WORD: Final = 6
_BEFORE_ANOTHER: Final = 0.55
_HARDLY_ACTS: Final = 10
_MOSTLY: Final = 0.8
_INITIALS: Final = rf"[\s-]+(?:[{CAPITAL}]\.\s+)?"
_FIRST_NAMES: Final = rf"\s+(?:(?-i:[{CAPITAL}])(?:[{SMALL}]+|\.)\s+)?"
"""What may be between the words of a name: an initial, or after a title a first name."""
_WITH_CAPITAL: Final = rf"(?-i:(?=(?:[{SMALL}]['’])?[{CAPITAL}]))"
"""A lookahead for a word with a capital at its start or after a prefix: Ægir, d'Artagnan."""
_TITLE_BEFORE = re.compile(rf"\b{TITLE}\.?\s+$")
ARTICLE: Final = re.compile(r"^(?:the|a|an|that|this|old|young|our|his|her)\s+", re.IGNORECASE)
_LETTERS = re.compile(r"\w+")
SMALL_IN_NAMES: Final = frozenset({"a", "of", "the", "de", "la", "le", "du", "van", "von", "der", "and"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Where a name occurs on the read pages.

    Attributes:
        name: the name as the book writes it.
        pattern: matches the name.
        on_pages: page numbers, in order, and how often the name occurs on each.
    """

    name: str
    pattern: re.Pattern[str]
    on_pages: Sequence[tuple[int, int]]

    @property
    def total(self) -> int:
        """How often it occurs in all."""
        return sum(count for _, count in self.on_pages)

    @property
    def pages(self) -> list[int]:
        """The page numbers, in order."""
        return [page for page, _ in self.on_pages]


def find_mentions(read: ReadText, name: str) -> Mentions | None:
    """Return where a name or word occurs, regardless of case and line breaks; None where it does not."""
    return _mentions(read, name, [_part(each) for each in name.split()])


def find_joined(read: ReadText, word: str) -> Mentions | None:
    """Return where the book writes a member's word with a hyphen ("quarter-staff"); None where it does not."""
    if len(word) < _LONG_WORD or not word.isalpha():
        return None
    pattern = re.compile(rf"(?<!\w){'-?'.join(map(as_printed, unaccented(word)))}(?!\w)", re.IGNORECASE)
    letters = folded_bytes(word[:_SHORTEST_NAME])
    held = (page for page, text in zip(read.pages, read.folded, strict=True) if letters in text)
    return _counted(pattern, held)


def find_as_written(read: ReadText, name: str) -> Mentions | None:
    """Return where a name occurs in exactly this spelling, "the" or "The" alike; None where it does not."""
    first, *others = map(re.escape, name.split())
    first = "[Tt]he" if first == "the" else first
    rest = "".join(rf"\s+{each}" for each in others)
    # The lookbehind comes after the first word: a pattern that begins with letters is ten times as fast.
    pattern = re.compile(rf"{first}(?<!\w{first}){rest}(?!\w)")
    letters = _longest_word(name.removeprefix("the "))
    mentions = _counted(pattern, (page for page in read.pages if letters in page.text))
    return None if mentions is None else replace(mentions, name=name)


def find_name(read: ReadText, name: str) -> Mentions | None:
    """Return where a name occurs with capitals, so that "Silver" is not "silver"; None where it does not."""
    return _mentions(read, name, [_capital_part(each) for each in name.split()])


def find_somebody(read: ReadText, subject: str) -> Mentions | None:
    """Return where the person occurs whom a member names without title, misspelt, or by surname; None if not found."""
    known = find_known(read, subject)
    if known is not None:
        return known
    bare = _bare(subject)
    is_name = without_title(" ".join(subject.split())) == bare or subject.strip()[:1].isupper()
    is_near = is_name and len(bare.split()) <= MOST_OF_NAME and not _is_relative(read, bare)
    near = near_names(read, subject, most=1) if is_near else []
    named = near[0] if near else _named_in(read, subject)
    found = find_name(read, named) if named else None
    return None if found and title_of(subject) and _is_mostly_titled(read, found) else found


def _is_relative(read: ReadText, name: str) -> bool:
    """Whether a first name occurs nowhere in any spelling, so that the surname may be a relative's."""
    *first, _last = name.split()
    return any(not (is_a_word_of(read, part) or near_names(read, part, most=1)) for part in first)


def _named_in(read: ReadText, description: str) -> str:
    """Return the name at the end or start of a description: "the old prophet guy elijah"; empty without one."""
    described = folded(description).split()
    if len(described) <= MOST_OF_NAME or not _TELLS_APART.isdisjoint(described):
        return ""
    known = {folded(each): each for each in words_of_names(read, least_often=_LEAST_OFTEN)}
    behind = list(takewhile(known.__contains__, reversed(described)))[::-1]
    before = list(takewhile(known.__contains__, described))
    named = next((each for each in (behind, before) if content_words(" ".join(each))), [])
    is_word = len(named) == 1 and _is_common_word(read, named[0])
    return "" if is_word else " ".join(known[each] for each in named)


_TELLS_APART: Final = frozenset(words("who that which with without of and or in at on from by to for met"))
"""Words after which a name may belong to another person than the one described."""


def find_known(read: ReadText, subject: str) -> Mentions | None:
    """Return where a person occurs whose name a member spells as the book does, apart from title and article.

    A description such as "the old captain" is matched by its last word only if the book uses it often, as a name. None
    where the person is not found.
    """
    if not content_words(subject):
        return None
    plain, bare = " ".join(subject.split()), _bare(subject)
    without = without_title(plain)
    as_given = _as_given(read, dict.fromkeys([plain, without, bare]), title=title_of(plain))
    is_described = bool(bare) and plain != bare and plain[:1].islower() and len(bare.split()) <= MOST_OF_NAME
    if not is_described or (as_given is not None and as_given.total >= _LONG_ENOUGH):
        return as_given
    # "The Robin" once in a heading does not count if the text often says "the robin".
    return _described(read, bare) or as_given


def near_names(read: ReadText, subject: str, *, most: int) -> list[str]:
    """Return names on read pages that are similar to a misspelt name, most similar first."""
    last = _last_word(_bare(subject) or subject)
    word = folded(last)
    if not content_words(word) or (last.islower() and stands_small(read, word)):
        return []
    named = words_of_names(read, least_often=_LEAST_OFTEN)
    known = {folded(each): each for each in named if content_words(each)}
    near = [each for each in known if _may_be_near(each, word, is_small=last[0].islower())]
    return [known[each] for each in get_close_matches(word, near, n=most, cutoff=_NEAR)]


def _may_be_near(name: str, word: str, *, is_small: bool) -> bool:
    """Whether a word may be a misspelt name: it is long enough, and in lower case begins with the same letter."""
    is_long = min(len(name), len(word)) >= _SHORTEST_NEAR
    return name == word or (is_long and not (is_small and name[0] != word[0]))


def is_a_word_of(read: ReadText, word: str) -> bool:
    """Whether a word occurs on the read pages, in singular or plural."""
    one = word.removesuffix("s")
    pattern, letters = re.compile(rf"(?<!\w){as_printed(one)}s?(?!\w)", re.IGNORECASE), folded_bytes(one)
    held = (page for page, text in zip(read.pages, read.folded, strict=True) if letters in text)
    return any(pattern.search(page.text) for page in held)


def sentence_with(read: ReadText, page: int, mentions: Mentions, *, last: bool = False) -> ReadSentence | None:
    """Return the first sentence of a page with a name, or with `last` the last one; None where there is none."""
    fits = [each for each in read.sentences_on(page) if mentions.pattern.search(each.text) and not each.is_heading]
    fits = [each for each in fits if each.words <= _LONGEST] or fits
    return fits[-1 if last else 0] if fits else None


def _mentions(read: ReadText, name: str, parts: Sequence[str]) -> Mentions | None:
    if not parts:
        return None
    between = [_FIRST_NAMES if title_of(f"{each} ") else _INITIALS for each in name.split()[:-1]]
    joined = "".join(chain.from_iterable(zip_longest(parts, between, fillvalue="")))
    pattern = re.compile(rf"(?<!\w){joined}(?!\w)", re.IGNORECASE)
    letters = folded_bytes(_longest_word(folded(name)))
    held = (page for page, text in zip(read.pages, read.folded, strict=True) if letters in text)
    return _counted(pattern, held)


def _longest_word(name: str) -> str:
    """Return the longest word of a name, which every page with the name contains. Titles vary and do not count."""
    return max(
        _LETTERS.findall(" ".join(each for each in name.split() if not title_of(f"{each} "))), key=len, default=""
    )


def _counted(pattern: re.Pattern[str], held: Iterable[Page]) -> Mentions | None:
    """Return how often a pattern occurs on each page; None where it occurs on none."""
    found = [(page, count) for page in held if (count := len(pattern.findall(page.text)))]
    if not found:
        return None
    return Mentions(
        name=_as_written(found[0][0], pattern),
        pattern=pattern,
        on_pages=[(page.number, count) for page, count in found],
    )


def _bare(name: str) -> str:
    """Return a name without its title and articles."""
    bare = without_title(" ".join(name.split()))
    while ARTICLE.match(bare):
        bare = ARTICLE.sub("", bare)
    return bare


def _as_given(read: ReadText, names: Iterable[str], *, title: str) -> Mentions | None:
    """Return where the first of the names occurs that is used as a name, or that has several words and occurs."""
    for name in names:
        mentions = find_name(read, name)
        if mentions is not None and _is_meant(read, mentions, name, title):
            return mentions
        if len(content_words(name)) > 1 and (mentions := find_mentions(read, name)) is not None:
            return mentions
    return None


def _is_meant(read: ReadText, mentions: Mentions, name: str, title: str) -> bool:
    return (
        not _is_common_word(read, name)
        and _is_named(read, mentions, is_small=name.islower())
        and not _is_somebody_else(read, mentions, name, title)
    )


def _is_common_word(read: ReadText, name: str) -> bool:
    """Whether a lower-case word is an ordinary word of the book and not a person's name.

    So "new" is no person, although there is New York.
    """
    if not name.islower() or " " in name:
        return False
    if read_number(name) is not None:
        return True
    if not stands_small(read, name):
        return False
    seen = names_seen(read, 1, read.last_page)
    named = (each for each in seen if folded(name) in folded(each.name).split())
    return not any(each.acts * _HARDLY_ACTS >= each.count for each in named)


def _is_somebody_else(read: ReadText, mentions: Mentions, name: str, title: str) -> bool:
    """Whether the book uses a name with other titles but never with the title that the member gave."""
    if not title or title_of(name):
        return False
    found = {_title_before(text) for text in _texts_before(read, mentions)} - {""}
    return bool(found) and title not in found


def _is_mostly_titled(read: ReadText, mentions: Mentions) -> bool:
    """Whether a name nearly always has a title, so that another title means another person."""
    titled = [bool(_title_before(text)) for text in _texts_before(read, mentions)]
    return sum(titled) >= _MOSTLY * len(titled)


def _texts_before(read: ReadText, mentions: Mentions) -> Iterable[str]:
    """Yield the text just before each mention."""
    for number in mentions.pages[:_LOOKED_AT]:
        text = read.by_number[number].text
        for match in mentions.pattern.finditer(text):
            yield text[max(match.start() - 12, 0) : match.start()]


def _title_before(text: str) -> str:
    found = _TITLE_BEFORE.search(text)
    return title_of(found[0]) if found else ""


def _described(read: ReadText, description: str) -> Mentions | None:
    """Return where the last word of a description occurs after "the", if it does so often and as a noun.

    "The captain" is followed by function words and punctuation, "the first" by another noun.
    """
    last = _last_word(description)
    mentions = find_mentions(read, f"the {last}") if read_number(last) is None else None
    if mentions is None or mentions.total < _LONG_ENOUGH:
        return None
    pattern = re.compile(rf"{mentions.pattern.pattern}\s+([^\W\d_]+)", re.IGNORECASE)
    behind = [word for page in mentions.pages for word in pattern.findall(read.by_number[page].text)]
    is_before_another = sum(folded(word) not in FUNCTION_WORDS for word in behind) > _BEFORE_ANOTHER * mentions.total
    return None if is_before_another else mentions


def _last_word(name: str) -> str:
    return name.rsplit(maxsplit=1)[-1]


def _part(word: str) -> str:
    """Return the pattern of a word; a title matches in all spellings, with or without a period."""
    title = title_of(f"{word} ")
    if not title:
        return as_printed(word)
    return rf"(?:{'|'.join(ways_to_write(title))})\.?"


def _capital_part(word: str) -> str:
    """Return the pattern of a word of a name: with a capital, unless it is a small word such as "of"."""
    if folded(word) in SMALL_IN_NAMES or not word[:1].isalpha() or title_of(f"{word} "):
        return _part(word)
    return _WITH_CAPITAL + as_printed(word)


def _as_written(page: Page, pattern: re.Pattern[str]) -> str:
    """Return a name as its first mention spells it, without a period that may end the sentence."""
    found = pattern.search(page.text)
    return " ".join(found[0].split()).rstrip(".") if found else ""


def _is_named(read: ReadText, mentions: Mentions, *, is_small: bool) -> bool:
    """Whether a word with a capital is a name: it has one inside a sentence too.

    A word that never occurs in lower case is also a name, unless the member wrote it in lower case.
    """
    before = _texts_before(read, mentions)
    is_within = any(_BEFORE_WITHIN.search(each) or _title_before(each) for each in before)
    return is_within or not (is_small or stands_small(read, mentions.name))


_BEFORE_WITHIN = re.compile(rf"[{SMALL},;:’]['’s]*\s+(?:[“‘\"]\s*)?$")


def stands_small(read: ReadText, name: str) -> bool:
    """Whether a word occurs in lower case on the read pages."""
    pattern, letters = re.compile(rf"(?<!\w){as_printed(name.lower())}(?!\w)"), folded_bytes(name)
    return any(pattern.search(page.text) for page, text in zip(read.pages, read.folded, strict=True) if letters in text)
