"""Converts page numbers of another copy of a book (ADR 17), and positions between two imports.

A copy is described by the first and last page of its story and by known points. Estimates round down: a page of a copy
never stands for text after the end of that page.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, sqrt

from core.catalogue.sentences import say
from core.domain.book import BookOutline
from core.domain.copy_numbers import Unit, place_in_words
from core.domain.errors import PositionError

_MARGIN = Fraction(5, 1000)
_LEAST_MARGIN = 1
_VARIED_MARGIN = 0.07
_CHAPTERS_IF_UNKNOWN = 10
"""Time and percent need a wider margin, since each chapter is read at its own speed (`benchmarks.listeners`)."""
_FEWEST_POINTS = 2
_MOST_PAGES = 100_000
_WHOLE = 100
_EXACT = Fraction()
_SHOWN_TO = Fraction(5, 1000)
"""Apps show whole percents, rounded up or down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPoint:
    """A known point: a reader of this page, location or minute of the copy has read the text up to `offset`."""

    page: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A copy: the first and last page of its story (None if unknown) and its known points.

    In a copy of another unit, all its "pages" are locations, or minutes from the beginning. A copy of a later book of a
    series has that book's `begin` (`BookOutline`).
    """

    unit: Unit = Unit.PAGES
    first_page: int | None = None
    last_page: int | None = None
    points: tuple[KnownPoint, ...] = ()
    begin: int = 0

    @property
    def converts(self) -> bool:
        """Whether enough is known to convert page numbers: the last page, or two points."""
        return self.last_page is not None or len(self.points) >= _FEWEST_POINTS

    def page(self, number: int) -> int:
        """Return a valid page number of this copy. Raises PositionError if the copy has no such page."""
        last = self.last_page or _MOST_PAGES
        if not 0 <= number <= last:
            raise PositionError(
                say(
                    "That copy ends at {last}. `/edition` changes what I know about it.",
                    last=place_in_words(self.unit, last),
                )
            )
        return number


@dataclass(frozen=True, slots=True)
class _Knot:
    """A number of pages read in the copy, and the same position in characters and in pages of the book."""

    read: int
    offset: int
    pages: Fraction


def position_in_book(edition: Edition, page: int, outline: BookOutline) -> int:
    """Return the book position after a page of the copy; where the book begins before the story.

    Interpolates linearly between known points, by text or by pages, whichever gives less. The result is rounded down
    and reduced by a margin (`margin_at`), but never below a known point that is read. It is monotonic in `page`, and
    never beyond the story.
    """
    first = edition.first_page or 1
    if page < first:
        return outline.begin
    reached = floor(_estimate(_knots(edition, outline), page, outline))
    least = outline.first_story_page - 1 if _knows_beginning(edition) else outline.begin
    # A place is reached somewhere within the minute that a player shows.
    surely = page - (edition.unit is Unit.MINUTES)
    known = [floor(outline.pages_read(point.offset)) for point in edition.points if point.page <= surely]
    return min(max(reached - margin_at(edition, page, outline), least, *known), outline.story_end)


def position_at_share(percent: Fraction, outline: BookOutline) -> int:
    """Return the book position after so much percent of a copy that nothing is known of; monotonic in `percent`.

    It is rounded down and reduced by the margin for time and percent; only 100 % is the end of the story.
    """
    if percent >= _WHOLE:
        return outline.story_end
    begin, share = outline.end_of(outline.begin), percent / _WHOLE
    pages = Fraction(outline.story_pages)
    offset = begin + (outline.end_of(outline.story_end) - begin) * share
    reached = _less(offset, outline.begin + pages * share, outline)
    return max(floor(reached) - _varied_margin(pages, outline, rounded=pages * _SHOWN_TO), outline.begin)


def page_in_copy(edition: Edition, position: int, outline: BookOutline) -> int:
    """Return the lowest page of the copy that converts to a position, or its highest page if none does."""
    highest = edition.last_page or 1
    while (
        edition.last_page is None and highest < _MOST_PAGES and position_in_book(edition, highest, outline) < position
    ):
        highest *= 2
    return bisect_left(range(highest), position, key=lambda page: position_in_book(edition, page, outline))


def margin(outline: BookOutline) -> int:
    """Return how many pages are subtracted from a converted position: one, or 0.5 % of the book, rounded up."""
    return max(_LEAST_MARGIN, ceil(outline.pages * _MARGIN))


def margin_at(edition: Edition, page: int, outline: BookOutline) -> int:
    """Return how many pages are subtracted at a page of a copy.

    Of an audiobook it is a share of the stretch between the known points around, since chapters are read at different
    speeds.
    """
    if edition.unit is not Unit.MINUTES:
        return margin(outline)
    knots = _knots(edition, outline)
    at = bisect_left(knots, page, key=lambda knot: knot.read)
    is_between = 0 < at < len(knots)
    stretch = knots[at].pages - knots[at - 1].pages if is_between else Fraction(outline.story_end)
    return _varied_margin(stretch, outline)


def learn(edition: Edition, point: KnownPoint) -> Edition:
    """Add a point, and drop earlier points that contradict it (a later page at an earlier offset).

    Raises:
        PositionError: the page is outside the copy's story.
    """
    if point.page < (edition.first_page or 1) or point.page > (edition.last_page or _MOST_PAGES):
        raise PositionError(
            say("That place is outside the story in your copy. `/edition` changes what I know about it.")
        )
    before = [known for known in edition.points if known.page < point.page and known.offset < point.offset]
    behind = [known for known in edition.points if known.page > point.page and known.offset > point.offset]
    return replace(edition, points=(*before, point, *behind))


def bounded(edition: Edition, *, first_page: int | None, last_page: int | None) -> Edition:
    """Set the first and last page of a copy's story, and drop points outside.

    Raises:
        PositionError: the story would begin after the last page.
    """
    first = 1 if first_page is None else first_page
    last = _MOST_PAGES if last_page is None else last_page
    if not 1 <= first <= last <= _MOST_PAGES:
        raise PositionError(
            say("A copy has 1 to {most} pages, locations or minutes, and its story begins at one.", most=_MOST_PAGES)
        )
    kept = tuple(point for point in edition.points if first <= point.page <= last)
    return replace(edition, first_page=first_page, last_page=last_page, points=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMap:
    """Maps pages and offsets of an old text to a new one, when a changed file is imported again.

    `pages_down` and `pages_up` hold, for 0 to the last old page, the new page up to which is surely read, and the one
    up to which may have been told. `offset` finds an old offset's place, rounding down.
    """

    pages_down: tuple[int, ...]
    pages_up: tuple[int, ...]
    offset: Callable[[int], int]

    def position(self, page: int | None) -> int | None:
        """Return the new position of a reader at `page`, never further in the text."""
        return None if page is None else self.pages_down[min(page, len(self.pages_down) - 1)]

    def reveals(self, page: int | None) -> int | None:
        """Return the new page that a text about `page` may reveal, never earlier in the text."""
        return None if page is None else self.pages_up[min(page, len(self.pages_up) - 1)]

    def edition(self, edition: Edition | None) -> Edition | None:
        """Return a copy with its known points at their new places."""
        if edition is None:
            return None
        moved = replace(edition, points=(), begin=self.position(edition.begin) or 0)
        for point in edition.points:
            moved = learn(moved, KnownPoint(page=point.page, offset=self.offset(point.offset)))
        return moved


def _knows_beginning(edition: Edition) -> bool:
    """Whether the start of the story is known; with a known last page it is page 1 by default."""
    return edition.first_page is not None or edition.last_page is not None


def _knots(edition: Edition, outline: BookOutline) -> list[_Knot]:
    """Return the known points in rising order, with the story's start and end if known."""
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
    # Outside the known points: extrapolate with the densest stretch before them and the sparsest after them.
    nearest, choose = (knots[0], max) if at == 0 else (knots[-1], min)
    spans = [(before, after, after.read - before.read) for before, after in pairwise(knots)]
    by_text = choose(
        (Fraction(after.offset - before.offset, wide) for before, after, wide in spans), default=Fraction()
    )
    by_pages = choose(((after.pages - before.pages) / wide for before, after, wide in spans), default=Fraction())
    away = page - nearest.read
    return _less(nearest.offset + by_text * away, nearest.pages + by_pages * away, outline)


def _varied_margin(stretch: Fraction, outline: BookOutline, *, rounded: Fraction = _EXACT) -> int:
    """Return the margin for so many pages: the fewer and longer the chapters, the farther off a time may be."""
    starts = sorted({outline.first_story_page, outline.story_end + 1, *(each.first_page for each in outline.chapters)})
    longest = max((after - before for before, after in pairwise(starts)), default=outline.story_end)
    fewest = 1 if outline.chapters else _CHAPTERS_IF_UNKNOWN
    return max(margin(outline), ceil(_VARIED_MARGIN * sqrt(longest * stretch / fewest) + rounded))


def _less(offset: Fraction, pages: Fraction, outline: BookOutline) -> Fraction:
    return max(min(outline.pages_read(offset), pages), Fraction())
