"""What is written like a name on a page, and what stands around it; kept by page, since clubs ask about them again."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.finders.read_text import ReadText
from core.text.words import FUNCTION_WORDS, words

_PAGES_KEPT: Final = 4_000
TITLE: Final = (
    r"(?:Mr|Mrs|Ms|Miss|Dr|Doctor|Captain|Capt|Sir|Lady|Lord|Squire|Uncle|Aunt|Professor|Inspector|Constable|Mistress"
    r"|Colonel|Mayor|Alderman)"
)
"""What a name may begin with that is no part of it, as a pattern."""
_NAME = re.compile(rf"(?<=[a-z,;:] )(?:{TITLE}\.? )?[A-Z][a-z’'-]{{2,}}(?: [A-Z][a-z’'-]{{2,}}){{0,2}}")
_TITLES = re.compile(rf"^{TITLE}\b\.?\s+", re.IGNORECASE)
_SAME_TITLE: Final = {"doctor": "dr", "captain": "capt"}
_AFTER_PLACE = re.compile(r"\b(?:in|at|from|to|near|into|towards|for|of|on|through)$")
_WITHIN_PLACE = re.compile(r"\b(?:in|at|near|into|towards|on|through|from)(?: the)?$")
_ARTICLES: Final = (" the", " The", " a", " an")
_LONGEST_BEFORE: Final = 12
_DOES = re.compile(
    r"^['’]?\s*,?\s*(?:said|asked|cried|answered|replied|was|had|is|has|looked|went|came|took|turned|stood|sat|thought|knew"
    r"|gave|made|would|could|did|\w+ed)\b"
)
_SAID_BY = re.compile(
    r"\b(?:said|says|asked|cried|answered|replied|whispered|shouted|called|muttered|murmured|exclaimed|returned|added"
    r"|continued|repeated|remarked|observed|inquired|enquired|demanded|growled|laughed|sighed)$"
)
_POSSESSIVE = re.compile(r"['’]s$")
_NO_NAMES: Final = frozenset(
    words(
        "god lord heaven sunday monday tuesday wednesday thursday friday saturday january february march april may "
        "june july august september october november december christmas easter english french german american yes "
        "sir madam chapter part"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSeen:
    """A name within sentences: how often, how often after words of place or an article, how often it does something."""

    name: str
    count: int
    after_place: int
    within_place: int
    with_article: int
    does: int


def names_seen(read: ReadText, first_page: int, last_page: int) -> list[NameSeen]:
    """Return the names of some read pages with what stands around them, most frequent first."""
    sums: dict[str, list[int]] = {}
    for page in read.pages[max(first_page, 1) - 1 : last_page]:
        for name, counts in _counts_on(page.text):
            own = sums.setdefault(name, [0] * len(counts))
            own[:] = [one + other for one, other in zip(own, counts, strict=True)]
    found = [
        NameSeen(name=name, count=own[0], after_place=own[1], within_place=own[2], with_article=own[3], does=own[4])
        for name, own in sums.items()
    ]
    return sorted(found, key=lambda each: -each.count)


def words_of_names(read: ReadText, *, least_often: int) -> list[str]:
    """Return the words that names are made of on the pages read, those that stand there so often."""
    found: Counter[str] = Counter()
    for page in read.pages:
        for name, counts in _counts_on(page.text):
            found.update(dict.fromkeys(name.split(), counts[0]))
    return [word for word, count in found.items() if count >= least_often]


def title_of(name: str) -> str:
    """Return the title that a name begins with, the same for both ways to write it; empty where it has none."""
    found = _TITLES.match(name)
    plain = found[0].strip().rstrip(".").casefold() if found else ""
    return _SAME_TITLE.get(plain, plain)


def is_title(name: str) -> bool:
    """Whether a name is nothing but a title."""
    return title_of(f"{name} ") != "" and " " not in name


def ways_to_write(title: str) -> tuple[str, ...]:
    """Return the ways to write a title, as `title_of` gives it."""
    return (title, *(full for full, short in _SAME_TITLE.items() if short == title))


def without_title(name: str) -> str:
    """Return a name without the title that it begins with."""
    return _TITLES.sub("", name)


@lru_cache(maxsize=_PAGES_KEPT)
def _counts_on(page: str) -> tuple[tuple[str, tuple[int, int, int, int, int]], ...]:
    """Return the names of a page, each with its counts in the order of `NameSeen`."""
    sums: dict[str, list[int]] = {}
    text = " ".join(page.split())
    for name, begin, end in _names_in(text):
        before = text[max(begin - _LONGEST_BEFORE, 0) : begin].rstrip()
        own = sums.setdefault(name, [0, 0, 0, 0, 0])
        own[0] += 1
        own[1] += _AFTER_PLACE.search(before) is not None
        own[2] += _WITHIN_PLACE.search(before) is not None
        own[3] += before.endswith(_ARTICLES)
        own[4] += bool(_DOES.match(text[end : end + 20]) or _SAID_BY.search(before) or title_of(name))
    return tuple((name, (own[0], own[1], own[2], own[3], own[4])) for name, own in sums.items())


def _names_in(text: str) -> Iterator[tuple[str, int, int]]:
    """Give what is written like a name within the sentences of a text, and where it begins and ends."""
    for match in _NAME.finditer(text):
        name = _POSSESSIVE.sub("", match[0])
        is_word = name.casefold() in _NO_NAMES or name.casefold() in FUNCTION_WORDS
        if not is_word and "’" not in name and "'" not in name:
            yield name, match.start(), match.end()
