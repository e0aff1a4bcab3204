"""Handles copies with other numbers (pages, locations, minutes): a member's own, or a whole club's (ADR 17)."""

from dataclasses import replace
from fractions import Fraction

from core.catalogue.sentences import say, say_count, sentence
from core.domain.book import BookOutline
from core.domain.club_state import ClubState
from core.domain.copy_numbers import PlaceInCopy, Unit, length_in_words, place_in_words
from core.domain.edition import (
    Edition,
    KnownPoint,
    bounded,
    learn,
    margin_at,
    position_at_share,
    position_in_book,
)
from core.domain.edition_forms import EDITION_FORMS, ChapterStart, EditionRequest
from core.domain.errors import PositionError
from core.domain.position import NamedPosition, in_percent, page_names
from core.domain.position_meaning import resolve
from core.domain.position_requests import PlaceInCopyRequest, chapter_request
from core.ports.readings import ReadingRepository

_WHOLE = 100
_UNKNOWN = sentence("I don't know of another edition. Tell me about yours with `/edition` and {forms}.")
_ONE_POINT = sentence(
    "I don't know your copy's numbers well enough yet. Use `/calibrate` once more, or say how long it is, like "
    "`/edition {length}`. Until then, say `ch 7` or `45%`."
)
_NO_COPY = {
    Unit.LOCATIONS: sentence("I don't know how many locations your copy has: `/edition 5200 locations`, or say `45%`."),
    Unit.MINUTES: sentence("I don't know how long your audiobook is: `/edition 9h30`, or say `45%`."),
}
_LENGTHS = {Unit.PAGES: "312", Unit.LOCATIONS: "5200 locations", Unit.MINUTES: "9h30"}
"""How the length of a copy is typed."""
_OWN = (sentence("Your copy"), sentence("I've forgotten your copy. Page numbers are the book's own again."))
_CLUBS = (
    sentence("The club's copy"),
    sentence("I've forgotten the club's copy. Page numbers are the book's own again."),
)
"""What a copy is called, and the reply when it is forgotten."""


class Editions:
    """Stores and describes what is known about copies."""

    def __init__(self, *, readings: ReadingRepository) -> None:
        self._readings = readings

    async def learn(self, club: ClubState, place: PlaceInCopy, offset: int) -> ClubState:
        """Add a known place to a member's own copy. Raises PositionError if it is outside the copy's story."""
        known = _in_unit(club.own_edition, place.unit, club.outline)
        learned = learn(known, KnownPoint(page=place.number, offset=offset))
        await self._readings.set_edition(club.reading_id, learned, member_id=club.member_id)
        return replace(club, own_edition=learned)

    async def say(self, club: ClubState, request: EditionRequest) -> str:
        """Store what a member says about a copy; return a sentence that describes what is known about it now.

        Raises:
            PositionError: no copy can be like that; nothing has changed.
        """
        whose_copy = None if request.for_club else club.member_id
        known = club.club_edition if request.for_club else club.own_edition
        whose, forgotten = _CLUBS if request.for_club else _OWN
        if request.forgets:
            await self._readings.set_edition(club.reading_id, None, member_id=whose_copy)
            return say(forgotten)
        if request.asks:
            unknown = say(_UNKNOWN, forms=say(EDITION_FORMS))
            return unknown if known is None else _described(whose, known, club.outline)
        edition = _changed(_in_unit(known, request.unit, club.outline), request, club.outline)
        await self._readings.set_edition(club.reading_id, edition, member_id=whose_copy)
        return _described(whose, edition, club.outline)


def converted(edition: Edition | None, number: int, outline: BookOutline) -> NamedPosition | None:
    """Return the book position of a place in a copy; None where the copy uses the book's own page numbers.

    Raises:
        PositionError: the copy has no such place, or too little is known about it.
    """
    if edition is None or _is_the_books(edition, outline):
        return None
    if not edition.converts:
        raise PositionError(say(_ONE_POINT, length=_LENGTHS[edition.unit]))
    position = position_in_book(edition, edition.page(number), outline)
    place = place_in_words(edition.unit, number)
    if position:
        note = say(
            "That copy's {place} is about p. {page} here; I round down.",
            place=place,
            page=page_names(outline)(position),
        )
    else:
        note = say("That copy's {place} is before the story's first page here; I round down.", place=place)
    if number == edition.last_page:
        note = " ".join((note, say("If you've read it all, say `end`.")))
    return NamedPosition(position=position, words=place, note=note)


