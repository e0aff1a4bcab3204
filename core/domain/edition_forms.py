"""Parses what a member types after `/edition`, and a place in their copy before a phrase."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from core.catalogue.sentences import say, sentence
from core.domain.copy_numbers import LOCATION, NUMBER, PAGE, TIME, PlaceInCopy, Unit, read_place
from core.domain.errors import PositionError
from core.domain.numbers import read_number

EDITION_FORMS: Final = sentence("312, 312 first 7, 5200 locations, 9h30, ch 5 at 81, or reset")
_NOT_UNDERSTOOD: Final = sentence("I don't understand that about a copy. Use `/edition` with {forms}.")

_MOST_CHARACTERS = 300
_CLUB = re.compile(r"club(?: |$)")
_PLACE = rf"(?:{TIME}|{LOCATION}|{PAGE})"
_DEVICE = re.compile(r"(?:audio ?book|audible|kobo|kindle(?! ?[\d,.]+\b(?! ?p)))(?: |$)")
_BARE = re.compile(NUMBER)
_LENGTH = re.compile(rf"(?P<last>{TIME}|{LOCATION}|{NUMBER})(?: ?(?:pages?|pp?\.?))?")
_FIRST = re.compile(rf"(?:first|from|begins?(?: on| at)?) ?(?P<place>{_PLACE})")
_CHAPTER = re.compile(
    rf"(?:chapter|chap\.?|ch\.?) ?(?P<chapter>\w+(?:[ -]\w+)??)(?: at| on| is)?[ =:]+(?P<place>{_PLACE})"
)
_GAP = re.compile(r"[ ,;]+")
_COPY_PLACE = re.compile(
    rf"\s*(?:\(\s*)?(?:my\s+)?(?:(?P<place>(?:page|pg?\.?)\s*\d{{1,6}}(?!\d)|{LOCATION})\s*[):,;.–—-]*|(?P<time>{TIME})\)?:)"
    r"\s*(?=\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterStart:
    """A chapter, by the number that a member gives it, and the page, location or minute where it begins in a copy."""

    chapter: int
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionRequest:
    """What is said of a copy: the club's or the member's own; to forget it; how long it is; where chapters begin.

    Nothing at all asks what is known. `unit` is None if only bare numbers of places were said.
    """

    for_club: bool = False
    forgets: bool = False
    last_page: int | None = None
    first_page: int | None = None
    chapters: tuple[ChapterStart, ...] = ()
    unit: Unit | None = None

    @property
    def asks(self) -> bool:
        """Whether nothing is said, so that what is known is asked for."""
        return not self.forgets and self.last_page is None and self.first_page is None and not self.chapters


def parse_edition(text: str) -> EditionRequest:
    """Parse what a member typed after `/edition`.

    Raises:
        PositionError: it is no known form; the sentence shows the forms and repeats nothing of the text.
    """
    rest = " ".join(unicodedata.normalize("NFKC", text[:_MOST_CHARACTERS]).casefold().split())
    club = _CLUB.match(rest)
    rest = rest[club.end() :] if club else rest
    if rest in {"reset", "none", "forget"}:
        return EditionRequest(for_club=bool(club), forgets=True)
    device = _DEVICE.match(rest)
    rest = rest[device.end() :] if device else rest
    length = _LENGTH.match(rest)
    rest = _after(rest, length)
    first = _FIRST.match(rest)
    rest = _after(rest, first)
    starts: list[tuple[int, str]] = []
    while (found := _CHAPTER.match(rest)) and (number := read_number(found["chapter"])) is not None:
        starts.append((number, found["place"]))
        rest = _after(rest, found)
    units = _units(length, [*([first["place"]] if first else []), *(place for _, place in starts)])
    if (rest and rest != "show") or len(units) > 1:
        raise PositionError(say(_NOT_UNDERSTOOD, forms=say(EDITION_FORMS)))
    return EditionRequest(
        for_club=bool(club),
        last_page=read_place(length["last"]).number if length else None,
        first_page=read_place(first["place"]).number if first else None,
        chapters=tuple(ChapterStart(chapter=number, page=read_place(place).number) for number, place in starts),
        unit=units.pop() if units else None,
    )


def _units(length: re.Match[str] | None, places: list[str]) -> set[Unit]:
    """Return the units that are named; a bare number of a place names none."""
    of_places = {read_place(each).unit for each in places if not _BARE.fullmatch(each)}
    return of_places | ({read_place(length["last"]).unit} if length else set())


def split_copy_place(text: str) -> tuple[PlaceInCopy | None, str]:
    """Split `p. 81: and the rain`, `loc 812: ...` or `1h10: ...` into a place in the copy and the words."""
    match = _COPY_PLACE.match(text)
    return (read_place(match["place"] or match["time"]), text[match.end() :]) if match else (None, text)


def _after(text: str, match: re.Match[str] | None) -> str:
    """Return what follows a match, which must end at a gap; all of it where it does not."""
    if match is None:
        return text
    gap = _GAP.match(text, match.end())
    if gap is None and match.end() < len(text):
        raise PositionError(say(_NOT_UNDERSTOOD, forms=say(EDITION_FORMS)))
    return text[gap.end() if gap else match.end() :]
