"""Another copy of a book: its page numbers, as places in the text of the book (ADR 17); and another import.

A copy is known by the story's first and last page in it and by known points. Whatever is not known exactly rounds down:
a page of a copy never means more of the text than what stands up to the end of that page.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from core.catalogue.sentences import say
from core.domain.book import BookOutline
from core.domain.errors import PositionError

_MARGIN = Fraction(5, 1000)
_LEAST_MARGIN = 1
_FEWEST_POINTS = 2
_MOST_PAGES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPoint:
    """A place that stands on a page of the copy: whoever has read that page has read the text up to `offset`."""

    page: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A copy: the numbers of its story's first and last page, None where nobody has said, and its known points."""

    first_page: int | None = None
    last_page: int | None = None
    points: tuple[KnownPoint, ...] = ()

    @property
    def converts(self) -> bool:
        """Whether enough is known to convert page numbers: the last page, or two points."""
        return self.last_page is not None or len(self.points) >= _FEWEST_POINTS

    def page(self, number: int) -> int:
        """Return a page number of this copy. Raises PositionError: the copy has no such page."""
        last = self.last_page or _MOST_PAGES
        if not 0 <= number <= last:
            raise PositionError(
                say("That copy has pages up to {last}. `/edition` changes what I know about it.", last=last)
            )
        return number


@dataclass(frozen=True, slots=True)
class _Knot:
    """So many pages of the copy read, and how far that is: in characters, and in pages of the book."""

    read: int
    offset: int
    pages: Fraction


def position_in_book(edition: Edition, page: int, outline: BookOutline) -> int:
    """Return the position of somebody who has read a page of the copy to its end; 0 before the story.

    Linear between what is known, by the share of the text or of the pages, whichever is less; rounded down, less one
    page or 0.5 % of the book, but never before a place that stands on a page read. It never falls as `page` rises, and
    never goes beyond the story.
    """
    first = edition.first_page or 1
    if page < first:
        return 0
    reached = floor(_estimate(_knots(edition, outline), page, outline))
    least = outline.first_story_page - 1 if _knows_beginning(edition) else 0
    known = [floor(outline.pages_read(point.offset)) for point in edition.points if point.page <= page]
    return min(max(reached - margin(outline), least, *known), outline.story_end)


def page_in_copy(edition: Edition, position: int, outline: BookOutline) -> int:
    """Return the lowest page of the copy that means a position, or the highest page where none reaches it."""
    highest = edition.last_page or 1
    while (
        edition.last_page is None and highest < _MOST_PAGES and position_in_book(edition, highest, outline) < position
    ):
        highest *= 2
    return bisect_left(range(highest), position, key=lambda page: position_in_book(edition, page, outline))


def margin(outline: BookOutline) -> int:
    """Return how many pages are taken off what was converted: one, or 0.5 % of the book, rounded up."""
    return max(_LEAST_MARGIN, ceil(outline.pages * _MARGIN))


def learn(edition: Edition, point: KnownPoint) -> Edition:
    """Add a point; earlier ones that contradict it (a later page with an earlier place) are forgotten.

    Raises:
        PositionError: the page lies outside the story in that copy.
    """
    if point.page < (edition.first_page or 1) or point.page > (edition.last_page or _MOST_PAGES):
        raise PositionError(
            say("That page is outside the story in your copy. `/edition` changes what I know about it.")
        )
    before = [known for known in edition.points if known.page < point.page and known.offset < point.offset]
    behind = [known for known in edition.points if known.page > point.page and known.offset > point.offset]
    return replace(edition, points=(*before, point, *behind))


def bounded(edition: Edition, *, first_page: int | None, last_page: int | None) -> Edition:
    """Say how many pages the copy has and where its story begins; points outside are forgotten.

    Raises:
        PositionError: the story would begin behind the last page.
    """
    first = 1 if first_page is None else first_page
    last = _MOST_PAGES if last_page is None else last_page
    if not 1 <= first <= last <= _MOST_PAGES:
        raise PositionError(say("A copy has 1 to {most} pages, and its story begins on one of them.", most=_MOST_PAGES))
    kept = tuple(point for point in edition.points if first <= point.page <= last)
    return Edition(first_page=first_page, last_page=last_page, points=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMap:
    """Pages and offsets of an old text in a new one: what re-importing a changed file goes by.

    `pages_down` and `pages_up` hold, for 0 to the last old page, the new page up to which is surely read, and the one
    up to which may have been told. `offset` finds an old offset's place, rounding down.
    """

    pages_down: tuple[int, ...]
    pages_up: tuple[int, ...]
    offset: Callable[[int], int]

    def position(self, page: int | None) -> int | None:
        """Return where somebody stands who stood at `page`: never further in the text."""
        return None if page is None else self.pages_down[min(page, len(self.pages_down) - 1)]

    def reveals(self, page: int | None) -> int | None:
        """Return the page that something may tell of that told of `page`: never earlier in the text."""
        return None if page is None else self.pages_up[min(page, len(self.pages_up) - 1)]

    def edition(self, edition: Edition | None) -> Edition | None:
        """Return a copy with its known points at their new places."""
        if edition is None:
            return None
        moved = Edition(first_page=edition.first_page, last_page=edition.last_page)
        for point in edition.points:
            moved = learn(moved, KnownPoint(page=point.page, offset=self.offset(point.offset)))
        return moved


def _knows_beginning(edition: Edition) -> bool:
    """Whether the story's beginning is known; a copy of known length has it on page 1 unless somebody said more."""
    return edition.first_page is not None or edition.last_page is not None


def _knots(edition: Edition, outline: BookOutline) -> list[_Knot]:
    """Return what is known in rising order, with the story's ends where those are known."""
    begin, end = outline.end_of(outline.first_story_page - 1), outline.end_of(outline.story_end)
    known = [(point.page, min(max(point.offset, begin), end)) for point in edition.points]
    if _knows_beginning(edition):
        known.insert(0, ((edition.first_page or 1) - 1, begin))
    if edition.last_page is not None and (not known or known[-1][0] < edition.last_page):
        known.append((edition.last_page, end))
    return [_Knot(read=read, offset=offset, pages=outline.pages_read(offset)) for read, offset in known]


def _estimate(knots: Sequence[_Knot], page: int, outline: BookOutline) -> Fraction:
    """Return how many pages of the book are read at the least with a page of the copy."""
    at = bisect_right(knots, page, key=lambda knot: knot.read)
    if 0 < at < len(knots):
        before, after = knots[at - 1], knots[at]
        share = Fraction(page - before.read, after.read - before.read)
        return _less(
            before.offset + share * (after.offset - before.offset),
            before.pages + share * (after.pages - before.pages),
            outline,
        )
    # Outside of what is known: as dense as the densest stretch before it, as sparse as the sparsest behind it.
    nearest, choose = (knots[0], max) if at == 0 else (knots[-1], min)
    spans = [(before, after, after.read - before.read) for before, after in pairwise(knots)]
    by_text = choose(
        (Fraction(after.offset - before.offset, wide) for before, after, wide in spans), default=Fraction()
    )
    by_pages = choose(((after.pages - before.pages) / wide for before, after, wide in spans), default=Fraction())
    away = page - nearest.read
    return _less(nearest.offset + by_text * away, nearest.pages + by_pages * away, outline)


def _less(offset: Fraction, pages: Fraction, outline: BookOutline) -> Fraction:
    return max(min(outline.pages_read(offset), pages), Fraction())