def place_converted(known: Edition | None, request: PlaceInCopyRequest, outline: BookOutline) -> NamedPosition | None:
    """Return the book position of a place in a known copy, or in one whose length is said with the place.

    Raises:
        PositionError: nothing is known of such a copy, or it has no such place.
    """
    edition = known
    if request.of is not None and (known is None or known.last_page != request.of):
        edition = bounded(Edition(unit=request.unit), first_page=None, last_page=request.of)
    if edition is None or (request.is_left and edition.last_page is None):
        raise PositionError(say(_NO_COPY[request.unit]))
    number = (edition.last_page or 0) - request.number if request.is_left else request.number
    named = converted(edition, number, outline)
    if named is None or request.of is None:
        return named
    length = length_in_words(request.unit, request.of)
    return replace(named, words=say("{place} of {length}", place=named.words, length=length))


def share_converted(percent: Fraction, outline: BookOutline) -> NamedPosition | None:
    """Return the book position of a share of any copy; None for more than the whole."""
    if percent > _WHOLE:
        return None
    position = position_at_share(percent, outline)
    note = say(
        "{percent} is about p. {page} here; I round down.",
        percent=in_percent(percent),
        page=page_names(outline)(position),
    )
    return NamedPosition(position=position, percent=percent, note=note if 0 < position < outline.story_end else "")


def _in_unit(known: Edition | None, unit: Unit | None, outline: BookOutline) -> Edition:
    """Return what is known of a copy if its numbers are of this unit, else a copy that nothing is known of."""
    if known and unit in {None, known.unit}:
        return known
    return Edition(unit=unit or Unit.PAGES, begin=outline.begin)


def _changed(known: Edition, request: EditionRequest, outline: BookOutline) -> Edition:
    edition = known
    if request.last_page is not None:
        edition = bounded(known, first_page=request.first_page, last_page=request.last_page)
    elif request.first_page is not None:
        edition = bounded(known, first_page=request.first_page, last_page=known.last_page)
    for start in request.chapters:
        edition = learn(edition, KnownPoint(page=start.page, offset=_start_offset(start, outline)))
    return edition


def _start_offset(start: ChapterStart, outline: BookOutline) -> int:
    """Return the offset where a chapter starts: the end of the page before it."""
    return outline.end_of(resolve(chapter_request(start.chapter, percent=Fraction(0)), outline) or 0)


def _is_the_books(edition: Edition, outline: BookOutline) -> bool:
    """Whether the few known points of a copy all agree with the book's own page numbers."""
    if edition.converts or edition.first_page is not None or edition.unit is not Unit.PAGES:
        return False
    names = page_names(outline)
    return all(names(outline.page_holding(point.offset)) == str(point.page) for point in edition.points)


def _described(whose: str, edition: Edition, outline: BookOutline) -> str:
    unit, points = edition.unit, edition.points
    known = [
        length_in_words(unit, edition.last_page) if edition.last_page else "",
        say("the story from {place}", place=place_in_words(unit, edition.first_page)) if edition.first_page else "",
        say_count("{number} known place", "{number} known places", len(points)) if points else "",
    ]
    told = say("{whose}: {known}.", whose=say(whose), known=", ".join(filter(None, known)))
    if not edition.converts:
        following = say(
            "I need one more place (`/calibrate`) or its length (`/edition {length}`) to understand its numbers.",
            length=_LENGTHS[unit],
        )
        return f"{told} {following}"
    middle = (edition.last_page or points[-1].page) // 2
    following = say("`/setpage` and `/mypage` go by its numbers now. I round down.")
    if position := position_in_book(edition, middle, outline):
        following = say(
            "`/setpage` and `/mypage` go by its numbers now: its {place} is about p. {page} here. I round down.",
            place=place_in_words(unit, middle),
            page=page_names(outline)(position),
        )
    if unit is Unit.MINUTES:
        slack = say_count(
            "Speeds vary, so I stay about {number} page behind; chapters (`/edition ch 5 at 1h10`) make it less.",
            "Speeds vary, so I stay about {number} pages behind; chapters (`/edition ch 5 at 1h10`) make it less.",
            margin_at(edition, middle, outline),
        )
        following = f"{following} {slack}"
    return f"{told} {following}"
