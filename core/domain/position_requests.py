"""What somebody may mean by how far they have read; `core.domain.position_meaning` finds the page of it."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """`120`, `p. 120`, `xii`: a page by its printed label, or by its number where the book has no labels.

    `of` is how many pages there are said to be (`page 120 of 312`), None where that was not said.
    """

    label: str
    of: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterStartRequest:
    """`ch 7`: the chapter has begun, nothing of it is read."""

    chapter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterDoneRequest:
    """`ch 7 done`, `finished 7`: the chapter is read to its end.

    `of` is how many chapters there are said to be (`7/12`), None where that was not said.
    """

    chapter: int
    of: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterShareRequest:
    """`halfway through ch 7`: so much of the chapter's pages, in percent."""

    chapter: int
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
    | ChapterStartRequest
    | ChapterDoneRequest
    | ChapterShareRequest
    | ThisChapterRequest
    | MorePagesRequest
    | PercentRequest
    | EndRequest
    | BegunRequest
    | ResetRequest
    | FollowRequest
    | UndoRequest
)
"""What has one meaning in a book."""

PositionRequest = PlainRequest | EitherRequest
