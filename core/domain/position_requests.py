"""The forms of a position that a member may type; `core.domain.position_meaning` finds the page."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from core.catalogue.sentences import sentence
from core.domain.copy_numbers import Unit

NOT_A_POSITION: Final = sentence("I didn't catch the page. Try `120`, `ch 7 done` or `45%`.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """`120`, `p. 120`, `xii`: a page by its printed label, or by its number where the book has no labels.

    `of` is how many pages there are said to be (`page 120 of 312`), None where that was not said. `is_bare` if nothing
    says that it is a page.
    """

    label: str
    of: int | None = None
    is_bare: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step to a place: a level and a number (`volume`, 2), a name without a number (`prologue`), or a title.

    A number without a word ("Purgatorio 3") is that of any level.
    """

    word: str = ""
    number: int | None = None
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRequest:
    """`vol 2 ch 7`: so much, in percent, of the pages of a place; 0 where it has begun, 100 where it is read.

    `of` is how many chapters there are said to be (`7/12`), None where that was not said.
    """

    steps: tuple[Step, ...]
    percent: Fraction
    of: int | None = None


def chapter_request(number: int, *, percent: Fraction, of: int | None = None) -> PlaceRequest:
    """Return the request for so much of a chapter with a number."""
    return PlaceRequest(steps=(Step(word="chapter", number=number),), percent=percent, of=of)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanRequest:
    """So much, in percent, of some pages of the book, which has several places of one name; `name` tells them apart."""

    name: str
    first_page: int
    last_page: int
    percent: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ThisChapterRequest:
    """`end of this chapter`: so much, in percent, of the chapter that is being read where the page stands now."""

    percent: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class MorePagesRequest:
    """`+10`, `10 more pages`: so many pages beyond where the page stands now."""

    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentRequest:
    """`45%`: so much of the book's pages. `percent` is exact and may be over 100, which `resolve` refuses."""

    percent: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceInCopyRequest:
    """`loc 1234 of 5000`, `3h12`, `page 12 of 239`: what a device shows of a copy.

    `of` is how long that copy is, None where that was not said. `is_left` if so much is left to its end.
    """

    unit: Unit
    number: int
    of: int | None = None
    is_left: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRequest:
    """`end`: the whole book."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunRequest:
    """`0`: begun, nothing read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetRequest:
    """`reset`: back to unset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowRequest:
    """`follow`: the thread gives its own position up and goes by the reading's again. It names no page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest:
    """`undo`: the last change is taken back. It names no page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EitherRequest:
    """Two things at least that one form may mean (`20 pages`: up to page 20, or 20 more); likeliest first."""

    readings: tuple["PlainRequest", ...]


PlainRequest = (
    PageRequest
    | PlaceRequest
    | SpanRequest
    | ThisChapterRequest
    | MorePagesRequest
    | PercentRequest
    | PlaceInCopyRequest
    | EndRequest
    | BegunRequest
    | ResetRequest
    | FollowRequest
    | UndoRequest
)
"""A request with one meaning in a book."""

PositionRequest = PlainRequest | EitherRequest
