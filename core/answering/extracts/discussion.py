"""Discussion questions about read pages: fixed questions filled with names and quotations from these pages.

Sentences whose words are frequent on these pages and rare before them are quoted first.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, repeat, zip_longest
from operator import contains
from typing import Final

from core.answering.extracts.cast import people
from core.answering.extracts.found_answer import cited, quotation
from core.answering.extracts.in_short import noted, rendered
from core.answering.extracts.names import title_of
from core.answering.extracts.read_text import ReadSentence, ReadText, folded_bytes
from core.answering.extracts.story import capital
from core.catalogue.sentences import say, sentence
from core.domain.note import Note

_PEOPLE: Final = 6
_SHORTEST: Final = 8
_LONGEST: Final = 30
_LINES: Final = 6
_SPEECH: Final = ("“", '"', "‘")
_OF_PAIRS: Final = (
    # Note: {page} is a citation in brackets, such as (p. 12).
    sentence("{one} and {other} are both on one page {page}. Who do you trust more there, and why?"),
    sentence("{one} and {other} appear together {page}. What does each of them want from the other?"),
)
_OF_LINES: Final = (
    sentence("What do you make of this line?"),
    sentence("Why do you think we're told this, and in these words?"),
    sentence("How did you feel when you read it?"),
)
_OF_NEWCOMERS: Final = sentence("{name} comes up for the first time {page}. What was your first impression?")
_OF_NOTE: Final = sentence("What do you make of this, and why does it matter here?")
_OF_SOMEBODY: Final = sentence("What does {name} want on these pages, and would you do the same in their place?")


def questions(read: ReadText, first_page: int, last_page: int, notes: Sequence[Note] = ()) -> list[str]:
    """Return discussion questions about some read pages, best first, alternating between the kinds.

    Questions about notes on these pages come first, each with a passage of the note's page.
    """
    last = min(last_page, read.last_page)
    names = people(read, first_page, last, most=_PEOPLE)
    kinds = (
        (f"{noted('', rendered([note]), read).text}\n{say(_OF_NOTE)}" for note in notes),
        _lines(read, first_page, last),
        chain(_newcomers(read, names, first_page, last), _somebody(names)),
        _pairs(read, names, first_page, last),
    )
    return [each for turn in zip_longest(*kinds) for each in turn if each is not None]


def _pairs(read: ReadText, names: list[str], first_page: int, last_page: int) -> Iterator[str]:
    """Yield a question about each two people, at the first page that names both."""
    asked = 0
    for one, other in combinations(names, 2):
        pages = range(first_page, last_page + 1)
        page = next((each for each in pages if _stands(read, one, each) and _stands(read, other, each)), None)
        if page is not None:
            yield capital(say(_OF_PAIRS[asked % len(_OF_PAIRS)], page=cited(page), one=one, other=other))
            asked += 1


def _newcomers(read: ReadText, names: list[str], first_page: int, last_page: int) -> Iterator[str]:
    """Yield a question about each person who comes up here for the first time."""
    for name in names:
        if not any(_last_word(name) in page.text for page in read.pages_between(0, first_page - 1)):
            page = next((each for each in range(first_page, last_page + 1) if _stands(read, name, each)), None)
            if page is not None:
                yield capital(say(_OF_NEWCOMERS, page=cited(page), name=name))


def _somebody(names: list[str]) -> Iterator[str]:
    return (say(_OF_SOMEBODY, name=name) for name in names[:1])


def _lines(read: ReadText, first_page: int, last_page: int) -> Iterator[str]:
    """Yield a question about each of the sentences whose words are frequent here and rare before."""
    here = read.sentences(first_page, last_page)
    fresh = _freshness(read, here, first_page)
    fits = [each for each in here if _SHORTEST <= each.words <= _LONGEST and each.is_whole and not each.is_heading]
    ranked = sorted(fits, key=lambda each: -_worth(each, fresh))[:_LINES]
    for number, each in enumerate(ranked):
        yield f"{quotation([each])}\n{say(_OF_LINES[number % len(_OF_LINES)])}"


def _freshness(read: ReadText, here: list[ReadSentence], first_page: int) -> dict[str, float]:
    """Return for each stem a weight: higher the more often it occurs on these pages and the rarer it was before."""
    counts = Counter(stem for each in here for stem in set(each.stems))
    earlier = read.folded[: len(read.pages_between(0, first_page - 1))]
    often = [stem for stem, count in counts.items() if count > 1]
    sought = {stem: folded_bytes(stem.removesuffix("i")) for stem in often}
    before = {stem: sum(map(contains, earlier, repeat(part))) for stem, part in sought.items()}
    return {stem: math.log1p(counts[stem]) / (1 + math.log1p(before[stem])) for stem in often}


def _worth(sentence: ReadSentence, fresh: Mapping[str, float]) -> float:
    stems = set(sentence.stems)
    if not stems:
        return 0.0
    spoken = 1.2 if sentence.text.startswith(_SPEECH) else 1.0
    return spoken * math.fsum(fresh.get(stem, 0.0) for stem in stems) / math.sqrt(len(stems))


def _stands(read: ReadText, name: str, page: int) -> bool:
    """Whether a page contains the last word of a name, or the whole name if it has a title."""
    text = read.by_number[page].text if page in read.by_number else ""
    return (name if title_of(name) else _last_word(name)) in text


def _last_word(name: str) -> str:
    return name.rsplit(maxsplit=1)[-1]
