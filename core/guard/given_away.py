"""Checks whether a member's post reveals something between the thread's page and the member's own page.

The post is compared with the book only up to the member's own page, so that nobody can test guesses about later pages.
Only certain findings count: members ignore warnings after a false one.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from typing import Final, TypeVar

import numpy as np

from core.domain.verdict import Signal
from core.guard.book_index import RUN, BookIndex, StemIndex, writings
from core.guard.claim import Bools, Claim, Written, claim_of, is_name, written_as
from core.guard.features import features
from core.guard.judge import Exempt
from core.guard.normalise import plain
from core.guard.rules import Runs, unread_runs
from core.guard.score import FittedScore
from core.guard.words import COMMON_NAMES, Tokens, guard_stems, tokens, word_set
from core.language.sentences import sentences
from core.language.words import FUNCTION_WORDS

_CERTAIN: Final = 0.95
_ASKS: Final = re.compile(
    r".*\?\W*$|^\W*(?:(?:so|and|but|ok|okay|oh|hey|wait|also|one\s+more)\W+)*"
    r"(?:who|what(?!\s+an?\b)|where|why|how|which|is|are|was|were|does|do|did|can|has)\b",
    re.IGNORECASE | re.DOTALL,
)
"""A question states nothing that a score could be certain about."""
_MOST_CAPITALS: Final = 0.15
_MOST_MATTER: Final = 0.65
_NO_CHANCE: Final = 2
"""A name that occurs this often in the pages the member has read is not there by chance."""
_TITLES: Final = word_set(
    "mr mrs miss ms mister dr doctor sir lady lord captain sergeant constable inspector colonel major alderman squire "
    "professor father sister brother uncle aunt madame monsieur"
)

_NOWHERE: Final = ""
"""A stem that no word has."""

IndexT = TypeVar("IndexT", bound=StemIndex)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPages:
    """A book with the thread's page (`page`) and the member's own, later page (`own_page`)."""

    index: BookIndex
    notes: StemIndex | None
    fitted: FittedScore
    page: int
    own_page: int

    def read_index(self) -> BookIndex:
        """Return the index of the book up to the member's own page."""
        return read_part(self.index, self.own_page)

    def read_notes(self) -> StemIndex | None:
        """Return the index of the notes up to the member's own page."""
        return None if self.notes is None else read_stems(self.notes, self.own_page)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A word of a sentence that is a name on the pages the member has read.

    Attributes:
        at: the word's number in the sentence.
        word: the word.
        first_page: the first page on which the book has it.
        is_everyday: whether real people often have this name.
        is_plain: whether it is written here as only names are.
        is_titled: whether a title is before it.
    """

    at: int
    word: str
    first_page: int
    is_everyday: bool
    is_plain: bool
    is_titled: bool


def given_away(text: str, book: TwoPages, exempt: Exempt) -> Signal | None:
    """Return why a text certainly reveals something; None if nothing is certain. CPU work only."""
    parts = sentences(plain(text))
    found = [tokens(part) for part in parts]
    read = book.read_index()
    if unread_runs(Runs.of([word for each in found for word in each.words], read), read, last_page=book.page):
        return Signal.QUOTE
    if not _is_told_by_capitals(read):
        return None
    names = [_names(each, read, exempt) for each in found]
    if any(_tells_name(each, book.page) for each in names):
        return Signal.NAME
    said = map(partial(_said, read=read, page=book.page, exempt=exempt), parts, names)
    return Signal.SCORE if _highest_score(said, book) > _CERTAIN else None


def is_everyday(name: str) -> bool:
    """Whether real people often have this name."""
    return name.casefold() in _everyday()


def read_part(index: BookIndex, last_page: int) -> BookIndex:
    """Return the index of a book up to a page. Takes a millisecond or two for a long novel.

    Words and stems that occur only later keep their numbers, without occurrences.
    """
    part = read_stems(index, last_page)
    sentence_starts = index.sentence_starts[: part.sentences + 1]
    tokens = int(sentence_starts[-1])
    token_capital = np.unpackbits(index.token_capital, count=tokens).astype(np.bool_)
    capitals, lowers = writings(index.token_word[:tokens], token_capital, sentence_starts, len(index.words))
    lies_there = index.run_tokens <= tokens - RUN
    return replace(
        part,
        token_word=index.token_word[:tokens],
        token_capital=np.packbits(token_capital),
        sentence_starts=sentence_starts,
        capitals=capitals,
        lowers=lowers,
        runs=index.runs[lies_there],
        run_tokens=index.run_tokens[lies_there],
    )


def read_stems(index: IndexT, last_page: int) -> IndexT:
    """Return the index of the stems up to a page."""
    end = index.boundary(last_page)
    stays = index.stem_sentences < end
    before = np.concatenate(([0], np.cumsum(stays, dtype=np.int32)))
    return replace(
        index,
        pages=last_page,
        sentence_page=index.sentence_page[:end],
        matter=index.matter[:end],
        stem_sentences=index.stem_sentences[stays],
        stem_counts=index.stem_counts[stays],
        stem_starts=before[index.stem_starts].astype(np.int32),
    )


def saying(claim: Claim, is_said: Bools) -> Claim:
    """Return a claim in which the words outside `is_said` are unknown to the book and the notes."""
    rows = list(zip(claim.stems, claim.stem_ids, is_said, strict=True))
    return replace(
        claim,
        stems=tuple(stem if said else _NOWHERE for stem, _, said in rows),
        stem_ids=tuple(number if said else -1 for _, number, said in rows),
        known=claim.known & is_said,
        names=claim.names & is_said,
    )


def _is_told_by_capitals(read: BookIndex) -> bool:
    """Whether capitals mark names in this book, and its share of content words fits the fitted score.

    In German every noun has a capital. There, and if too little is read, only a quotation is certain.
    """
    capitals, lowers = int(read.capitals.sum()), int(read.lowers.sum())
    return capitals <= _MOST_CAPITALS * (capitals + lowers) and read.matter.sum() <= _MOST_MATTER * len(read.token_word)


def _names(found: Tokens, read: BookIndex, exempt: Exempt) -> list[_Name]:
    no_names = FUNCTION_WORDS | COMMON_NAMES | exempt.always | exempt.asked
    places = [at for at, word in enumerate(found.words) if word not in no_names]
    names = []
    for at, stem in zip(places, guard_stems(found.words[at] for at in places), strict=True):
        word, written = found.words[at], written_as(capital=found.capital[at], opens=at == 0)
        number = read.stems.number_of(stem)
        times = read.sentences_with(number) if number is not None else 0
        if number is None or not times or not is_name(word, read, written):
            continue
        names.append(
            _Name(
                at=at,
                word=word,
                first_page=int(read.stem_first_page[number]),
                is_everyday=word in _everyday(),
                is_plain=written is Written.INNER_CAPITAL and times >= _NO_CHANCE,
                is_titled=at > 0 and found.words[at - 1] in _TITLES,
            )
        )
    return names


def _tells_name(names: Collection[_Name], page: int) -> bool:
    """Whether a sentence has a name that is certainly the book's and first occurs after a page."""
    return any(name.first_page > page and _is_certain(name, names) for name in names)


