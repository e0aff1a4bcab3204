"""Finds the line of a book that a member has written in a message.

Text in quotation marks or after `>` is searched for as a phrase. Unmarked text counts if it shares so many words in a
row with the book that this is no chance.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from core.language.phrases import MOST_WORDS, FoldedText, PhraseHit, find_phrase, is_findable

_FEWEST: Final = 8
_ENOUGH: Final = 100
"""The longest run of words that is searched for."""
_TOLD_BY: Final = 3
_MOST_PLACES: Final = 20
_SLIPS: Final = ((1, 1), (0, 1), (1, 0), (2, 2))
"""How many words of the book and of the message may differ at one place: another word, one more, one less."""
_AGREEING: Final = 2
_QUOTED: Final = re.compile(r"[\"“„«](.{8,}?)[\"”“»]", re.DOTALL)
_QUOTED_LINES: Final = re.compile(r"(?:^>[^\n]*(?:\n|$))+", re.MULTILINE)
_MARK: Final = re.compile(r"^>+\s?", re.MULTILINE)
_WHOLE: Final = 100.0


def shared_line(text: FoldedText, said: str) -> PhraseHit | None:
    """Return where in a text the longest line shared with a message is; None if they share none."""
    marked = [*_QUOTED.findall(said), *(_MARK.sub("", lines) for lines in _QUOTED_LINES.findall(said))]
    hits = [hit for part in marked if (hit := _phrase(text, part)) is not None]
    run = _longest_run(text.words, FoldedText(said).words)
    if run is not None and run[1] - run[0] + 1 >= _FEWEST:
        first, last = run
        hits.append(PhraseHit(start=text.span(first)[0], end=text.span(last)[1], score=_WHOLE))
    return max(hits, key=lambda hit: hit.end - hit.start) if hits else _phrase(text, said)


def _phrase(text: FoldedText, part: str) -> PhraseHit | None:
    """Return the first hit of a part that is short enough to be searched for as a whole."""
    if not is_findable(part) or len(FoldedText(part).words) > MOST_WORDS:
        return None
    return next(iter(find_phrase(text, part)), None)


def _longest_run(book: Sequence[str], said: Sequence[str]) -> tuple[int, int] | None:
    """Return the first and last word in the book of the longest run that both share, apart from small differences."""
    followed: dict[int, int] = {}
    best: tuple[int, int] | None = None
    for place, at in _begun(book, said):
        if followed.get(place - at, -1) >= place:
            continue
        last = followed[place - at] = _followed(book, said, place, at)
        if best is None or last - place > best[1] - best[0]:
            best = place, last
        if last - place >= _ENOUGH:
            break
    return best


def _begun(book: Sequence[str], said: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where three words in a row are the same: the first one's place in the book, and in the message."""
    places: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for at in range(len(said) - _TOLD_BY + 1):
        places[tuple(said[at : at + _TOLD_BY])].append(at)
    begins = {words[0] for words in places}
    for place, word in enumerate(book):
        if word in begins:
            yield from ((place, at) for at in places.get(tuple(book[place : place + _TOLD_BY]), ())[:_MOST_PLACES])


def _followed(book: Sequence[str], said: Sequence[str], place: int, at: int) -> int:
    """Return the last word in the book up to which both agree, starting at a shared word."""
    most = place + _ENOUGH
    while True:
        while place < most and book[place + 1 : place + 2] == said[at + 1 : at + 2] != []:
            place, at = place + 1, at + 1
        slip = next((one for one in _SLIPS if _agree_behind(book, said, place + one[0], at + one[1])), None)
        if slip is None or place >= most:
            return place
        place, at = place + slip[0], at + slip[1]


def _agree_behind(book: Sequence[str], said: Sequence[str], place: int, at: int) -> bool:
    behind = book[place + 1 : place + 1 + _AGREEING]
    return len(behind) == _AGREEING and behind == said[at + 1 : at + 1 + _AGREEING]
