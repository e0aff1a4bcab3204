"""Copies with other page numbers: a member's own, or the one that a whole reading goes by (ADR 17)."""

from dataclasses import replace

from core.catalogue.sentences import say, say_count, sentence
from core.domain.book import BookOutline
from core.domain.club_state import ClubState
from core.domain.edition import Edition, KnownPoint, bounded, learn, position_in_book
from core.domain.edition_forms import EDITION_FORMS, ChapterStart, EditionRequest
from core.domain.errors import PositionError
from core.domain.position import NamedPosition, page_names
from core.domain.position_meaning import resolve
from core.domain.position_requests import ChapterStartRequest
from core.ports.readings import ReadingRepository

_UNKNOWN = sentence("I don't know of another edition. Tell me about yours with `/edition` and {forms}.")
_ONE_POINT = sentence(
    "I don't know your copy's page numbers well enough yet. Use `/calibrate` once more, or `/edition 312` with its "
    "last page. Until then, say `ch 7` or `45%`."
)
_OWN = (sentence("Your copy"), sentence("I've forgotten your copy. Page numbers are the book's own again."))
_CLUBS = (
    sentence("The club's copy"),
    sentence("I've forgotten the club's copy. Page numbers are the book's own again."),
)
"""What a copy is called, and what is said when it is forgotten."""


class Editions:
    """Keeps what is known of copies."""

    def __init__(self, *, readings: ReadingRepository) -> None:
        self._readings = readings

    async def learn(self, club: ClubState, point: KnownPoint) -> ClubState:
        """Add a known point to a member's own copy. Raises PositionError: it cannot lie there."""
        learned = learn(club.own_edition or Edition(), point)
        await self._readings.set_edition(club.reading_id, learned, member_id=club.member_id)
        return replace(club, own_edition=learned)

    async def say(self, club: ClubState, request: EditionRequest) -> str:
        """Take what is said of a copy, and return what is known of it then, in words for whoever said it.

        Raises:
            PositionError: no copy can be so; nothing has changed.
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
        edition = _changed(known or Edition(), request, club.outline)
        await self._readings.set_edition(club.reading_id, edition, member_id=whose_copy)
        return _described(whose, edition, club.outline)


def converted(edition: Edition | None, number: int, outline: BookOutline) -> NamedPosition | None:
    """Return the position that a page number of a copy means; None where the number is the book's own.

    Raises:
        PositionError: the copy has no such page, or too little is known of it.
    """
    if edition is None or _is_the_books(edition, outline):
        return None
    if not edition.converts:
        raise PositionError(say(_ONE_POINT))
    position = position_in_book(edition, edition.page(number), outline)
    if position:
        note = say(
            "Page {number} of that copy is about p. {page} here; I round down.",
            number=number,
            page=page_names(outline)(position),
        )
    else:
        note = say("Page {number} of that copy is before the story's first page here; I round down.", number=number)
    if number == edition.last_page:
        note = " ".join((note, say("If you've read it all, say `end`.")))
    return NamedPosition(position=position, note=note)


def _changed(known: Edition, request: EditionRequest, outline: BookOutline) -> Edition:
    edition = known
    if request.last_page is not None:
        edition = bounded(known, first_page=request.first_page, last_page=request.last_page)
    elif request.first_page is not None:
        edition = bounded(known, first_page=request.first_page, last_page=known.last_page)
    for start in request.chapters:
        edition = learn(edition, KnownPoint(page=start.page, offset=_beginning(start, outline)))
    return edition


def _beginning(start: ChapterStart, outline: BookOutline) -> int:
    """Return the offset at which a chapter begins, for certain: where the page ends that stands before it."""
    return outline.end_of(resolve(ChapterStartRequest(chapter=start.chapter), outline) or 0)


def _is_the_books(edition: Edition, outline: BookOutline) -> bool:
    """Whether what little is known of a copy says that its numbers are the book's own."""
    if edition.converts or edition.first_page is not None:
        return False
    names = page_names(outline)
    return all(names(outline.page_holding(point.offset)) == str(point.page) for point in edition.points)


def _described(whose: str, edition: Edition, outline: BookOutline) -> str:
    known = [
        say_count("{number} page", "{number} pages", edition.last_page) if edition.last_page else "",
        say("the story from p. {page}", page=edition.first_page) if edition.first_page else "",
        say_count("{number} known place", "{number} known places", len(edition.points)) if edition.points else "",
    ]
    middle = (edition.last_page or edition.points[-1].page) // 2
    if not edition.converts:
        following = say(
            "I need one more place (`/calibrate`) or its last page (`/edition 312`) to understand its page numbers."
        )
    elif position := position_in_book(edition, middle, outline):
        following = say(
            "`/setpage` and `/mypage` go by its page numbers now: its p. {number} is about p. {page} here. I round "
            "down.",
            number=middle,
            page=page_names(outline)(position),
        )
    else:
        following = say("`/setpage` and `/mypage` go by its page numbers now. I round down.")
    told = say("{whose}: {known}.", whose=say(whose), known=", ".join(filter(None, known)))
    return f"{told} {following}"