def _is_certain(name: _Name, names: Collection[_Name]) -> bool:
    """Whether a name is certainly the book's, by itself or by the names next to it.

    Many clubs have a Ben, but none a Ben Gunn.
    """
    company = [other for other in names if other.word != name.word and not other.is_everyday]
    if name.is_everyday:
        return any(abs(other.at - name.at) == 1 for other in company)
    return name.is_plain or name.is_titled or bool(company)


def _said(part: str, names: Collection[_Name], *, read: BookIndex, page: int, exempt: Exempt) -> Claim:
    """Return a part as a claim without late names that are not certain, since they may be other people."""
    claim = claim_of(exempt.masked(part), read, exempt=exempt.always)
    unsure = exempt.asked.union(name.word for name in names if name.first_page > page)
    return saying(claim, np.array([word not in unsure for word in claim.words], dtype=bool))


def _highest_score(said: Iterable[Claim], book: TwoPages) -> float:
    notes = book.read_notes()
    return max((_score(each, notes, book) for each in said), default=0.0)


def _score(said: Claim, notes: StemIndex | None, book: TwoPages) -> float:
    """Return the probability, 0 to 1, that a claim reveals something."""
    if not said.known.any() or _ASKS.match(said.text):
        return 0.0
    values = features(said, last_page=book.page)
    noted = None if notes is None else features(said.among_notes(notes), last_page=book.page)
    return book.fitted.leak_chance(values, noted)


@cache
def _everyday() -> frozenset[str]:
    lines = files("core.guard").joinpath("everyday_names.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
