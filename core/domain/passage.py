"""The page gate, and the search results that come through it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from core.domain.book import Book, OutsidePart, PartRole
from core.domain.errors import BookError, BookErrorCode
from core.domain.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableSpan:
    """The pages of one import of a book that may be searched and quoted: from the first to the last, none if that is 0.

    `notes_id` names the reading notes that may be used beside them; it is empty where there are none. Parts of the book
    that are no story are left out, unless it `is_whole`.
    """

    book_id: str
    last_page: int
    first_page: int = 1
    import_id: str = ""
    notes_id: str = ""
    is_whole: bool = False


def readable(book: Book, position: Position) -> ReadableSpan:
    """Return the pages that may be read at a position: the story up to it, without the pages before and after it.

    This is the page gate: every index takes its result. Only `opened` and `whole_text` make another span.

    Raises:
        BookError: the position is outside the book.
    """
    last_page = position or 0
    if not 0 <= last_page <= book.pages:
        raise BookError(
            BookErrorCode.PAGE_OUT_OF_RANGE,
            f"{book.title} has pages 1 to {book.pages}; page {position} is outside (0 means begun, nothing read).",
        )
    first_page, last_page = book.first_story_page, min(last_page, book.last_story_page or book.pages)
    return ReadableSpan(
        book_id=book.book_id,
        first_page=first_page,
        last_page=last_page if last_page >= first_page else 0,
        import_id=book.import_id,
        notes_id=book.notes_id,
    )


def opened(book: Book, part: OutsidePart, position: Position) -> ReadableSpan | None:
    """Return the pages of a part outside the story, which may be shown by name at the end of the story; None before.

    Another story never opens.
    """
    if (position or 0) < (book.last_story_page or book.pages) or part.role in {PartRole.EXCERPT, PartRole.OTHER_WORK}:
        return None
    return ReadableSpan(
        book_id=book.book_id,
        first_page=part.first_page,
        last_page=part.last_page,
        import_id=book.import_id,
        is_whole=True,
    )


def whole_text(book: Book) -> ReadableSpan:
    """Return the span of all pages, to compare two imports of a book. Never show its text."""
    return ReadableSpan(book_id=book.book_id, last_page=book.pages, import_id=book.import_id, is_whole=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One chunk as retrieved: its pages, its text, and a score from 0 to 1.

    The best chunk's score is the share of the query's words, by weight, that its page holds; the others are below it
    by how far they are behind. It is 0 where nothing was ranked.
    """

    chunk_id: int
    start_page: int
    end_page: int
    score: float
    text: str


def page_shares(found: Sequence[SearchResult]) -> dict[int, float]:
    """Return the score of each page's best passage, relative to the best of all, which is 1."""
    best = max((passage.score for passage in found), default=0.0)
    shares: dict[int, float] = {}
    for passage in found:
        shares.setdefault(passage.start_page, passage.score / best if best else 0.0)
    return shares


SearchFn = Callable[[str, int], Awaitable[list[SearchResult]]]
"""Search for a query, at most so many results. Book and position are bound inside by core; no model can give them."""
