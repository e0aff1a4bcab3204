"""Copies with other page numbers: a member's own, or the one that a whole reading goes by (ADR 17)."""

from dataclasses import replace

from core.domain.book import BookOutline
from core.domain.club_state import ClubState
from core.domain.edition import Edition, KnownPoint, bounded, learn, position_in_book
from core.domain.edition_forms import EDITION_FORMS, ChapterStart, EditionRequest
from core.domain.errors import PositionError
from core.domain.messages import counted
from core.domain.position import NamedPosition, page_names
from core.domain.position_meaning import resolve
from core.domain.position_requests import ChapterStartRequest
from core.ports.readings import ReadingRepository

_UNKNOWN = f"I don't know of another edition. Tell me about yours with `/edition` and {EDITION_FORMS}."
_ONE_POINT = (
    "I know too little of your copy for its page numbers: one more `/calibrate`, or `/edition 312` (its last page), "
    "and I understand them; until then say `ch 7` or `45%`."
)


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
        whose = "The club's copy" if request.for_club else "Your copy"
        if request.forgets:
            await self._readings.set_edition(club.reading_id, None, member_id=whose_copy)
            return f"{whose} is forgotten: page numbers are the book's own again."
        if request.asks:
            return _UNKNOWN if known is None else _described(whose, known, club.outline)
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
        raise PositionError(_ONE_POINT)
    position = position_in_book(edition, edition.page(number), outline)
    reached = f"p. {page_names(outline)(position)} here" if position else "before the story's first page here"
    ending = " If you have read it all, say `end`." if number == edition.last_page else ""
    return NamedPosition(
        position=position, note=f"Page {number} of that copy is {reached}, to be on the safe side.{ending}"
    )


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
        counted(edition.last_page, "page") if edition.last_page else "",
        f"the story from p. {edition.first_page}" if edition.first_page else "",
        counted(len(edition.points), "known place") if edition.points else "",
    ]
    told = f"{whose}: {', '.join(filter(None, known))}."
    if not edition.converts:
        return f"{told} One more place (`/calibrate`), or its last page (`/edition 312`), and I understand its numbers."
    middle = (edition.last_page or edition.points[-1].page) // 2
    position = position_in_book(edition, middle, outline)
    example = f"its p. {middle} is p. {page_names(outline)(position)} here" if position else "as in p. 120"
    return f"{told} `/setpage` and `/mypage` go by its page numbers now: {example}, to be on the safe side."
