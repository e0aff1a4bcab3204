"""Finds words that look like names on a page, and counts the words around them. Results are cached by page."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.answering.extracts.read_text import ReadText
from core.domain.folding import CAPITAL, SMALL, folded
from core.language.words import FUNCTION_WORDS, words

_PAGES_KEPT: Final = 4_000
TITLE: Final = (
    r"(?:Mr|Mrs|Ms|Miss|Dr|Doctor|Captain|Capt|Sir|Lady|Lord|Squire|Uncle|Aunt|Professor|Inspector|Constable|Mistress"
    r"|Colonel|Mayor|Alderman)"
)
"""A pattern of the titles that may come before a name."""
_PART = rf"[{CAPITAL}](?:[{SMALL}’']|-(?:[{SMALL}]{{1,3}}-)?[{CAPITAL}]){{2,}}"
"""A pattern of one word of a name, including hyphenated ones: Bois-Guilbert, Allan-a-Dale."""
_NAME = re.compile(rf"(?<=[{SMALL},;:] )(?:{TITLE}\.? )?{_PART}(?: {_PART}){{0,2}}")
_TITLES = re.compile(rf"^{TITLE}\b\.?\s+", re.IGNORECASE)
_SAME_TITLE: Final = {"doctor": "dr", "captain": "capt"}
_AFTER_PLACE = re.compile(r"\b(?:in|at|from|to|near|into|towards|for|of|on|through)$")
_WITHIN_PLACE = re.compile(r"\b(?:in|at|near|into|towards|on|through|from)(?: the)?$")
_ARTICLES: Final = (" the", " The", " a", " an")
_LONGEST_BEFORE: Final = 12
_LONGEST_SAID: Final = 20
_SAID = (
    r"(?:said|says|asked|cried|answered|replied|returned|continued|added|whispered|exclaimed|shouted|muttered|remarked"
    r"|observed|murmured|inquired|enquired|demanded|repeated|called|interrupted|growled|sighed|explained|began|put in"
    r"|broke in|went on)"
)
_ACTS = re.compile(
    rf"^['’]?\s*,?\s*(?:{_SAID}|looked|went|came|took|turned|stood|sat|thought|knew|gave|told|laughed|nodded|smiled|shook"
    r"|spoke|stared|felt)\b"
)
"""Verbs after a name that only persons do."""
_DOES = re.compile(r"^['’]?\s*,?\s*(?:was|had|is|has|made|would|could|did|\w+ed)\b")
_SAID_BEFORE = re.compile(rf"\b{_SAID}$")
_SAID_BY_THE = re.compile(rf"\b{_SAID} the$")
_SAYS = re.compile(rf"^,? {_SAID}\b")
_SECOND = re.compile(rf"\b[{CAPITAL}]\w+ and$")
_SPOKEN_BEFORE = re.compile(rf"(?:^|[\s“‘\"])[{SMALL}][\w’']*,$")
_ADDRESSED = re.compile(r"^[,.!?]?[”’\"]")
_POSSESSIVE = re.compile(r"['’]s$")
_ADDRESS = re.compile(r"^(?:Your|His|Her|Their) ")
"""Forms of address: Your Majesty, His Grace."""
_NO_NAMES: Final = frozenset(
    words(
        "god lord heaven sunday monday tuesday wednesday thursday friday saturday january february march april may "
        "june july august september october november december christmas easter english french german american yes "
        "sir madam chapter part"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSeen:
    """A name and its counts within sentences.

    Attributes:
        name: the name.
        count: how often it occurs.
        after_place: how often a preposition comes right before it.
        within_place: how often a preposition of place, with or without "the", comes before it.
        with_article: how often an article comes right before it.
        does: how often a verb follows, including `acts`.
        acts: how often it has a title, is addressed, or does what only persons do.
        second: how often it is the second of two, as in Weights and Measures.
        speaks: how often it says something, with an article or without.
    """

    name: str
    count: int
    after_place: int
    within_place: int
    with_article: int
    does: int
    acts: int
    second: int
    speaks: int


def names_seen(read: ReadText, first_page: int, last_page: int) -> list[NameSeen]:
    """Return the names on some read pages with their counts, most frequent first."""
    sums: dict[str, list[int]] = {}
    for page in read.pages_between(first_page, last_page):
        for name, counts in _counts_on(page.text):
            own = sums.setdefault(name, [0] * len(counts))
            own[:] = [one + other for one, other in zip(own, counts, strict=True)]
    found = [
        NameSeen(
            name=name,
            count=own[0],
            after_place=own[1],
            within_place=own[2],
            with_article=own[3],
            does=own[4],
            acts=own[5],
            second=own[6],
            speaks=own[7],
        )
        for name, own in sums.items()
    ]
    return sorted(found, key=lambda each: -each.count)


def words_of_names(read: ReadText, *, least_often: int) -> list[str]:
    """Return the words of all names on the pages read that occur at least `least_often` times."""
    found: Counter[str] = Counter()
    for page in read.pages:
        for name, counts in _counts_on(page.text):
            found.update(dict.fromkeys(name.split(), counts[0]))
    return [word for word, count in found.items() if count >= least_often]


def title_of(name: str) -> str:
    """Return the title that a name begins with, in its short form and lower case; empty where it has none."""
    found = _TITLES.match(name)
    plain = found[0].strip().rstrip(".").casefold() if found else ""
    return _SAME_TITLE.get(plain, plain)


def is_title(name: str) -> bool:
    """Whether a name is only a title."""
    return title_of(f"{name} ") != "" and " " not in name


def ways_to_write(title: str) -> tuple[str, ...]:
    """Return all spellings of a title that `title_of` returned."""
    return (title, *(full for full, short in _SAME_TITLE.items() if short == title))


def without_title(name: str) -> str:
    """Return a name without the title that it begins with."""
    return _TITLES.sub("", name)


@lru_cache(maxsize=_PAGES_KEPT)
def _counts_on(page: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the names of a page, each with its counts in the order of `NameSeen`."""
    sums: dict[str, list[int]] = {}
    text = " ".join(page.split())
    for name, begin, end in _names_in(text):
        before = text[max(begin - _LONGEST_BEFORE, 0) : begin].rstrip()
        own = sums.setdefault(name, [0] * 8)
        own[0] += 1
        own[1] += _AFTER_PLACE.search(before) is not None
        own[2] += _WITHIN_PLACE.search(before) is not None
        own[3] += before.endswith(_ARTICLES)
        acts = _acts(name, before, text[end : end + 20])
        own[4] += acts or _DOES.match(text[end : end + 20]) is not None
        own[5] += acts
        own[6] += _SECOND.search(before) is not None
        own[7] += _speaks(text[max(begin - _LONGEST_SAID, 0) : begin].rstrip(), text[end : end + 20])
    return tuple((name, tuple(own)) for name, own in sums.items())


def _acts(name: str, before: str, behind: str) -> bool:
    """Whether a name is used as a person's: it has a title, acts or speaks, or is addressed."""
    if title_of(name) or _ACTS.match(behind) or _SAID_BEFORE.search(before):
        return True
    return _SPOKEN_BEFORE.search(before) is not None and _ADDRESSED.match(behind) is not None


def _speaks(before: str, behind: str) -> bool:
    """Whether the name between these texts says something."""
    return bool(_SAYS.match(behind) or _SAID_BY_THE.search(before) or _SAID_BEFORE.search(before))


def _names_in(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each word group inside a sentence that looks like a name, with its start and end."""
    for match in _NAME.finditer(text):
        name = _POSSESSIVE.sub("", match[0])
        is_word = folded(name) in _NO_NAMES or folded(name.rpartition(" ")[2]) in FUNCTION_WORDS
        is_cut = "’" in name or "'" in name or text[match.end() : match.end() + 1] == "-"
        if not (is_word or is_cut or _ADDRESS.match(name)):
            yield name, match.start(), match.end()
